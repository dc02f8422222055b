package agree

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// generate returns grammar number n of a seed, and its companion file. Every tenth is a sentence
// of the grammar of grammars; the others are made for the interplay of features.
func generate(seed, n uint64) (src, companion string) {
	if n%10 == 9 {
		return sentence(seed, n), ""
	}
	w := &writer{rng: rand.New(rand.NewPCG(seed, n))}
	return w.grammar()
}

var ofGrammars = sync.OnceValue(func() *sample.Sampler {
	s, err := sample.New(context.Background(), grammars.Must("gramfuzz"), sample.Options{
		Strategy: sample.Walk, Seed: 1, Bound: count.Sizes(0, 40, grammar.Terminals), Names: gctx.Options{Pool: 4}})
	if err != nil {
		panic(err)
	}
	return s
})

// sentence returns sentence n of the grammar of grammars.
func sentence(seed, n uint64) string {
	text, err := ofGrammars().Source().Text(context.Background(), seed<<32+n)
	if err != nil {
		panic(err)
	}
	return text
}

// writer writes one grammar. The features are drawn first; each gives gadgets, parts of rules
// that use the feature.
type writer struct {
	rng     *rand.Rand
	rules   int
	parts   int
	gadgets []func(depth int) string
	late    []string // rules behind the others
	marks   string   // before the first rule
}

func (w *writer) pick(texts ...string) string { return texts[w.rng.IntN(len(texts))] }

func (w *writer) coin(of int) bool { return w.rng.IntN(of) == 0 }

func (w *writer) grammar() (src, companion string) {
	w.rules = 1 + w.rng.IntN(3)
	lexical, typed := w.coin(2), false // fields and a lexer do not go together
	if w.coin(2) {
		token := lexical && w.coin(2)
		typed = w.names("v", token)
		if w.coin(2) {
			w.names("w", token)
		}
	}
	if lexical {
		w.lexer()
	} else if !w.coin(5) {
		w.fields()
	}
	w.plain(typed)
	var b strings.Builder
	fmt.Fprint(&b, w.marks)
	for i := range w.rules {
		fmt.Fprintf(&b, "r%d = %s ;\n", i, w.body(i))
	}
	fmt.Fprint(&b, strings.Join(w.late, ""))
	if w.coin(4) {
		companion = w.companion()
	}
	return b.String(), companion
}

// companion says in a companion file what the grammar leaves out.
func (w *writer) companion() string {
	switch w.rng.IntN(3) {
	case 0:
		w.rules++
		return fmt.Sprintf("extra = %s ;\nr0 = %s | extra ;\n", w.expr(1), w.expr(1))
	case 1:
		return "%annotate r0 @prefer(1)\n"
	}
	return fmt.Sprintf("%%start r%d\n", w.rng.IntN(w.rules))
}

// body writes the body of rule i, at times a recursive one.
func (w *writer) body(i int) string {
	switch w.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("r%d %s | %s", i, w.expr(1), w.expr(1))
	case 1:
		return fmt.Sprintf("%s r%d | %s", w.expr(1), i, w.expr(1))
	case 2:
		return fmt.Sprintf("%s | %s", w.expr(1), w.pick(`""`, "()", w.expr(1)))
	}
	return w.expr(2)
}

func (w *writer) expr(depth int) string {
	if depth > 0 && w.coin(2) {
		switch w.rng.IntN(5) {
		case 0, 1:
			return w.expr(depth-1) + " " + w.expr(depth-1)
		case 2:
			return fmt.Sprintf("( %s | %s )", w.expr(depth-1), w.expr(depth-1))
		case 3:
			return fmt.Sprintf("( %s | %s %%%d )", w.expr(depth-1), w.expr(depth-1), 2+w.rng.IntN(3))
		}
		return fmt.Sprintf("( %s )%s", w.expr(depth-1), w.pick("?", "*", "+", "{0,2}", "{1,2}", "{2}", "*?"))
	}
	return w.gadgets[w.rng.IntN(len(w.gadgets))](depth)
}

