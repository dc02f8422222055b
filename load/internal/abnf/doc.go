// Package abnf reads and prints ABNF, the grammar notation of the RFCs
// (RFC 5234 and RFC 7405).
//
//	date  = 4DIGIT "-" 2DIGIT        ; DIGIT is a core rule and need not be defined
//	date =/ "today"                  ; one more alternative
//	word  = 1*8ALPHA / %s"exact" / %x61.62.63 / <any CHAR except CTLs>
//
// A text in double quotes matches letters of either case, so each of its ASCII
// letters becomes a class of two letters. %s"…" and numeric values are exact. Names
// fold case. A core rule is added if the grammar refers to it without defining it.
// The notation is scannerless.
//
// Numeric values are octets if no value in the file is above FF, and code points
// otherwise. So %x80-FF is one byte in the first case, and one character of two
// bytes in the second. The core rule OCTET is always one byte.
//
// A prose value <…> becomes a reference. If its text is the name of a rule in the
// file, it refers to that rule. Otherwise it refers to an undefined rule whose name
// is the prose with its brackets, and a warning is reported. A companion file can
// define that rule.
//
// The reader is lenient, since existing files require it: it accepts any line ends,
// rules that are indented or continue in column one, "_" in names, and the list
// operator # and the bar | of HTTP's RFCs.
package abnf
