// Package goebnf reads the EBNF of the Go specification, as package
// golang.org/x/exp/ebnf defines it.
//
//	Sum    = number { ( "+" | "-" ) number } .
//	number = digit { digit } .
//	digit  = "0" … "9" .
//
// The case of a rule's first letter tells its level. Rules in upper case are
// syntactic: layout may stand between their tokens. Rules in lower case are
// lexical: tokens where a syntactic rule refers to them, else parts of tokens. A
// file of lexical rules alone is scannerless. The layout is not part of a file;
// it is read as blanks, tabs and line breaks, the rule white_space, which a
// companion file may drop or replace.
//
// The start is the first syntactic rule that no other rule refers to, or else
// the first one. Rules whose body is nothing but a comment are prose: newline,
// unicode_char, unicode_letter and unicode_digit are known from the
// specification, others become references to a rule called by the comment.
package goebnf
