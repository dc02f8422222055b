package load

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// foldings are grammars that accept words in either case, letter by letter. All of them mean
// SELECT or GROUP-BY, and numbers whose exponent is no word.
var foldings = map[string]string{
	"fragments.g4": `grammar fragments; s : (SELECT | GROUP | NUM) EOF ;
		SELECT : S E L E C T ; GROUP : [Gg] [rR] [Oo] [uU] [pP] '-' B [yY] ; NUM : [0-9] [eE] [0-9] ;
		fragment S : [sS] ; fragment E : ('e'|'E') ; fragment L : [Ll] ; fragment C : [cC] ; fragment T : [tT] ; fragment B : [bB] ;`,
	"option.g4":  `grammar option; options { caseInsensitive = true; } s : ('select' | 'GROUP-BY' | NUM) EOF ; NUM : [0-9] 'e' [0-9] ;`,
	"words.abnf": "s = \"select\" / \"GROUP-BY\" / DIGIT \"e\" DIGIT\r\n",
	"words.ebnf": `s = [sS] [eE] [lL] [eE] [cC] [tT] | [Gg] [rR] [Oo] [uU] [pP] "-" [Bb] [yY] | [0-9] [eE] [0-9] ;`,
}

// asIs are the words of foldings as written. Words with letters that are rules share the case
// of the first such letter.
var asIs = map[string]string{
	"fragments.g4": "group-by select", "option.g4": "GROUP-BY select", "words.abnf": "GROUP-BY select", "words.ebnf": "GROUP-BY select",
}

// TestCase draws sentences in every case and replays them from their choices. The parser of
// each case has to accept the sentences of all others.
func TestCase(t *testing.T) {
	for name, src := range foldings {
		t.Run(name, func(t *testing.T) {
			texts := make(map[string]map[string]bool)
			parsers := make(map[string]*parse.Parser)
			for _, c := range grammar.Cases() {
				g, _, err := Source(name, []byte(src), Options{Case: c})
				if err != nil {
					t.Fatal(err)
				}
				texts[c] = drawn(t, g, 300)
				if parsers[c], err = parse.New(t.Context(), g, parse.Options{}); err != nil {
					t.Fatal(err)
				}
			}
			for c, want := range map[string]string{"as-is": "", "lower": "group-by select", "upper": "GROUP-BY SELECT"} {
				var words []string
				for text := range texts[c] {
					if !strings.ContainsAny(text, "0123456789") {
						words = append(words, text)
					}
				}
				if len(words) == 2 && words[0] > words[1] {
					words[0], words[1] = words[1], words[0]
				}
				if c == "as-is" {
					want = asIs[name]
				}
				if d := cmp.Diff(want, strings.Join(words, " ")); d != "" {
					t.Errorf("words in case %s (-want +got):\n%s", c, d)
				}
			}
			if n := len(texts["mixed"]); n < 100 {
				t.Errorf("%d texts of 300 where each letter has its case, want far more than words", n)
			}
			for c, of := range texts {
				exponents := make(map[string]bool)
				for text := range of {
					exponents[regexp.MustCompile("[0-9]").ReplaceAllString(text, "")] = true
					for by, p := range parsers {
						if _, err := p.Parse(t.Context(), name, text); err != nil {
							t.Errorf("%q, drawn in case %s, is refused in case %s: %v", text, c, by, err)
						}
					}
				}
				if !exponents["e"] || !exponents["E"] {
					t.Errorf("case %s keeps an exponent, which is no word, to one case", c)
				}
			}
		})
	}
	if _, _, err := Source("x.ebnf", []byte(`s = "x" ;`), Options{Case: "loud"}); err == nil || !strings.Contains(err.Error(), `unknown case "loud"`) {
		t.Errorf("an unknown case: %v", err)
	}
}

// drawn returns the texts of n sentences, each replayed from its choices.
func drawn(t *testing.T, g *grammar.Grammar, n uint64) map[string]bool {
	t.Helper()
	s, err := sample.New(t.Context(), g, sample.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]bool)
	source, m := s.Source(), derive.NewMachine(g, derive.Options{})
	for i := range n {
		tree, err := source.Tree(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		text := tree.Text()
		again, err := m.Run(t.Context(), derive.Strict(tree.Choices()))
		if err != nil || again.Text() != text {
			t.Fatalf("%q leads back to %q, %v", text, again.Text(), err)
		}
		texts[text] = true
	}
	return texts
}

// TestAlphabetOfRanges: a class with characters in ASCII generates no others of its ranges
// unless all are requested. Characters that a grammar names separately stay.
func TestAlphabetOfRanges(t *testing.T) {
	const src = `s = [a-c\u00C0-\u02FFé]{3} "é" [α-ω] [^b-\U0010FFFF] ;`
	for _, all := range []bool{false, true} {
		g, _, err := Source("x.ebnf", []byte(src), Options{Unicode: all})
		if err != nil {
			t.Fatal(err)
		}
		ascii, beyond := regexp.MustCompile(`^[a-cé]{3}é[α-ω][ -aé]$`), false
		for text := range drawn(t, g, 50) {
			beyond = beyond || !ascii.MatchString(text)
		}
		if beyond != all {
			t.Errorf("unicode %v: some text is beyond ASCII is %v", all, beyond)
		}
	}
}
