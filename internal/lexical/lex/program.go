package lex

import "github.com/gramfuzz/gramfuzz/grammar"

// opcode is the kind of an instruction of a scanner's program.
type opcode uint8

const (
	opByte   opcode = iota // read the byte b
	opSet                  // read a character of set, byte by byte
	opFork                 // continue at each of to, best first
	opCall                 // call to[0]; its opReturn continues at next
	opEnd                  // the end of the text, which is no byte
	opReturn               // return from a call; outside of calls, accept
)

// instr is an instruction; next is its successor.
type instr struct {
	op   opcode
	b    byte
	lazy bool // opFork: the decision of a non-greedy loop
	next int32
	set  *grammar.Set
	to   []int32
}

// program is the token rules of a grammar, compiled to instructions over bytes. Recursive
// rules are compiled once and called; all others are inlined. Instruction 0 is the return.
type program struct {
	code   []instr
	called map[*grammar.Rule]int32        // entry of each recursive rule
	sets   map[*grammar.Expr]*grammar.Set // of classes
	depth  int                            // the nesting of inlined rules
	ends   bool                           // some rule reads the end of the text
	most   int                            // instructions
}

func newProgram(most int) *program {
	return &program{most: most, called: make(map[*grammar.Rule]int32), sets: make(map[*grammar.Expr]*grammar.Set), code: []instr{{op: opReturn}}}
}

// scanned returns the expression by which the scanner reads a rule: its body as written,
// or the resolved body if the written one contains differences.
func scanned(r *grammar.Rule) *grammar.Expr {
	if r.Written != nil && !holdsDiff(r.Written) {
		return r.Written
	}
	return r.Body
}

func (p *program) add(i instr) (int32, error) {
	if len(p.code) >= p.most {
		return 0, errTooLarge
	}
	p.code = append(p.code, i)
	return int32(len(p.code) - 1), nil
}

// compile adds e, followed by next, and returns where it begins.
func (p *program) compile(e *grammar.Expr, next int32) (int32, error) {
	switch e.Op {
	case grammar.Lit:
		return p.text(e.Text, next)
	case grammar.Class:
		set := p.sets[e]
		if set == nil {
			members := classSet(e)
			set = &members
			p.sets[e] = set
		}
		if !namesEnd(e) {
			return p.add(instr{op: opSet, set: set, next: next})
		}
		p.ends = true
		end, err := p.add(instr{op: opEnd, next: next})
		if err != nil || set.Len() == 0 {
			return end, err
		}
		chars, err := p.add(instr{op: opSet, set: set, next: next})
		if err != nil {
			return 0, err
		}
		return p.add(instr{op: opFork, to: []int32{chars, end}})
	case grammar.Seq:
		for i := len(e.Children) - 1; i >= 0; i-- {
			at, err := p.compile(e.Children[i], next)
			if err != nil {
				return 0, err
			}
			next = at
		}
		return next, nil
	case grammar.Choice:
		to := make([]int32, len(e.Children))
		for i, k := range e.Children {
			at, err := p.compile(k, next)
			if err != nil {
				return 0, err
			}
			to[i] = at
		}
		return p.add(instr{op: opFork, to: to})
	case grammar.Rep:
		return p.rep(e, next)
	case grammar.Ref:
		if e.Rule == nil { // reported by the checks; it has no texts
			return p.add(instr{op: opSet, set: new(grammar.Set)})
		}
		return p.rule(e.Rule, next)
	}
	// A difference that could not be resolved; Resolve refused it.
	return p.compile(e.Children[0], next)
}

func (p *program) text(text string, next int32) (int32, error) {
	for i := len(text) - 1; i >= 0; i-- {
		at, err := p.add(instr{op: opByte, b: text[i], next: next})
		if err != nil {
			return 0, err
		}
		next = at
	}
	return next, nil
}

func (p *program) rep(e *grammar.Expr, next int32) (int32, error) {
	at := next
	if e.Max < 0 {
		loop, err := p.add(instr{op: opFork, lazy: e.Lazy})
		if err != nil {
			return 0, err
		}
		body, err := p.compile(e.Children[0], loop)
		if err != nil {
			return 0, err
		}
		p.code[loop].to = preferred(body, next, e.Lazy)
		at = loop
	}
	for i := e.Min; i < e.Max; i++ {
		body, err := p.compile(e.Children[0], at)
		if err != nil {
			return 0, err
		}
		if at, err = p.add(instr{op: opFork, lazy: e.Lazy, to: preferred(body, next, e.Lazy)}); err != nil {
			return 0, err
		}
	}
	for i := 0; i < e.Min; i++ {
		body, err := p.compile(e.Children[0], at)
		if err != nil {
			return 0, err
		}
		if body == at { // the child is empty
			return at, nil
		}
		at = body
	}
	return at, nil
}

// rule adds a rule, or a call of it where it is recursive.
func (p *program) rule(r *grammar.Rule, next int32) (int32, error) {
	if !r.Recursive {
		if p.depth > maxDepth {
			return 0, errTooLarge
		}
		p.depth++
		defer func() { p.depth-- }()
		return p.compile(scanned(r), next)
	}
	entry, ok := p.called[r]
	if !ok {
		var err error
		if entry, err = p.add(instr{op: opFork}); err != nil { // placeholder for the rule while it is compiled
			return 0, err
		}
		p.called[r] = entry
		body, err := p.compile(scanned(r), 0)
		if err != nil {
			return 0, err
		}
		p.code[entry].to = []int32{body}
	}
	if next == 0 { // a call at the end of a rule needs no return: `s : x | x s` keeps the depth
		return entry, nil
	}
	return p.add(instr{op: opCall, to: []int32{entry}, next: next})
}
