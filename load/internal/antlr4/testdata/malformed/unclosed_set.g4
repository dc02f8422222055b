lexer grammar unclosed_set;
A : [a-z\] ; // ERROR 5: the set is not closed on its line
B : [z-a] ; // ERROR 6: the range z-a goes backwards
C : [] ; // ERROR 5: the set is empty
D : [\p{Nonsense}x] ; // WARNING 6: the property "Nonsense" is not known
E : [\pL] ; // ERROR 6: \p without a property
F : [a-\p{L}] ; // ERROR 6: a property cannot be the end of a range
