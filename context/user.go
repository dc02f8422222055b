package context

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// Hook is a pair of user-defined functions at some elements of a grammar, after the
// ComplexFuzzer of Gopinath's post on reducing generators. It attaches to every element that
// matches all given ones of Rule, In, At and Annotation. At least one of these is required.
type Hook struct {
	Name string // for messages

	Rule       string      // references to this rule
	In         string      // elements in the body of this rule
	At         grammar.Pos // the element at this position; a position without a file is in any file
	Annotation string      // elements annotated with @Annotation

	// Pre is called before the element is derived. If it returns true, text replaces the
	// element. It must draw all its decisions from c. nil: the element is derived.
	Pre func(c *Call) (text string, replace bool, err error)

	// Post is called with the element's text after the element was derived. nil: no call.
	Post func(c *Call, text string) error
}

// Call is the argument of a hook. It is valid only during the call.
type Call struct {
	Expr *grammar.Expr // the element

	h      *userHooks
	hook   *Hook
	choose func(derive.Range) (int, error)
	value  int
	drawn  int
}

// maxDraws bounds the draws of one call: a hook that draws more is looping.
const maxDraws = 100_000

// Choose draws one of n values, 0 … n-1, by the Chooser of all other decisions. So its values
// are recorded, replayed, reduced and mutated like theirs. The value of the last call is the
// node's Val. n must be positive.
func (c *Call) Choose(n int) (int, error) { return c.ChooseOr(n, 0) }

// ChooseOr is Choose with least as the value of [derive.Default], the least choice of a
// reduction.
func (c *Call) ChooseOr(n, least int) (int, error) {
	if c.choose == nil {
		return 0, errors.New("only Pre may draw")
	}
	if n < 1 || least < 0 || least >= n {
		return 0, fmt.Errorf("there is nothing to draw from: %d values, %d the default", n, least)
	}
	c.drawn++
	if c.drawn > maxDraws {
		return 0, fmt.Errorf("it drew more than %d times", maxDraws)
	}
	v, err := c.choose(derive.Range{N: n, Full: n, Least: least})
	c.value = v
	return v, err
}

// Names yields the names of a namespace that a use could have here, each with its type; "" if the
// names of the namespace have none. They come by type, shortest first.
func (c *Call) Names(namespace string) iter.Seq2[string, string] { return c.h.Hooks.Names(namespace) }

// OnUndo registers a function that reverts a change to the hook's own state. These functions
// are called by [Call.Rollback] and before the next derivation begins, in reverse order.
func (c *Call) OnUndo(undo func()) { c.h.undo = append(c.h.undo, undo) }

// Mark returns a mark for [Call.Rollback].
func (c *Call) Mark() int { return len(c.h.undo) }

// Rollback undoes all changes since the mark, as at the end of a scope.
func (c *Call) Rollback(mark int) { c.h.rollback(mark) }

// HookError gives the hook that failed, the place, and the text derived until then.
type HookError struct {
	Hook  string
	Stage string // "pre" or "post"
	Pos   grammar.Pos
	Text  string // of the derivation so far; of a long text only the end
	Err   error
}

func (e *HookError) Error() string {
	return fmt.Sprintf("%v: hook %s, %s: %v; derived so far: %q", e.Pos, e.Hook, e.Stage, e.Err, e.Text)
}

func (e *HookError) Unwrap() error { return e.Err }

// Attach returns a machine that calls the hooks, and keeps the names, which may be nil. Among
// several hooks at one element, the first Pre that replaces it wins, and every Post is called,
// in order. The hooks are called by one machine only; the user must guard state shared with
// the hooks of another machine. It fails if a hook attaches to no element.
func Attach(g *grammar.Grammar, n *Names, o derive.Options, hooks ...Hook) (*derive.Machine, error) {
	names := n.names()
	if n == nil {
		names = scope.Unannotated(g)
	}
	ofNames, err := names.Hooks(&o)
	if err != nil {
		return nil, err
	}
	h := &userHooks{Hooks: ofNames, at: map[*grammar.Expr][]*Hook{}}
	for i := range hooks {
		hook := &hooks[i]
		found := false
		for _, r := range g.Rules {
			r.Body.Walk(func(e *grammar.Expr) {
				if hook.attaches(r, e) {
					h.at[e] = append(h.at[e], hook)
					found = true
				}
			})
		}
		if !found {
			return nil, fmt.Errorf("hook %s attaches to nothing in grammar %s; check its rule, position and annotation", hook.Name, g.Name)
		}
	}
	o.Hooks = h
	h.machine = derive.NewMachine(g, o)
	return h.machine, nil
}

