grammar sets;
a : ~b ; // ERROR 5: ~ of something that is not one token
b : [int x] ; // ERROR 5: unexpected "[int x]" in rule "b"; [ ] is a set in lexer rules alone
c : 'a'..'z' ; // ERROR 5: a set of characters in parser rule "c"
C : ~'ab' ; // ERROR 6: 'ab' is not one character
D : ~D ; // ERROR 5: ~ of something that is not one character
E : 'z'..'a' ; // ERROR 5: the range 'z'..'a' goes backwards
F : ~( 'a' | 'b'* ) ; // ERROR 14: ~ of something that is not one character
