package picture

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/show"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// The dimensions of railroad diagrams, in pixels, and their limits.
const (
	diagramWidth = 940.0 // at most
	boxHeight    = 26.0
	boxCells     = 36 // of the text in a box
	boxPad       = 10.0
	bend         = 8.0  // radius of a bend
	between      = 12.0 // between the parts of a sequence
	apart        = 10.0 // between lines above each other
	forkWidth    = 24.0 // beside a choice or a loop
	wrapLeft     = 16.0 // beside a sequence of several lines
	wrapRight    = 32.0
	edge         = 14.0 // around a diagram
	leastRoom    = boxCells*report.CellWidth + 2*boxPad + 130
	longTip      = 1_000  // bytes of a tooltip
	deepest      = 24     // nested expressions
	mostParts    = 3_000  // of one diagram
	mostOfAll    = 30_000 // of all diagrams of a page
)

// part is a part of a diagram. Its line enters at the left and leaves at the right, both at y;
// up and down are its extents above and below y.
type part struct {
	w, up, down float64
	draw        func(s *report.SVG, x, y float64)
}

// railroad lays out diagrams.
type railroad struct {
	again    func(*grammar.Rule) bool // whether a rule leads back to the one drawn
	drowned  map[int]string           // by number of the alternative: its note
	numbered bool                     // alternatives are numbered in this body
	left     int                      // number of parts that may still be drawn
}

// expr lays out an expression. Its width is at most room, or leastRoom if that is more; deep
// nesting makes the whole wider than diagramWidth. It makes one pass over the expression.
func (r *railroad) expr(e *grammar.Expr, room float64, depth int) part {
	r.left--
	switch {
	case e.IsEmpty() && e.Field == nil:
		return blank()
	case e.Op == grammar.Ref && e.Rule != nil && e.Rule.Inline && r.left > 0 && depth < deepest:
		return r.expr(e.Rule.Body, room, depth+1)
	case e.Op == grammar.Lit, e.Op == grammar.Class, e.Op == grammar.Ref:
		return r.leaf(e)
	case r.left <= 0 || depth > deepest:
		return folded(e, 1)
	}
	depth++
	room = max(room, leastRoom)
	switch e.Op {
	case grammar.Seq:
		return r.sequence(e, room, depth)
	case grammar.Choice:
		return r.choice(e, room-2*forkWidth, depth)
	case grammar.Rep:
		return loop(e, r.expr(e.Children[0], room-2*forkWidth, depth))
	}
	return r.difference(e, room, depth)
}

// folded returns a placeholder for n omitted parts, from e on.
func folded(e *grammar.Expr, n int) part {
	text := "…"
	if n > 1 {
		text = fmt.Sprintf("… %d more", n)
	}
	return box("fold", text, fmt.Sprintf("not drawn, since the diagram is too large; see %v", e.Pos), "")
}

func blank() part {
	return part{w: between, up: bend, down: bend, draw: func(s *report.SVG, x, y float64) { line(s, x, y, between) }}
}

func line(s *report.SVG, x, y, w float64) {
	if w > 0 {
		s.Path("line", "M", x, y, "h", w)
	}
}

// box returns a word in a box, which links to an anchor of the page.
func box(class, text, tip, anchor string) part {
	shown := report.Cut(text, boxCells)
	w := float64(report.Cells(shown))*report.CellWidth + 2*boxPad
	radius := 3.0
	if class == "word" || class == "class" {
		radius = boxHeight / 2
	}
	if tip == "" && shown != text {
		tip = report.Cut(text, longTip)
	}
	return part{w: w, up: boxHeight / 2, down: boxHeight / 2, draw: func(s *report.SVG, x, y float64) {
		s.Group(anchor, tip)
		s.Rect(x, y-boxHeight/2, w, boxHeight, radius, class)
		s.Text(x+w/2, y+4, "mid", shown)
		s.End(anchor)
	}}
}

// leaf returns a literal, a class, or the name of a rule; a tooltip shows the notes beside it
// in the grammar.
func (r *railroad) leaf(e *grammar.Expr) part {
	var notes []string
	for _, a := range e.Annotations {
		notes = append(notes, "@"+a.Name+"("+strings.Join(a.Args, ", ")+")")
	}
	tip := report.Cut(strings.Join(notes, " "), longTip)
	switch {
	case e.Field != nil:
		return box("word", "@"+e.Field.Name, tip, "")
	case e.Op == grammar.Lit:
		text := e.Text
		if len(text) > longTip {
			text = text[:longTip]
		}
		return box("word", strconv.Quote(text), tip, "")
	case e.Op == grammar.Class && e.Negated && len(e.Ranges) == 0:
		return box("class", "any character", tip, "")
	case e.Op == grammar.Class:
		return box("class", show.Class(e), tip, "")
	case e.Rule == nil:
		return box("rule", e.Name, tip, "")
	case r.again(e.Rule):
		return box("rec", "↻ "+e.Name, strings.TrimSpace("leads back here "+tip), anchor(e.Rule))
	}
	return box("rule", e.Name, tip, anchor(e.Rule))
}

