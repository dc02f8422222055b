// Package goebnf reads the EBNF of the Go specification, as package golang.org/x/exp/ebnf defines
// it.
//
//	Sum    = number { ( "+" | "-" ) number } .
//	number = digit { digit } .
//	digit  = "0" … "9" .
//
// The case of a rule's first letter determines its level. Rules in upper case are syntactic: layout
// is allowed between their tokens. Rules in lower case are lexical: they are tokens if a syntactic
// rule refers to them, and parts of tokens otherwise. A file of lexical rules only is scannerless.
// A file does not define layout. So the reader adds a rule white_space of spaces, tabs and line
// breaks, which a companion file may drop or replace.
//
// The start is the first syntactic rule that no other rule refers to, or else the first rule. A
// rule whose body is only a comment is prose. The rules newline, unicode_char, unicode_letter and
// unicode_digit are known from the specification. Others become references to a rule named by the
// comment.
package goebnf
