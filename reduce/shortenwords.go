package reduce

import (
	"slices"
	"strings"
)

// wordsPass shortens identifiers, numbers and strings, every use of one word at once, also inside
// strings. An identifier becomes a short new one. A number or string becomes the least one, its
// front half, or its back half.
func wordsPass(s *search) error {
	if s.best.tree != nil {
		if err := replaceTokens(s); err != nil || s.keepSentences {
			return err
		}
	}
	l := lexText(s.best.text)
	uses := map[string][]cut{}
	kind := map[string]tokenKind{}
	for i, t := range l.tokens {
		if t.kind != other {
			w := l.str(i)
			uses[w] = append(uses[w], cut{from: t.from, to: t.to})
			kind[w] = t.kind
		}
	}
	quotedUses := wordsInStrings(l, uses)
	names := make([]string, 0, len(uses))
	for w := range uses {
		names = append(names, w)
	}
	slices.Sort(names)
	free := freeNames(uses)
	var es []edit
	replace := func(w, by string) {
		if len(by) >= len(w) || by == "" {
			return
		}
		for _, more := range [][]cut{nil, quotedUses[w]} {
			cuts := slices.Concat(uses[w], more)
			for i := range cuts {
				cuts[i].with = by
			}
			es = append(es, newEdit(cuts...))
		}
	}
	for _, w := range names {
		for _, by := range shorterWords(w, kind[w], free) {
			replace(w, by)
		}
	}
	return s.tryTextEdits(byGain(es))
}

// wordsInStrings returns the places inside strings of words that also occur outside.
func wordsInStrings(l *lexedText, uses map[string][]cut) map[string][]cut {
	inside := map[string][]cut{}
	for _, t := range l.tokens {
		if t.kind != quoted {
			continue
		}
		for _, in := range scanTokens(l.text[t.from+1 : t.to-1]) {
			from, to := t.from+1+in.from, t.from+1+in.to
			if w := string(l.text[from:to]); in.kind == word && uses[w] != nil {
				inside[w] = append(inside[w], cut{from: from, to: to})
			}
		}
	}
	return inside
}

// freeNames returns at most two short names that the text does not use.
func freeNames(used map[string][]cut) []string {
	var free []string
	for c := 'a'; c <= 'z' && len(free) < 2; c++ {
		if used[string(c)] == nil {
			free = append(free, string(c))
		}
	}
	return free
}

// shorterWords returns the words that may replace a word.
func shorterWords(w string, k tokenKind, free []string) []string {
	switch k {
	case number:
		by := []string{"0", "1", w[:half(len(w))], w[len(w)/2:], w[:len(w)-1], w[1:]}
		if int, frac, ok := strings.Cut(w, "."); ok {
			by = append(by, int, frac)
		}
		return by
	case quoted:
		q, in := w[:1], w[1:len(w)-1]
		return []string{"0", q + q, q + in[:len(in)/2] + q, q + in[len(in)/2:] + q, in}
	}
	return free
}
