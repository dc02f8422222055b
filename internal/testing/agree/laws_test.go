package agree

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// subject is a grammar that the laws are about.
type subject struct {
	src, companion string
	number         uint64
	g              *grammar.Grammar
	names          *gctx.Names // nil: none
	lexical        bool

	refusals map[string]int // by law and message
	asked    map[string]int // by law: what could have been refused
	law      string
	only     string // the message that is looked for again, while a grammar is shrunk
	disorder string // two ranks whose choices are in another order

	parser *parse.Parser // made when it is needed
	listed map[int]*list
}

// newSubject returns grammar n of a seed, nil where it is not accepted.
func newSubject(seed, n uint64) *subject {
	src, companion := generate(seed, n)
	s, err := accept(src, companion)
	if err != nil || s.barren() {
		return nil
	}
	s.number = n
	return s
}

// barren reports whether nothing is derived at all, since no name can be used.
func (s *subject) barren() bool {
	if s.names == nil {
		return false
	}
	_, err := count.New(context.Background(), s.g, count.Bound{Depth: 5, Repeat: 1}, count.Options{MaxMemory: 8 << 20})
	return errors.As(err, new(*count.EmptyError))
}

// accept loads a grammar.
func accept(src, companion string) (*subject, error) {
	o := load.Options{Notation: "ebnf"}
	if companion != "" {
		o.Companion = []byte(companion)
	}
	g, _, err := load.Source("g.ebnf", []byte(src), o)
	if err != nil {
		return nil, err
	}
	s := &subject{src: src, companion: companion, g: g, lexical: lex.UsesLexer(g),
		refusals: map[string]int{}, asked: map[string]int{}, listed: map[int]*list{}}
	if s.names, err = gctx.New(g, gctx.Options{}); err != nil {
		return nil, err
	}
	return s, nil
}

// broken is the panic of a law that does not hold.
type broken struct{ law, what string }

// fail says what breaks the law under test.
func (s *subject) fail(format string, args ...any) {
	panic(broken{s.law, fmt.Sprintf(format, args...)})
}

// refuse counts a refusal, by its message without numbers and quoted parts.
func (s *subject) refuse(err error) {
	s.refusals[s.law+": "+kind(err.Error())]++
}

var parts = regexp.MustCompile(`\[[^\]]*\]|"(\\.|[^"\\])*"|[0-9][0-9.,·^]*|g\.ebnf:[0-9:]*`)

// kind returns a message without its numbers and quoted parts.
func kind(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	return parts.ReplaceAllString(line, "…")
}

// law is one law, and on how many grammars it is tested: every one, or every tenth.
type law struct {
	name  string
	every uint64
	holds func(ctx context.Context, s *subject)
}

// laws are all laws.
var laws = []law{
	{"count", 1, counted},
	{"draw", 1, drawn},
	{"parse", 1, parsed},
	{"fix", 1, fixed},
	{"reduce", 10, reduced},
	{"gramtest", 10, propertied},
	{"campaign", 10, campaigned},
	{"convert", 1, converted},
	{"record", 1, recorded},
	{"tell", 1, told},
}

// test tests one law; it returns what breaks it, or "".
func (s *subject) test(ctx context.Context, l law) (what string) {
	s.law = l.name
	defer func() {
		switch v := recover().(type) {
		case nil:
		case broken:
			what = v.what
		default:
			what = fmt.Sprintf("panic: %v\n%s", v, where(debug.Stack()))
		}
	}()
	l.holds(ctx, s)
	return ""
}

// where returns the functions of a stack that are not those of a panic.
func where(stack []byte) string {
	var lines []string
	for line := range strings.Lines(string(stack)) {
		if strings.Contains(line, "gramfuzz/") && !strings.HasPrefix(line, "\t") && !strings.Contains(line, "internal/testing/agree.(*subject).test") {
			lines = append(lines, strings.TrimSpace(line[:strings.LastIndex(line, "(")]))
		}
	}
	return strings.Join(lines[:min(len(lines), 6)], "\n")
}

// open are defects that are known and not mended yet. What they break is not reported.
var open = []struct {
	what  string // the defect
	law   string
	holds func(s *subject, what string) bool
}{
	{"empty parts have fewer derivations in ANTLR's notation", "convert", func(s *subject, what string) bool {
		return strings.HasPrefix(what, "antlr4: nothing is said to be lost; counted")
	}},
	{"encoded parts that follow each other are read as one", "parse", nextBlock},
	{"encoded parts that follow each other are read as one", "reduce", nextBlock},
	{"encoded parts that follow each other are read as one", "gramtest", nextBlock},
}

func nextBlock(s *subject, what string) bool {
	return strings.Contains(s.src, "@blocks(") && strings.Contains(what, "of what the encoded part")
}

func known(s *subject, law, what string) string {
	for _, d := range open {
		if d.law == law && d.holds(s, what) {
			return d.what
		}
	}
	return ""
}

