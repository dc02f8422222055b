grammar missing_semicolon;
a : 'x' | b
b : 'y' ; // ERROR 3: unexpected ":" in rule "a"; the ; of the rule before is missing
c : 'z' ;
d : ( 'x' ; // ERROR 11: unexpected ";" in rule "d"; the ( of line 5 is not closed
e : 'x' ) ; // ERROR 9: unexpected ")" in rule "e"; its ( is missing
