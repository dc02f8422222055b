package notation

import (
	"strings"
	"unicode"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Property returns the characters with a Unicode property, named as in \p{…}: a general category
// (L, Letter), a script (Greek), a binary property (ID_Start), or one of these with its kind
// (General_Category=L, gc=L, Script=Greek). As in ANTLR, case, hyphens and underscores do not
// matter. Property returns false for an unknown name. Four-letter codes of scripts, blocks and
// emoji are unknown, because Go's tables lack them.
func Property(name string) (grammar.Set, bool) {
	kind, value, qualified := strings.Cut(name, "=")
	if !qualified {
		kind, value = "", name
	}
	value = loose(value)
	switch loose(kind) {
	case "generalcategory", "gc":
		return category(value)
	case "script", "sc":
		return script(value)
	case "graphemeclusterbreak", "gcb":
		return graphemeBreak(value)
	case "":
	default:
		return grammar.Set{}, false
	}
	for _, lookup := range []func(string) (grammar.Set, bool){category, binary, script} {
		if s, ok := lookup(value); ok {
			return s, true
		}
	}
	return grammar.Set{}, false
}

// loose returns a name without differences that do not matter in comparisons.
func loose(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

func category(value string) (grammar.Set, bool) {
	for alias, short := range unicode.CategoryAliases {
		if loose(alias) == value {
			value = loose(short)
			break
		}
	}
	for name, table := range unicode.Categories {
		if loose(name) == value {
			return tableSet(table), true
		}
	}
	return grammar.Set{}, false
}

func script(value string) (grammar.Set, bool) {
	for name, table := range unicode.Scripts {
		if loose(name) == value {
			return tableSet(table), true
		}
	}
	return grammar.Set{}, false
}

// binary looks up binary properties: those of Go's tables, and those that the Unicode standard
// derives from them.
func binary(value string) (grammar.Set, bool) {
	union := func(names ...string) grammar.Set {
		var all []grammar.Range
		for _, n := range names {
			t := unicode.Categories[n]
			if t == nil {
				t = unicode.Properties[n]
			}
			all = append(all, tableSet(t).Ranges()...)
		}
		return grammar.NewSet(all...)
	}
	idStart := func() grammar.Set {
		return union("L", "Nl", "Other_ID_Start").Intersect(union("Pattern_Syntax", "Pattern_White_Space").Complement())
	}
	switch value {
	case "any":
		return grammar.Set{}.Complement(), true
	case "ascii":
		return grammar.NewSet(grammar.Range{Lo: 0, Hi: 0x7f}), true
	case "assigned":
		return union("L", "M", "N", "P", "S", "Z", "C"), true
	case "alphabetic", "alpha":
		return union("L", "Nl", "Other_Alphabetic"), true
	case "lowercase", "lower":
		return union("Ll", "Other_Lowercase"), true
	case "uppercase", "upper":
		return union("Lu", "Other_Uppercase"), true
	case "math":
		return union("Sm", "Other_Math"), true
	case "idstart", "ids", "xidstart", "xids":
		return idStart(), true
	case "idcontinue", "idc", "xidcontinue", "xidc":
		return union("L", "Nl", "Other_ID_Start", "Mn", "Mc", "Nd", "Pc", "Other_ID_Continue").Intersect(union("Pattern_Syntax", "Pattern_White_Space").Complement()), true
	}
	for name, table := range unicode.Properties {
		if loose(name) == value {
			return tableSet(table), true
		}
	}
	return grammar.Set{}, false
}

// graphemeBreak returns values of Grapheme_Cluster_Break that follow from code point arithmetic.
func graphemeBreak(value string) (grammar.Set, bool) {
	const (
		first, last = 0xAC00, 0xD7A3 // Hangul syllables; every 28th is an LV
		period      = 28
	)
	ranges := func(rs ...grammar.Range) (grammar.Set, bool) { return grammar.NewSet(rs...), true }
	var lv []grammar.Range
	for r := rune(first); r <= last; r += period {
		lv = append(lv, grammar.Range{Lo: r, Hi: r})
	}
	switch value {
	case "cr":
		return ranges(grammar.Range{Lo: '\r', Hi: '\r'})
	case "lf":
		return ranges(grammar.Range{Lo: '\n', Hi: '\n'})
	case "regionalindicator", "ri":
		return ranges(grammar.Range{Lo: 0x1F1E6, Hi: 0x1F1FF})
	case "l":
		return ranges(grammar.Range{Lo: 0x1100, Hi: 0x115F}, grammar.Range{Lo: 0xA960, Hi: 0xA97C})
	case "v":
		return ranges(grammar.Range{Lo: 0x1160, Hi: 0x11A7}, grammar.Range{Lo: 0xD7B0, Hi: 0xD7C6})
	case "t":
		return ranges(grammar.Range{Lo: 0x11A8, Hi: 0x11FF}, grammar.Range{Lo: 0xD7CB, Hi: 0xD7FB})
	case "lv":
		return ranges(lv...)
	case "lvt":
		return grammar.NewSet(grammar.Range{Lo: first, Hi: last}).Intersect(grammar.NewSet(lv...).Complement()), true
	}
	return grammar.Set{}, false
}

// tableSet converts a table of package unicode.
func tableSet(t *unicode.RangeTable) grammar.Set {
	var rs []grammar.Range
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			rs = append(rs, grammar.Range{Lo: lo, Hi: hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			rs = append(rs, grammar.Range{Lo: r, Hi: r})
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return grammar.NewSet(rs...)
}
