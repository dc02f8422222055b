package lark

import (
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// scope is the namespace of a file. A file has a scope for each import of it.
type scope struct {
	unit    *unit
	up      *scope            // the importing scope; nil for the main file
	prefix  string            // precedes names without an alias in the importing file
	aliases map[string]string // by name: its name in the importing file
	from    map[string]*scope // by name that this file imports: the scope it is from
	named   map[string]string // for the same names: the name in that scope
	defs    map[string]*definition
}

// scope returns the scope of file u, imported by up. prefix is the prefix of its names.
func (b *builder) scope(u *unit, prefix string, up *scope) *scope {
	s := &scope{unit: u, up: up, prefix: prefix, aliases: make(map[string]string), from: make(map[string]*scope), named: make(map[string]string), defs: make(map[string]*definition)}
	for name, d := range u.defs {
		s.defs[name] = d
	}
	for at := up; at != nil; at = at.up {
		if at.unit == u {
			return s // import cycles end here
		}
	}
	for _, im := range u.imports {
		v, names := b.l.imported(u, im)
		if v == nil {
			continue
		}
		file := im.Path
		if im.Names == nil {
			file = file[:len(file)-1]
		}
		key := s.path() + " " + v.path
		sub := b.scopes[key]
		if sub == nil {
			sub = b.scope(v, strings.Join(file, "__"), s)
			b.scopes[key] = sub
		}
		for _, name := range names {
			alias := name
			if im.Alias != "" {
				alias = im.Alias
			}
			sub.aliases[name] = alias
			s.from[alias], s.named[alias] = sub, name
			if at, d := sub.find(name); d == nil && !at.unit.declare[name] {
				b.l.fail(notation.Pos(im.Pos), "check its name", "%s defines no %q", v.path, name)
			}
		}
	}
	for _, c := range u.changes {
		b.change(s, c)
	}
	return s
}

// path identifies a scope.
func (s *scope) path() string {
	if s.up == nil {
		return s.unit.path
	}
	return s.up.path() + ">" + s.unit.path
}

// find returns the definition of a name in s, and the scope that contains it.
func (s *scope) find(name string) (*scope, *definition) {
	for {
		if d := s.defs[name]; d != nil {
			return s, d
		}
		next := s.from[name]
		if next == nil {
			return s, nil
		}
		s, name = next, s.named[name]
	}
}

// global returns the name in the grammar that belongs to a name in s.
func (s *scope) global(name string) string {
	for s.defs[name] == nil && s.from[name] != nil {
		s, name = s.from[name], s.named[name]
	}
	for s.up != nil {
		if alias, ok := s.aliases[name]; ok {
			name = alias
		} else if rest, hidden := strings.CutPrefix(name, "_"); hidden {
			name = "_" + s.prefix + "__" + rest
		} else {
			name = s.prefix + "__" + name
		}
		s = s.up
	}
	return name
}

// change applies %override or %extend to a definition, in this scope only.
func (b *builder) change(s *scope, c *statement) {
	d := c.Define
	at, old := s.find(d.Name)
	switch {
	case old == nil:
		b.l.fail(notation.Pos(d.Pos), "define or import it before", "%s is about %q, which is not defined", c.Change, d.Name)
		return
	case !slices.Equal(old.Params, d.Params):
		b.l.fail(notation.Pos(d.Pos), "write the same parameters", "%q has other parameters where it is defined, at %v", d.Name, notation.Pos(old.Pos))
		return
	}
	next := *d
	if c.Change == "%extend" {
		next = *old
		next.Body = &choice{Pos: old.Body.Pos, Alts: slices.Concat(old.Body.Alts, d.Body.Alts)}
	}
	next.Name = old.Name
	at.defs[old.Name] = &next
}