// span returns the seed and the numbers to test.
func span(t *testing.T) (seed, from, to uint64) {
	seed, from, to = 1, 0, 24
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		to = 499
	}
	if given := os.Getenv("GRAMFUZZ_AGREE"); given != "" {
		a, numbers, ok := strings.Cut(given, ":")
		first, last, more := strings.Cut(numbers, "..")
		if !more {
			last = first
		}
		var errs [3]error
		seed, errs[0] = strconv.ParseUint(a, 10, 32)
		from, errs[1] = strconv.ParseUint(first, 10, 32)
		to, errs[2] = strconv.ParseUint(last, 10, 32)
		if err := errors.Join(errs[:]...); err != nil || !ok {
			t.Fatalf("GRAMFUZZ_AGREE=%s is not SEED:NUMBER or SEED:FIRST..LAST: %v", given, err)
		}
	}
	return seed, from, to
}

// TestLaws tests the laws on the grammars of a span.
func TestLaws(t *testing.T) {
	seed, from, to := span(t)
	given := os.Getenv("GRAMFUZZ_AGREE") != ""
	refusals, asked, skipped := map[string]int{}, map[string]int{}, map[string]int{}
	accepted, rich, found := 0, 0, map[string]bool{}
	for n := from; n <= to; n++ {
		s := newSubject(seed, n)
		if s == nil {
			continue
		}
		accepted++
		if has := slices.DeleteFunc(slices.Clone(features), func(f struct {
			name string
			has  func(s *subject) bool
		}) bool {
			return !f.has(s)
		}); len(has) >= 3 {
			rich++
		}
		for _, l := range laws {
			if n%l.every != 0 && from != to {
				continue
			}
			if given {
				fmt.Fprintf(os.Stderr, "\r%d %-10s", n, l.name) // where it is, if it hangs
			}
			what := s.test(t.Context(), l)
			if what == "" {
				continue
			}
			if d := known(s, l.name, what); d != "" {
				skipped[d]++
				continue
			}
			if key := l.name + kind(what); !found[key] {
				found[key] = true
				s.report(t, l, seed, what)
			}
		}
		for k, v := range s.refusals {
			refusals[k] += v
		}
		for k, v := range s.asked {
			asked[k] += v
		}
	}
	total, no := 0, 0
	for _, n := range asked {
		total += n
	}
	for _, n := range refusals {
		no += n
	}
	t.Logf("%d accepted of %d, %d with three features or more; %d of %d questions refused", accepted, to-from+1, rich, no, total)
	if no > total/5 {
		t.Errorf("more than a fifth of the questions are refused")
	}
	for _, k := range slices.Sorted(maps.Keys(refusals)) {
		law, _, _ := strings.Cut(k, ":")
		t.Logf("refused %5d of %6d, %s", refusals[k], asked[law], k)
	}
	for _, k := range slices.Sorted(maps.Keys(skipped)) {
		t.Logf("open %5d: %s", skipped[k], k)
	}
}

// report shrinks a grammar that breaks a law, and fails the test.
func (s *subject) report(t *testing.T, l law, seed uint64, what string) {
	t.Helper()
	src, least := s.shrink(t, l, what)
	companion := ""
	if s.companion != "" {
		companion = "\ncompanion:\n" + s.companion
	}
	t.Errorf("%s: %s\nGRAMFUZZ_AGREE=%d:%d go test -run TestLaws ./internal/testing/agree\nshrunk to:\n%s%s\n%s", l.name, what, seed, s.number, src, companion, least)
}

// shrink returns the smallest grammar that reduction finds which breaks the law in the same way,
// and what is said about it.
func (s *subject) shrink(t *testing.T, l law, what string) (src, least string) {
	g := grammars.Must("gramfuzz")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(ctx context.Context, text []byte) (*derive.Tree, error) {
		f, err := p.Parse(ctx, "", string(text))
		if err != nil {
			return nil, err
		}
		return f.Obeying(ctx, names)
	}
	least = what
	breaks := func(ctx context.Context, text []byte) (bool, error) {
		next, err := accept(string(text), s.companion)
		if err != nil {
			return false, nil
		}
		next.number, next.only = s.number, what
		w := next.test(ctx, l)
		if kind(w) != kind(what) || known(next, l.name, w) != "" {
			return false, nil
		}
		least = w
		return true, nil
	}
	r, err := reduce.Run(t.Context(), reduce.Input{Text: []byte(s.src)}, breaks, reduce.Options{Parse: read, MaxCalls: 400,
		Best: func(text []byte, _ *derive.Tree) error { src = string(text); return nil }})
	if err != nil {
		return s.src, "not shrunk: " + err.Error() + "\n" + least
	}
	_, _ = breaks(t.Context(), r.Text)
	return string(r.Text), least
}
