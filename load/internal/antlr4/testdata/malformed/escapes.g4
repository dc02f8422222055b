grammar escapes;
a : '\q' ; // WARNING 6: "\\q" is not an escape of ANTLR; taken as 'q'
b : '\u12G4' ; // ERROR 6: "\\u12G4" is not a character code
c : 'é\u{110000}' ; // ERROR 7: "\\u{110000}" is not a character code
d : '' ; // ERROR 5: the literal is empty
