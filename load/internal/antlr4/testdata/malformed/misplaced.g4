parser grammar misplaced; // WARNING 1: the lexer of this parser grammar, "misplacedLexer" is not found
mode M; // ERROR 6: modes stand in lexer grammars alone
A : 'a' ; // ERROR 1: lexer rule "A" in a parser grammar
b : C -> skip ; // ERROR 10: the command "skip" in parser rule "b"
