package regexps

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// sequence joins the parts of a sequence. A lookahead removes texts from the parts after it, a
// lookbehind from the parts before it. A lazy loop stays lazy unless a lookbehind follows it. In
// that case the sequence up to the first nonempty part after the loop keeps only shortest matches:
// it loses each text that has another of its texts as a proper prefix.
func (p *parser) sequence(items []item) *syntax.Expr {
	first := slices.IndexFunc(items, func(it item) bool { return it.lazy })
	strict := first >= 0 && slices.ContainsFunc(items[first:], func(it item) bool { return it.look != nil && it.look.behind })
	var done []*syntax.Expr
	lazy := false
	for i, it := range items {
		switch {
		case it.look == nil:
			if it.lazy && !strict {
				it.e.Lazy = true
			}
			done = append(done, it.e)
			lazy = lazy || it.lazy && strict
			if lazy && !it.lazy && !it.e.Nullable() {
				all := p.seq(done)
				all.Walk(func(*syntax.Expr) { p.copied++ })
				if p.copied > maxCopied {
					p.fail("split the token", "too many loops that take as little as they can stand before a look behind")
					return all
				}
				done, lazy = []*syntax.Expr{syntax.NewDiff(p.pos, all, p.seq([]*syntax.Expr{all.Clone(), p.any(1)}))}, false
			}
		case it.look.behind && len(done) > 0:
			done = []*syntax.Expr{p.limit(p.seq(done), it.look.not, p.any(0), it.look.e)}
		case !it.look.behind && slices.ContainsFunc(items[i+1:], func(it item) bool { return it.look == nil }):
			rest := p.sequence(items[i+1:])
			return p.seq(append(done, p.limit(rest, it.look.not, it.look.e, p.any(0))))
		default:
			p.report(grammar.Note, "", "a look ahead or behind is not kept: it looks out of its part of the token")
		}
	}
	return p.seq(done)
}

// refused returns the texts that negative lookaheads in a sequence forbid: for each lookahead, the
// part before it followed by the excluded text.
func (p *parser) refused(items []item) (out []*syntax.Expr) {
	for i, it := range items {
		ends := it.refused
		if it.look != nil && it.look.not && !it.look.behind {
			ends = []*syntax.Expr{it.look.e}
		}
		for _, end := range ends {
			var all []*syntax.Expr
			for _, before := range items[:i] {
				if before.e != nil {
					all = append(all, before.e.Clone())
				}
			}
			e := p.seq(append(all, end.Clone()))
			e.Walk(func(e *syntax.Expr) { p.copied++; e.Lazy = false })
			if p.copied > maxCopied {
				return nil
			}
			out = append(out, e)
		}
	}
	return out
}

// limit returns the texts of e that are also texts of the sequence x y. With not, it returns the
// other texts of e.
func (p *parser) limit(e *syntax.Expr, not bool, x, y *syntax.Expr) *syntax.Expr {
	xy := p.seq([]*syntax.Expr{x, y})
	if !not {
		xy = syntax.NewDiff(p.pos, p.any(0), xy)
	}
	return syntax.NewDiff(p.pos, e, xy)
}

// any returns all texts of at least least characters.
func (p *parser) any(least int) *syntax.Expr {
	return syntax.NewRep(p.pos, syntax.NewClass(p.pos, true), least, grammar.Unbounded)
}

// seq joins expressions and merges adjacent literals.
func (p *parser) seq(es []*syntax.Expr) *syntax.Expr {
	var out []*syntax.Expr
	for _, e := range es {
		if n := len(out); n > 0 && e.Op == grammar.Lit && out[n-1].Op == grammar.Lit {
			out[n-1] = syntax.NewLit(p.pos, out[n-1].Text+e.Text)
			continue
		}
		out = append(out, e)
	}
	return syntax.NewSeq(p.pos, out...)
}
