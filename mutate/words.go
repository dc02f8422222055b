package mutate

import "github.com/gramfuzz/gramfuzz/grammar"

// literals returns the literals of a grammar, each once, in the order of their first
// use: the keywords and signs of the language.
func literals(g *grammar.Grammar) []string {
	var texts []string
	seen := map[string]bool{"": true}
	for _, e := range g.Exprs {
		if e.Op == grammar.Lit && !e.Silent && !seen[e.Text] {
			seen[e.Text] = true
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// numbers returns numbers at the limits of usual types, as decimal and other literals.
func numbers() []string {
	return []string{
		"0", "1", "-1", "00", "-0", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536",
		"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
		"9007199254740992", "9007199254740993", // the first integers that float64 cannot tell apart
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"18446744073709551615", "18446744073709551616", "99999999999999999999999999",
		"0x7fffffff", "0xffffffffffffffff", "010", "1e9", "1e309", "-1e309", "1e-324", "5e-324", "0.1", ".5", "1.", "1e", "-0.0",
		"NaN", "Infinity", "-Infinity",
	}
}

// Strings returns texts that programs often handle badly: special words, control and combining
// characters, invalid UTF-8, characters with a meaning in other languages. They are the default
// dictionary.
func Strings() []string {
	return []string{
		"null", "nil", "undefined", "true", "false", "__proto__", "constructor",
		"\x00", "\t", "\r", "\r\n", "\n", "\v", "\x1b", "\x7f", "\u0085", "\u00a0", "\u2028", "\ufeff", "\u200d", "\u202e",
		"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", // an invalid byte, overlong, surrogate, beyond Unicode, cut short
		"\u00e9", "e\u0301", "\u0130", "\u00df", "\U0001F600", "\U0001F468\u200d\U0001F469",
		"%", "%s", "%n", "%!d(", "\\", "\\u0000", "\\x", "\\U", "'", "\"", "''", "\"\"", "`", "/*", "*/", "//", "--", "#", "<!--", "]]>",
		"$", "${", "{{", "}}", "$(", "../", "\\\\", "(?", "[:", "[[", "a]", "{1,", "{,}", ":(", "(", ")", "[", "]", "{", "}",
	}
}
