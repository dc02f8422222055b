// Package iso reads ISO/IEC 14977 EBNF.
//
//	integer list = integer, { ",", integer };   (* names may hold blanks *)
//	integer      = digit, { digit } | "0x", 2 * hex digit;
//	text         = '"', { character - '"' }-, '"';
//	character    = ? any character ?;
//
// The notation is scannerless; literals have no escapes, so a backslash is
// itself. { x }- is one or more; A - B are the texts of A that are not texts of
// B. A special sequence ? … ? becomes a reference to a rule of that very name,
// question marks included and blanks normalised, and is reported as a warning; a
// companion file may say what it means. "? any character ?" alone is known. All of the standard's spellings are
// read: / and ! for |, (/ /) for [ ], (: :) for { }, a dot for the semicolon.
//
// More leniently than the standard, a rule may be defined with := or ::=, names
// may hold underscores, and commas may be missing where that is not ambiguous.
package iso
