package computed

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
)

// list is a parallel list. x stands for an element of the list within an element of the repetition
// of. Its text is at place.
type list struct {
	in           *body
	x, of, place *grammar.Expr
}

// parallel moves the elements of each parallel list of a rule into the elements of the list that it
// is parallel to, so that both are counted and chosen together. The texts stay at the list's own
// place. parallel returns the body of the rule.
func (r *reader) parallel(rule *grammar.Rule) *body {
	in := newBody(rule)
	var lists []*list
	for at, e := range in.order {
		for _, a := range e.Annotations {
			if a.Name != "each" {
				continue
			}
			if len(a.Args) != 1 {
				r.fail(a.Pos, fmt.Sprintf("@each has %d arguments", len(a.Args)), "name the list, as in record @each(items)")
				continue
			}
			ref, of := r.part(&found{in: in, expr: e, note: a}, a.Args[0])
			switch {
			case of == nil:
			case of.Op != grammar.Rep:
				r.fail(a.Pos, fmt.Sprintf("@each is of a repetition, and the part at %v is none", of.Pos), "label the repetition itself, as in item* @part(items)")
			case ref.Up > 0 || slices.Index(in.order, of) > at:
				r.fail(a.Pos, fmt.Sprintf("the list at %v does not stand before this one, in one sequence with it", of.Pos), "let the two follow each other, with no repetition or alternative around one of them alone")
			default:
				if e.Part == 0 {
					r.parts++
					e.Part = r.parts
				}
				lists = append(lists, &list{x: &grammar.Expr{Op: grammar.Rep, Pos: e.Pos, Children: e.Children, Min: 1, Max: 1, Resize: &field.Resize{Move: e.Part}}, of: of, place: e})
			}
		}
	}
	if lists == nil {
		return in
	}
	for _, l := range lists {
		element := l.of.Children[0]
		l.of.Children = []*grammar.Expr{{Op: grammar.Seq, Pos: element.Pos, Children: []*grammar.Expr{element, l.x}}}
		l.place.Op, l.place.Children = grammar.Lit, nil
	}
	in = newBody(rule)
	for _, l := range lists {
		l.in, in.stands[l.x], r.lists[l.place] = in, l.place, l
	}
	return in
}

// checkLists refuses parallel lists that cannot be counted or parsed.
func (r *reader) checkLists() {
	for _, l := range r.lists {
		r.checkList(l)
	}
}

func (r *reader) checkList(l *list) {
	if least, _ := r.extent(l.of.Children[0]); least == 0 {
		r.fail(l.of.Pos, "the list has another one parallel to it, and its elements may be empty", "let each element have a byte or more")
	}
	for _, way := range [][2]*grammar.Expr{{l.of, l.place}, {l.place, l.of}} {
		for e := way[0]; e != nil; e = l.in.parent[e] {
			if in, _ := l.in.inside(way[1], e); in {
				break
			}
			if r.sized(l.in, e) {
				r.fail(e.Pos, fmt.Sprintf("the part is filled up or has a length of variable width, and has one of the parallel lists at %v and %v alone", l.of.Pos, l.place.Pos), "let it have both, or take a fixed width")
				return
			}
		}
	}
}