func (w *writer) add(times int, gadget func(depth int) string) {
	for range times {
		w.gadgets = append(w.gadgets, gadget)
	}
}

// adds adds a gadget of one of some texts.
func (w *writer) adds(times int, texts ...string) {
	w.add(times, func(int) string { return w.pick(texts...) })
}

// part returns a new name for a part.
func (w *writer) part() string { w.parts++; return fmt.Sprint("p", w.parts) }

// plain adds what goes with everything.
func (w *writer) plain(typed bool) {
	w.adds(3, `"x"`, `"y"`, `"xy"`, `[xy]`)
	w.add(2, func(int) string { return fmt.Sprint(w.pick("", `"z" `), "r", w.rng.IntN(w.rules)) })
	w.adds(w.rng.IntN(2), `""`)
	if w.coin(3) {
		w.add(2, func(d int) string {
			r := fmt.Sprint("r", w.rng.IntN(w.rules))
			return fmt.Sprintf(`( ( %s "+" %s )@prec(%d, %s) | ( %s "*" %s )@prec(2) | %s @prefer(1) )`, r, r, 1+w.rng.IntN(3), w.pick("left", "right"), r, r, w.expr(max(d-1, 0)))
		})
	}
	if w.coin(3) {
		w.late = append(w.late, fmt.Sprintf("@int(k, %s) q = %s ;\n", w.pick("1..2", "0, 2"), w.pick(`"k" @times(k)`, `"k" @times(0, k) "l"`, `( "m" | "n" ) @switch(k, 1, else)`, `"m" @when(k, 1) | "k"`)))
		w.adds(2, "q", "q @with(2)", "q @with(2)")
	}
	if w.coin(3) || typed && w.coin(2) {
		w.marks = "@types(i, p) " + w.marks
		use := ""
		if typed {
			use = ` | "t" n @use(v, t)`
		}
		w.late = append(w.late, `@type(t) z = "i" @when(t, i) | "p" @when(t, p)`+use+" ;\n")
		w.adds(2, "z @with(i)", "z @with(p)", "( z @with(s) ) @some(s, i, p)", "z")
	}
}

// names adds names in play of a namespace, and reports whether they have types.
func (w *writer) names(ns string, token bool) (typed bool) {
	kind := w.rng.IntN(4)
	typed = w.coin(2)
	if ns == "v" {
		mark := ""
		if token {
			mark = "@token "
		}
		w.late = append(w.late, mark+"n = "+w.pick("[ab]", `"a" | "b"`, `"a" | "bc"`)+" ;\n")
	}
	of := func() string {
		if typed {
			return ns + w.pick(", i", ", p")
		}
		return ns
	}
	defines := [][]string{{"define", "fresh"}, {"define"}, {"fresh"}, {"shadow", "fresh"}}[kind]
	w.add(3, func(int) string { return fmt.Sprintf(`"." n @%s(%s)`, w.pick(defines...), of()) })
	w.add(3, func(int) string {
		more := ""
		if typed {
			more = w.pick("", ", p")
		}
		return fmt.Sprintf(`%s n @use(%s)`, w.pick("", `","`), w.pick(ns, of(), of()+more))
	})
	define := "\".\" n @" + defines[0]
	if typed {
		w.late = append(w.late, fmt.Sprintf("d%s = %s(%s, i) | %s(%s, p) ;\n", ns, define, ns, define, ns))
	} else {
		w.late = append(w.late, fmt.Sprintf("d%s = %s(%s) ;\n", ns, define, ns))
	}
	w.adds(1, "d"+ns)
	if w.coin(2) || kind == 3 {
		w.add(2, func(d int) string { return fmt.Sprintf(`( %s ) @scope(%s)`, w.expr(max(d-1, 0)), ns) })
	}
	switch {
	case kind == 2:
		w.marks = "@forward(" + ns + w.pick("", ", 1") + ") " + w.marks
	case kind < 2 && w.coin(3):
		w.add(2, func(d int) string { return fmt.Sprintf(`( %s ) @commit(%s)`, w.expr(max(d-1, 0)), ns) })
	}
	if w.coin(6) {
		w.adds(1, "n @bind(b) n @same(b)")
	}
	return typed
}

