grammar unclosed_action;
a : 'x' ;
b : {if (x) { '}' } 'y' ; // ERROR 5: the action is not closed
