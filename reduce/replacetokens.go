package reduce

import (
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// tokenKey is a token by its rule and text. A name is not the token of the same text: its choice
// is an index among names.
type tokenKey struct {
	rule *grammar.Rule
	text string
	name bool
}

// tokensOf returns the tokens of the tree in the order of their texts, and the
// nodes of each.
func (v *treeView) tokensOf() (keys []tokenKey, uses map[tokenKey][]int) {
	uses = map[tokenKey][]int{}
	for i := range v.tree.Nodes() {
		if n := &v.tree.Nodes()[i]; v.visible[i] && isToken(n) {
			k := tokenKey{n.Expr.Rule, string(v.text[v.from[i]:v.to[i]]), n.Name}
			if uses[k] == nil {
				keys = append(keys, k)
			}
			uses[k] = append(uses[k], i)
		}
	}
	slices.SortFunc(keys, func(a, b tokenKey) int { return strings.Compare(a.text, b.text) })
	return keys, uses
}

// replaceTokens replaces all uses of a token at once: by the least token of its
// rule, and by the smaller ones in the tree. Names are left to the passes over choices.
func replaceTokens(s *search) error {
	v := s.bestView()
	keys, uses := v.tokensOf()
	var es []edit
	for _, k := range keys {
		if k.name {
			continue
		}
		var by []piece
		if v.minimal.bytes(k.rule.Body) != grammar.Never {
			by = append(by, v.minimal.derive(k.rule.Body))
		}
		for _, other := range keys {
			if other.rule == k.rule && !other.name && (len(other.text) < len(k.text) || len(other.text) == len(k.text) && other.text < k.text) {
				n := &v.tree.Nodes()[uses[other][0]]
				by = append(by, piece{other.text, strings.Repeat("0", len(other.text)), v.tree.Choices()[n.From:n.To]})
			}
		}
		for _, p := range by {
			var e edit
			for _, i := range uses[k] {
				n := &v.tree.Nodes()[i]
				e.cuts = append(e.cuts, v.put(v.from[i], v.to[i], n.From, n.To, p))
				e.gain += len(k.text) - len(p.text)
			}
			es = append(es, e)
		}
	}
	return s.tryEdits(byGain(es), s.treeBuilder(v))
}

// definitionEdits returns the edits that delete a definition with its uses: for every token used
// several times, all the list elements around its uses, the nearest ones or those above them.
func (v *treeView) definitionEdits() []edit {
	element := map[int]edit{} // by the nodes right below a repetition
	for i := range v.tree.Nodes() {
		if v.visible[i] {
			for _, e := range v.listEdits(i) {
				for _, node := range e.nodes {
					element[node] = e
				}
			}
		}
	}
	keys, uses := v.tokensOf()
	var es []edit
	for _, k := range keys {
		if n := len(uses[k]); n < 2 || n > maxUses {
			continue
		}
		for above := range 3 {
			var parts []edit
			for _, i := range uses[k] {
				level := 0
				for p := i; p >= 0; p = v.parent[p] {
					if e, ok := element[p]; ok {
						if level == above {
							parts = append(parts, e)
							break
						}
						level++
					}
				}
			}
			if cuts, ok := merge(parts); ok && len(cuts) > 1 {
				es = append(es, newEdit(slices.Clone(cuts)...))
			}
		}
	}
	return es
}