// lexer adds tokens, layout and indentation.
func (w *writer) lexer() {
	w.late = append(w.late, "@token T = "+w.pick("[pq]", "[pq]+", `"p" [pq]?`, `[pqx]+ - "p"`, `"if" | "i"`)+" ;\n")
	w.adds(3, "T")
	if w.coin(3) {
		w.late = append(w.late, "@token U = "+w.pick(`"1" f*`, `f | "x" f`)+" ;\n", "@fragment f = [12] ;\n")
		w.adds(2, "U")
	}
	if w.coin(2) {
		w.late = append(w.late, "@skip S = "+w.pick(`" "`, `" "+`, `[ \t]`)+" ;\n")
		if w.coin(3) {
			w.late = append(w.late, `@skip C = "#" [z]? ";" ;`+"\n")
		}
	}
	if w.coin(4) {
		w.late = append(w.late, `@indent(IN, DE) NL = "\n" ;`+"\n")
		line := func() string { return w.pick(`"x"`, "T", "[xy]", `"y" T`) + " NL" }
		w.adds(1, "T NL")
		w.add(3, func(int) string { // no line ends behind a block
			return fmt.Sprintf("%s IN ( %s )+ %s DE", line(), line(), w.pick("", "( "+line()+" IN "+line()+" DE )?"))
		})
	}
}

// fields adds computed fields, bytes and transforms.
func (w *writer) fields() {
	var all []func(d int) string
	w.late = append(w.late, `m = [xy]? "z" ;`+"\n")
	inner := func(d int) string { // without names
		if d > 0 && w.coin(2) {
			return all[w.rng.IntN(len(all))](d - 1)
		}
		return w.pick(`"x"`, `"yy"`, `[xy]`, `[xy] "y"?`, `"y"{1,2}`, `"x" | "yy"`, `"x" | "y" | ""`, "m", `"(" m ")"`)
	}
	all = []func(d int) string{
		func(d int) string {
			p := w.part()
			return fmt.Sprintf("%s @len(%s) ( %s ) @part(%s)", w.pick("u8", "dec1", "u16le", "dec", "varint"), p, inner(d), p)
		},
		func(d int) string {
			p := w.part()
			return fmt.Sprintf("u8 @count(%s) ( %s ){0,2} @part(%s)", p, inner(d), p)
		},
		func(d int) string {
			p := w.part()
			return fmt.Sprintf("u32be @offset(%s) %s ( %s ) @part(%s)", p, w.pick("", `"x"?`), inner(d), p)
		},
		func(d int) string {
			p := w.part()
			return fmt.Sprintf("( %s ) @part(%s) byte* @copy(%s)", inner(d), p, p)
		},
		func(d int) string {
			p := w.part()
			return fmt.Sprintf("( %s ) @part(%s) %s(%s)", inner(d), p, w.pick("u8 @sum", "dec1 @sum", "u32be @crc32", "u16be @inet", "hex2 @sum", "u32le @adler32"), p)
		},
		func(d int) string {
			p := w.part()
			return fmt.Sprintf(`( ( %s "." ) @part(%s) ){0,2} @part(%ss) ( u8 @len(%s) ) @each(%ss)`, inner(d), p, p, p, p)
		},
		func(d int) string {
			return fmt.Sprintf("( %s ) %s", inner(d), w.pick("@hex", "@base64", "@blocks(2)", "@pad(2)", `@pad(3, ".")`))
		},
		func(d int) string {
			return fmt.Sprintf("( %s m ) %s", inner(d), w.pick("@deflate", "@zlib", "@lzw(8)", "@gzip"))
		},
		func(int) string {
			return w.pick("u8 @range(1, 2)", "u16be @value(7)", "bits4 @range(0, 1) bits4 @value(1)", `[\x80-\x81] @bytes`)
		},
	}
	for range 3 {
		w.add(3, all[w.rng.IntN(len(all))])
	}
}