// anchor returns the name of a rule's diagram in the page.
func anchor(r *grammar.Rule) string { return "r" + strconv.Itoa(r.ID) }

// sequence places parts on as many lines as needed.
func (r *railroad) sequence(e *grammar.Expr, room float64, depth int) part {
	children := flat(nil, e)
	if len(children) == 1 {
		return r.expr(children[0], room, depth)
	}
	var parts []part
	total := -between
	for i, k := range children {
		p := r.expr(k, room-wrapLeft-wrapRight, depth) // no part is wider than a line of several
		parts, total = append(parts, p), total+p.w+between
		if n := len(children) - 1 - i; n > 1 && r.left <= 0 {
			p = folded(k, n)
			parts, total = append(parts, p), total+p.w+between
			break
		}
	}
	if total <= room {
		return row(parts)
	}
	var rows []part
	from, w := 0, 0.0
	for i, p := range parts {
		if i > from && w+p.w > room-wrapLeft-wrapRight {
			rows = append(rows, row(parts[from:i]))
			from, w = i, 0
		}
		w += p.w + between
	}
	return wrap(append(rows, row(parts[from:])))
}

// flat appends the elements of a sequence and of the sequences in it.
func flat(out []*grammar.Expr, e *grammar.Expr) []*grammar.Expr {
	for _, k := range e.Children {
		if k.Op == grammar.Seq && !k.IsEmpty() {
			out = flat(out, k)
		} else {
			out = append(out, k)
		}
	}
	return out
}

// row places parts on one line.
func row(parts []part) part {
	out := part{w: -between}
	for _, p := range parts {
		out.w, out.up, out.down = out.w+p.w+between, max(out.up, p.up), max(out.down, p.down)
	}
	out.draw = func(s *report.SVG, x, y float64) {
		for i, p := range parts {
			if i > 0 {
				line(s, x-between, y, between)
			}
			p.draw(s, x, y)
			x += p.w + between
		}
	}
	return out
}

// wrap places lines below each other. The last one leads back up to the first.
func wrap(rows []part) part {
	if len(rows) == 1 {
		return rows[0]
	}
	out := part{up: rows[0].up}
	inner, at := 0.0, make([]float64, len(rows))
	for i, p := range rows {
		if i > 0 {
			at[i] = at[i-1] + rows[i-1].down + 2*apart + max(p.up, bend)
		}
		inner = max(inner, p.w)
	}
	last := len(rows) - 1
	out.w, out.down = wrapLeft+inner+wrapRight, at[last]+rows[last].down
	out.draw = func(s *report.SVG, x, y float64) {
		line(s, x, y, wrapLeft)
		right := x + wrapLeft + inner
		for i, p := range rows {
			p.draw(s, x+wrapLeft, y+at[i])
			from := x + wrapLeft + p.w
			if i == last {
				s.Path("line", "M", from, y+at[i], "H", right+wrapRight-2*bend, "q", bend, 0., bend, -bend, "V", y+bend, "q", 0., -bend, bend, -bend)
				continue
			}
			back := y + at[i] + p.down + apart
			s.Path("line", "M", from, y+at[i], "H", right, "q", bend, 0., bend, bend, "V", back-bend, "q", 0., bend, -bend, bend, "H", x+wrapLeft,
				"q", -bend, 0., -bend, bend, "V", y+at[i+1]-bend, "q", 0., bend, bend, bend)
			arrow(s, x+wrapLeft+inner/2, back)
		}
	}
	return out
}

// arrow draws an arrow to the left, on lines that lead back.
func arrow(s *report.SVG, x, y float64) { s.Path("line", "M", x+3, y-3, "l", -4., 3., "l", 4., 3.) }

// choice places the alternatives below each other.
func (r *railroad) choice(e *grammar.Expr, room float64, depth int) part {
	var parts []part
	lost := make([]bool, len(e.Children)+1)
	for i, k := range e.Children {
		p := r.expr(k, room, depth)
		if note := r.drowned[e.FirstAlt+i]; r.numbered && note != "" {
			p, lost[i] = marked(p, note), true
		}
		parts = append(parts, p)
		if n := len(e.Children) - 1 - i; n > 1 && r.left <= 0 {
			parts = append(parts, folded(k, n))
			break
		}
	}
	out, at := part{}, make([]float64, len(parts))
	for i, p := range parts {
		if i > 0 {
			at[i] = at[i-1] + parts[i-1].down + apart + p.up
		}
		out.w = max(out.w, p.w)
	}
	last, inner := len(parts)-1, out.w
	out.w, out.up, out.down = inner+2*forkWidth, parts[0].up, at[last]+parts[last].down
	out.draw = func(s *report.SVG, x, y float64) {
		to := x + forkWidth + inner
		fork := func(i int, class string) {
			p, yi := parts[i], y+at[i]
			if i == 0 {
				s.Path(class, "M", x, y, "h", forkWidth, "M", x+forkWidth+p.w, y, "H", to+forkWidth)
				return
			}
			s.Path(class, "M", x, y, "h", 4., "q", bend, 0., bend, bend, "V", yi-bend, "q", 0., bend, bend, bend, "H", x+forkWidth,
				"M", x+forkWidth+p.w, yi, "H", to+4, "q", bend, 0., bend, -bend, "V", y+bend, "q", 0., -bend, bend, -bend, "h", 4.)
		}
		for i := range parts { // below the lines of the others
			if lost[i] {
				fork(i, "lost")
			}
		}
		for i, p := range parts {
			if !lost[i] {
				fork(i, "line")
			}
			p.draw(s, x+forkWidth, y+at[i])
		}
	}
	return out
}

