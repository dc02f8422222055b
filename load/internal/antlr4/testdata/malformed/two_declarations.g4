grammar one;
parser grammar two; // ERROR 1: the file declares a second grammar
a : 'x' ;
