// Package iso reads ISO/IEC 14977 EBNF.
//
//	integer list = integer, { ",", integer };   (* names may hold blanks *)
//	integer      = digit, { digit } | "0x", 2 * hex digit;
//	text         = '"', { character - '"' }-, '"';
//	character    = ? any character ?;
//
// The notation is scannerless. Literals have no escapes, so a backslash represents
// itself. { x }- is one or more x. A - B are the texts of A that are not texts of B.
//
// The special sequence "? any character ?" is known. Any other special sequence
// ? … ? becomes a reference to an undefined rule, and a warning is reported. The name
// of the rule is the sequence with its question marks and with single blanks. A
// companion file can define the rule.
//
// The reader accepts all spellings of the standard: / and ! for |, (/ /) for [ ],
// (: :) for { }, a dot for the semicolon. It is more lenient than the standard: a rule
// may be defined with := or ::=, names may have underscores, and commas may be missing
// if that is not ambiguous.
package iso
