package ebnf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormat(t *testing.T) {
	long := strings.Repeat("x", 30)
	tests := []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"comment alone", "  # c  ", "# c\n"},
		{"one line", "a:=\"x\"|b ( c )*{ 2 , 3 }@use( x,y )%2;b=[a-z -]? ? ;",
			"a = \"x\" | b (c)* {2,3} @use(x, y) %2 ;\nb = [a-z -]? ? ;\n"},
		{"label, difference, empty", "a = L:\"x\"-b|()|;", "a = L: \"x\" - b | () | ;\n"},
		{"marks", "@token\n  @mode(M)   a=\"x\";", "@token @mode(M) a = \"x\" ;\n"},
		{"blank lines", "\n\na = b ;\n\n\n\n# c\nb = c ;\nc = \"x\" ;", "a = b ;\n\n# c\nb = c ;\nc = \"x\" ;\n"},
		{"comment behind a rule", "a = b ; // c\n# d\nb = \"x\" ; (* e *) c = \"y\" ;",
			"a = b ; // c\n# d\nb = \"x\" ; (* e *)\nc = \"y\" ;\n"},
		{"comments inside", "a = \"x\" # first\n| (\"y\" | \"z\") # second\n\n  // own line\n| b c ;",
			"a =\n    \"x\" # first\n  | (\"y\" | \"z\") # second\n    // own line\n  | b c\n  ;\n"},
		{"block comments inside", "a (* 1 *) (* 2\n *) = (* 3 *) b ;", "a (* 1 *) (* 2\n *)\n        = (* 3 *)\n    b\n  ;\n"},
		{"too long", "a = " + long + " | " + long + " " + long + " " + long + " " + long + " | \"x\" ;",
			"a =\n    " + long + "\n  | " + long + " " + long + " " + long + "\n        " + long + "\n  | \"x\"\n  ;\n"},
		{"byte order mark and CRLF", "\ufeffa = b ; # c\r\nb = \"x\" ;\r\n", "a = b ; # c\nb = \"x\" ;\n"},
	}
	for _, test := range tests {
		got, ds := Format("f", []byte(test.src))
		if err := ds.Err(); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if d := cmp.Diff(test.want, string(got)); d != "" {
			t.Errorf("%s: -want +got\n%s", test.name, d)
		}
		again, _ := Format("f", got)
		if d := cmp.Diff(string(got), string(again)); d != "" {
			t.Errorf("%s: formatting again changes it: -once +twice\n%s", test.name, d)
		}
	}
	if got, ds := Format("f", []byte("a = ( ;")); got != nil || ds.Err() == nil {
		t.Errorf("a file with mistakes: %q, %v", got, ds)
	}
}
