// Package abnf reads and prints ABNF, the grammar notation of the RFCs
// (RFC 5234 and RFC 7405).
//
//	date  = 4DIGIT "-" 2DIGIT        ; DIGIT is a core rule and need not be defined
//	date =/ "today"                  ; one more alternative
//	word  = 1*8ALPHA / %s"exact" / %x61.62.63 / <any CHAR except CTLs>
//
// A text in double quotes matches letters of either case, so each of its ASCII
// letters becomes a class of two; %s"…" and numeric values are exact. Names
// fold case. The core rules are added when a grammar refers to them and does not
// define them itself. The notation is scannerless.
//
// Numeric values are octets as long as no value of the file is above FF, else
// code points: %x80-FF then means one byte, or one character of two bytes. The
// core rule OCTET always means one byte.
//
// A prose value <…> becomes a reference to a rule of that very name, with the
// brackets; where the text names a rule of the file, it is that rule. It is
// reported as a warning; a companion file may say what it means.
//
// The reader is as lenient as files in the wild need: any line ends, rules that
// are indented or continue in column one, "_" in names, the list operator # of
// HTTP's RFCs and their |.
package abnf
