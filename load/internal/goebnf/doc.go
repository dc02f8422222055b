// Package goebnf reads the EBNF of the Go specification, as package golang.org/x/exp/ebnf defines
// it.
//
//	Sum    = number { ( "+" | "-" ) number } .
//	number = digit { digit } .
//	digit  = "0" … "9" .
//
// The case of a rule's first letter determines its level. Rules in upper case are syntactic:
// layout is allowed between their tokens. Rules in lower case are lexical: tokens where a
// syntactic rule refers to them, otherwise parts of tokens. A file of lexical rules only is
// scannerless. The layout is not part of a file; it is read as spaces, tabs and line breaks, the
// rule white_space, which a companion file may drop or replace.
//
// The start is the first syntactic rule without references from other rules, or else the first
// one. A rule whose body is only a comment is prose: newline, unicode_char, unicode_letter and
// unicode_digit are known from the specification, others become references to a rule named by the
// comment.
package goebnf
