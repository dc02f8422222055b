grammar unclosed_literal;
a : 'x  ; // ERROR 5: the literal is not closed on its line
b : 'y' ;
