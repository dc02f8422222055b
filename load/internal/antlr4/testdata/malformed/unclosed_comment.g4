grammar unclosed_comment;
a : 'x' ;
b : 'y' /* ; // ERROR 9: the comment is not closed
