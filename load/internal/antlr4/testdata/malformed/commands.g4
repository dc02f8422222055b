lexer grammar commands;
A : 'a' -> jump ; // ERROR 12: unknown command "jump"
B : 'b' -> type ; // ERROR 12: the command type needs an argument
C : 'c' -> skip(X) ; // ERROR 12: the command skip takes no argument
D : ( 'd' -> skip ) ; // ERROR 14: the command "skip" stands inside a block
E : 'e' -> pushMode(M) ; // WARNING 12: unknown mode "M"
F : 'f' -> skip more ; // ERROR 17: unexpected "more" in rule "F"; an element, | or ; comes here
G : 'g' -> type(,) ; // ERROR 17: unexpected "," in rule "G"; a command is
