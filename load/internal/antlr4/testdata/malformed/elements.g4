grammar elements;
a : * 'x' ; // ERROR 5: unexpected "*" in rule "a"; it repeats the element before it
b : x= ; // ERROR 8: unexpected ";" in rule "b"; an element has to follow a label or ~
c : 'x' # ; // ERROR 11: unexpected ";" in rule "c"; the label of an alternative is a name
d : 'x' <assoc=right ; // ERROR 9: the element option is not closed
e : "x" ; // ERROR 5: unexpected character '"' // ERROR 7: unexpected character '"'
f : 'a' grammar ; // ERROR 9: unexpected "grammar" in rule "f"; it is a reserved word
g : a } ; // ERROR 7: a } without a {
h : 'a'..b ; // ERROR 10: unexpected "b" in rule "h"; a range is written
