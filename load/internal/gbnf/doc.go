// Package gbnf reads and prints GBNF, the grammar notation of llama.cpp.
//
//	root  ::= "[" item ("," item)* "]"   # the start rule is called root
//	item  ::= [0-9]+ | "\"" [^"\\]{0,8} "\""
//
// The notation is scannerless: no layout is implied anywhere. Literals and classes
// hold code points and have the escapes \n \r \t \\ \" \[ \] \xXX \uXXXX and
// \UXXXXXXXX. [Parse] is more lenient than llama.cpp about rules of several lines: a
// rule ends where the next "name ::=" begins.
//
// References to tokens of a model's vocabulary (<name>) are read as their text, with a
// note. Their negation (!<name>) has no meaning in text and is refused.
package gbnf
