package reduce

import "math"

// chunkEdits returns the edits that delete runs of a list of n elements: the whole
// list, halves, quarters, … down to one element. del makes the edit for the
// elements a … b-1.
func chunkEdits(n int, del func(a, b int) (edit, bool)) []edit {
	var es []edit
	for size := n; size >= 1; size = half(size) {
		es = append(es, chunksOf(n, size, del)...)
	}
	return es
}

// chunksOf returns the edits that delete runs of one size, the last run first.
func chunksOf(n, size int, del func(a, b int) (edit, bool)) (es []edit) {
	for b := n; b > 0; b -= size {
		if e, ok := del(max(b-size, 0), b); ok {
			es = append(es, e)
		}
	}
	return es
}

// half halves a size, rounding up, except that it turns 1 into 0.
func half(size int) int {
	if size == 1 {
		return 0
	}
	return (size + 1) / 2
}

// ddminList is delta debugging on a list of adjacent byte ranges of the text, in runs of at most
// most ranges. Each size of runs works on the result of the size before.
func (s *search) ddminList(most int, split func(text []byte) [][2]int) error {
	parts := split(s.best.text)
	for size := min(half(len(parts)), most); size >= 1; size = half(size) {
		parts = split(s.best.text)
		var es []edit
		for b := len(parts); b > 0; b -= size {
			a := max(b-size, 0)
			es = append(es, newEdit(cut{from: parts[a][0], to: parts[b-1][1], raw: true}))
		}
		if err := s.tryTextEdits(es); err != nil {
			return err
		}
	}
	return nil
}

// linesPass deletes lines.
func linesPass(s *search) error {
	return s.ddminList(math.MaxInt, func(text []byte) [][2]int {
		var parts [][2]int
		from := 0
		for i, b := range text {
			if b == '\n' || i == len(text)-1 {
				parts = append(parts, [2]int{from, i + 1})
				from = i + 1
			}
		}
		return parts
	})
}

// tokensPass deletes runs of tokens, each with a gap beside it.
func tokensPass(s *search) error {
	l := lexText(s.best.text)
	for size := half(len(l.tokens)); size >= 1; size = half(size) {
		l = lexText(s.best.text)
		balanced := l.balanced()
		var es []edit
		for b := len(l.tokens); b > 0; b -= size {
			if size == 1 || !s.givesUp || balanced(max(b-size, 0), b) {
				es = append(es, newEdit(l.del(max(b-size, 0), b)))
			}
		}
		if err := s.tryTextEdits(es); err != nil {
			return err
		}
	}
	return nil
}

// bytesPass deletes runs of bytes.
func bytesPass(s *search) error { return s.bytes(math.MaxInt) }

// bytes deletes runs of at most most bytes.
func (s *search) bytes(most int) error {
	return s.ddminList(most, func(text []byte) [][2]int {
		parts := make([][2]int, len(text))
		for i := range parts {
			parts[i] = [2]int{i, i + 1}
		}
		return parts
	})
}

// spacesPass shortens the white space between tokens to nothing, one line end, or
// one space, and before that the indentation to one space for each level.
func spacesPass(s *search) error {
	if err := s.tryTextEdits(reindent(lexText(s.best.text))); err != nil {
		return err
	}
	for _, to := range []string{"", "\n", " "} {
		l := lexText(s.best.text)
		var cuts []cut
		for i := 0; i <= len(l.tokens); i++ {
			from, until := 0, len(l.text)
			if i > 0 {
				from = l.tokens[i-1].to
			}
			if i < len(l.tokens) {
				until = l.tokens[i].from
			}
			if until-from > len(to) && (to != "" || i == 0 || i == len(l.tokens) || !joins(l.text[from-1], l.text[until])) {
				cuts = append(cuts, cut{from: from, to: until, with: to})
			}
		}
		es := chunkEdits(len(cuts), func(a, b int) (edit, bool) { return newEdit(cuts[a:b]...), true })
		if err := s.tryTextEdits(es); err != nil {
			return err
		}
	}
	return nil
}