// marked returns a part with a note above it.
func marked(p part, note string) part {
	const word = "drowned"
	out := part{w: max(p.w, float64(len(word))*report.CellWidth), up: p.up + 12, down: p.down}
	out.draw = func(s *report.SVG, x, y float64) {
		p.draw(s, x, y)
		if out.w > p.w {
			s.Path("lost", "M", x+p.w, y, "h", out.w-p.w)
		}
		s.Group("", note)
		s.Text(x, y-p.up-3, "lost", word)
		s.End("")
	}
	return out
}

// loop adds a bypass round an optional part, and a way back round a repeated one.
func loop(e *grammar.Expr, p part) part {
	skip, again := e.Min == 0, e.Max != 1
	times := ""
	if (e.Min > 1 || e.Max > 1) && again {
		times = show.Times(e)
	}
	words := float64(report.Cells(times)) * report.CellWidth
	inner := max(p.w, words)
	over, under := max(p.up+apart, 2*bend), max(p.down+apart, 2*bend)
	out := part{w: inner + 2*forkWidth, up: p.up, down: p.down}
	if skip {
		out.up = over
	}
	if again {
		out.down = under
	}
	if times != "" {
		out.down += 14
	}
	out.draw = func(s *report.SVG, x, y float64) {
		line(s, x, y, forkWidth)
		p.draw(s, x+forkWidth, y)
		line(s, x+forkWidth+p.w, y, inner-p.w+forkWidth)
		if skip {
			s.Path("line", "M", x, y, "q", bend, 0., bend, -bend, "V", y-over+bend, "q", 0., -bend, bend, -bend, "h", out.w-4*bend,
				"q", bend, 0., bend, bend, "V", y-bend, "q", 0., bend, bend, bend)
		}
		if again {
			s.Path("line", "M", x+forkWidth+inner, y, "q", bend, 0., bend, bend, "V", y+under-bend, "q", 0., bend, -bend, bend, "h", -inner,
				"q", -bend, 0., -bend, -bend, "V", y+bend, "q", 0., -bend, bend, -bend)
			arrow(s, x+forkWidth+inner/2, y+under)
		}
		if times != "" {
			s.Text(x+out.w/2, y+under+13, "soft mid", times)
		}
	}
	return out
}

// difference frames the included and the excluded expression.
func (r *railroad) difference(e *grammar.Expr, room float64, depth int) part {
	const pad = 8.0
	but := part{w: 7 * report.CellWidth, up: bend, down: bend, draw: func(s *report.SVG, x, y float64) { s.Text(x, y+4, "soft", "but not") }}
	room -= 2*pad + wrapLeft + wrapRight
	a, b := r.expr(e.Children[0], room-but.w-between, depth), r.expr(e.Children[1], room-but.w-between, depth)
	in := wrap([]part{a, row([]part{but, b})})
	if a.w+but.w+b.w+2*between <= room {
		in = row([]part{a, but, b})
	}
	out := part{w: in.w + 2*pad, up: in.up + pad, down: in.down + pad}
	out.draw = func(s *report.SVG, x, y float64) {
		s.Rect(x, y-out.up, out.w, out.up+out.down, 6, "frame")
		line(s, x, y, pad)
		in.draw(s, x+pad, y)
		line(s, x+out.w-pad, y, pad)
	}
	return out
}

// diagram draws an expression with a point at its beginning and at its end.
func (r *railroad) diagram(e *grammar.Expr) (s *report.SVG, w, h float64) {
	const point = 12.0
	p := r.expr(e, diagramWidth-2*edge-2*point, 0)
	s = &report.SVG{}
	y := edge + max(p.up, bend)
	s.Path("line", "M", edge, y-5, "v", 10., "M", edge, y, "h", point)
	p.draw(s, edge+point, y)
	s.Path("line", "M", edge+point+p.w, y, "h", point, "m", 0., -5., "v", 10.)
	return s, p.w + 2*edge + 2*point, y + max(p.down, bend) + edge
}
