package target

import (
	"os"
	"testing"
)

// Labels are returned run by run, and do not prevent the reuse of a folder.
func TestLabels(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh")
	}
	const script = `case "$(cat)" in a) printf 'one\ntwo\n' >"$GRAMFUZZ_LABELS";; d) mkdir "$GRAMFUZZ_LABELS";; esac`
	r, err := New(Command{Args: []string{"/bin/sh", "-c", script}, Labels: true, Reuse: true, Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var dir string
	for i, tt := range []struct{ input, labels string }{{"a", "one\ntwo\n"}, {"b", ""}, {"d", ""}, {"a", "one\ntwo\n"}} {
		res, err := r.Run(t.Context(), []byte(tt.input))
		if err != nil || string(res.Labels) != tt.labels || res.Code != 0 {
			t.Fatalf("%q: labels %q, want %q; %v, %v: %s", tt.input, res.Labels, tt.labels, res, err, res.Stderr)
		}
		if i == 1 && res.Scratch != dir {
			t.Error("the folder of a run with labels was not used again")
		}
		dir = res.Scratch
	}
}
