package campaign

import (
	"context"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// says returns a driver whose runs all end the same way.
func says(code int, stdout string, class target.Class) Drive {
	return Func(func(context.Context, []byte) (*Ran, error) {
		res := &target.Result{Code: code, Stdout: []byte(stdout), StdoutTotal: int64(len(stdout))}
		return &Ran{Outcome: target.Outcome{Class: class}, Result: res}, nil
	})
}

func TestCompare(t *testing.T) {
	ok, exit := target.OK, target.Exit
	for _, tt := range []struct {
		one, two Drive
		want     string // the signature, "" for no failure
	}{
		{says(0, "a", ok), says(0, "a", ok), ""},
		{says(1, "a", exit), says(2, "b", exit), ""}, // both refuse
		{says(0, "a", ok), says(1, "", exit), "disagreement|exit 0 and 1"},
		{says(0, "x\nab12\n", ok), says(0, "x\ncd34\n", ok), `disagreement|standard output|"a0" and "a0"`},
		{says(0, "x\n", ok), says(0, "", ok), `disagreement|standard output|"a" and ""`},
		{says(0, "", target.Crash), says(0, "", ok), "signal"},
		{says(0, "", ok), says(0, "", target.Crash), "signal|of the second program"},
	} {
		d, err := Compare(tt.one, tt.two)(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := d.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var f Failing
		o, failed := f.of(r)
		if failed != (tt.want != "") || failed && o.Signature() != tt.want {
			t.Errorf("%q (%v), want %q", o.Signature(), failed, tt.want)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
