package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// compared runs two programs on the same text.
type compared struct{ one, two Driver }

// Compare runs two programs, expected to behave the same, on each text. Where one accepts (exit
// code 0) and the other refuses, or both accept and their standard outputs differ, the outcome is
// a [Disagreement]. A failure of either program takes precedence.
func Compare(one, two Drive) Drive {
	return func(ctx context.Context) (Driver, error) {
		a, err := one(ctx)
		if err != nil {
			return nil, err
		}
		b, err := two(ctx)
		if err != nil {
			a.Close()
			return nil, err
		}
		return &compared{a, b}, nil
	}
}

func (c *compared) Run(ctx context.Context, text []byte) (*Ran, error) {
	one, err := c.one.Run(ctx, text)
	if err != nil || one.Outcome.Failed() {
		return one, err
	}
	two, err := c.two.Run(ctx, text)
	if err != nil {
		return nil, err
	}
	if two.Outcome.Failed() {
		two.Outcome.Detail = strings.TrimSpace(two.Outcome.Detail + " of the second program")
		two.Edges = one.Edges
		return two, nil
	}
	if o, differ := disagreement(one, two); differ {
		one.Outcome = o
	}
	return one, nil
}

// disagreement compares two runs that did not fail.
func disagreement(one, two *Ran) (target.Outcome, bool) {
	a, b := one.Result, two.Result
	if (a.Code == 0) != (b.Code == 0) {
		// The message of the refusing program identifies the reason.
		said := one.Outcome.Message
		if a.Code == 0 {
			said = two.Outcome.Message
		}
		return target.Outcome{Class: Disagreement, Detail: fmt.Sprintf("exit %d and %d", a.Code, b.Code), Message: said}, true
	}
	if a.Code != 0 || a.StdoutTotal == b.StdoutTotal && bytes.Equal(a.Stdout, b.Stdout) {
		return target.Outcome{}, false
	}
	x, y := firstDifference(a.Stdout, b.Stdout)
	return target.Outcome{Class: Disagreement, Detail: "standard output", Message: form(x) + " and " + form(y)}, true
}

// firstDifference returns the first lines that differ.
func firstDifference(a, b []byte) (x, y []byte) {
	for len(a) > 0 || len(b) > 0 {
		x, a, _ = bytes.Cut(a, []byte("\n"))
		y, b, _ = bytes.Cut(b, []byte("\n"))
		if !bytes.Equal(x, y) {
			break
		}
	}
	return x, y
}

// maxForm is the number of characters of a line that distinguish findings.
const maxForm = 24

// form abstracts a line: each run of letters and each run of digits becomes one character, and
// the rest stays. Two outputs that differ only in a value have the same form.
func form(line []byte) string {
	var out []byte
	for _, c := range line {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c >= 0x80:
			c = 'a'
		case '0' <= c && c <= '9':
			c = '0'
		}
		if n := len(out); n > 0 && out[n-1] == c && (c == 'a' || c == '0') {
			continue
		}
		out = append(out, c)
		if len(out) == maxForm {
			break
		}
	}
	return fmt.Sprintf("%q", out)
}

func (c *compared) Close() error { return errors.Join(c.one.Close(), c.two.Close()) }