func (hook *Hook) attaches(r *grammar.Rule, e *grammar.Expr) bool {
	given := hook.Rule != "" || hook.In != "" || hook.At != (grammar.Pos{}) || hook.Annotation != ""
	at := hook.At
	if at.File == "" {
		at.File = e.Pos.File
	}
	noted := hook.Annotation == ""
	for _, a := range e.Annotations {
		noted = noted || a.Name == hook.Annotation
	}
	return given && noted &&
		(hook.Rule == "" || e.Op == grammar.Ref && e.Name == hook.Rule) &&
		(hook.In == "" || hook.In == r.Name) &&
		(hook.At == (grammar.Pos{}) || at == e.Pos)
}

// userHooks calls the user's hooks and those of the names.
type userHooks struct {
	*scope.Hooks
	machine *derive.Machine
	at      map[*grammar.Expr][]*Hook
	undo    []func()
}

func (h *userHooks) rollback(mark int) {
	for len(h.undo) > mark {
		last := len(h.undo) - 1
		f := h.undo[last]
		h.undo = h.undo[:last]
		f()
	}
}

// Reset implements [derive.Hooks], as do the other exported methods.
func (h *userHooks) Reset() {
	h.rollback(0)
	h.Hooks.Reset()
}

func (h *userHooks) Acts(e *grammar.Expr) bool { return h.at[e] != nil || h.Hooks.Acts(e) }

func (h *userHooks) Inner(e *grammar.Expr, need int) int {
	if h.Hooks.Acts(e) {
		return h.Hooks.Inner(e, need)
	}
	return need
}

func (h *userHooks) Enter(e *grammar.Expr, need int, choose func(derive.Range) (int, error)) (string, int, bool, error) {
	for _, hook := range h.at[e] {
		if hook.Pre == nil {
			continue
		}
		c := &Call{Expr: e, h: h, hook: hook, choose: choose}
		text, replaced := "", false
		err := h.call(c, "pre", func() (err error) {
			text, replaced, err = hook.Pre(c)
			switch {
			case err != nil:
			case !replaced && c.drawn > 0:
				err = errors.New("it drew values but did not put a text in the element's place")
			case replaced && h.Concerns(e):
				err = errors.New("it replaces an element in which names are defined or used; annotate or hook it, not both")
			}
			return err
		})
		if err != nil || replaced {
			return text, c.value, replaced, err
		}
	}
	if h.Hooks.Acts(e) {
		return h.Hooks.Enter(e, need, choose)
	}
	return "", 0, false, nil
}

func (h *userHooks) Leave(e *grammar.Expr, text func() string) error {
	for _, hook := range h.at[e] {
		if hook.Post == nil {
			continue
		}
		c := &Call{Expr: e, h: h, hook: hook}
		if err := h.call(c, "post", func() error { return hook.Post(c, text()) }); err != nil {
			return err
		}
	}
	if h.Hooks.Acts(e) {
		return h.Hooks.Leave(e, text)
	}
	return nil
}

// call runs a hook's function; a panic becomes an error.
func (h *userHooks) call(c *Call, stage string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil {
			err = &HookError{c.hook.Name, stage, c.Expr.Pos, h.soFar(), err}
		}
	}()
	return f()
}

// soFarBytes is the length of the derived text shown in an error.
const soFarBytes = 200

func (h *userHooks) soFar() string {
	text := h.machine.SoFar()
	if len(text) > soFarBytes {
		text = "…" + strings.ToValidUTF8(text[len(text)-soFarBytes:], "")
	}
	return text
}
