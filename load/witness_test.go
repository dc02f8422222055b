package load_test

import (
	"encoding/json"
	"errors"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// witnesses are grammars of standards and the standard library's own readers of the same
// languages; least is the percentage that has to be accepted.
var witnesses = []struct {
	file, start string
	companion   string
	min, max    int // bytes
	least       int
	accepts     func(text string) error
}{
	{"RFC3986.abnf", "URI", "", 5, 60, 100, func(text string) error {
		_, err := url.Parse(text)
		return err
	}},
	{"hildjj-json.abnf", "", "", 2, 60, 100, func(text string) error {
		if !json.Valid([]byte(text)) {
			return errors.New("not valid")
		}
		return nil
	}},
	// net/mail refuses blanks and comments before @; the companion removes them. It also
	// requires domain literals to be IP addresses.
	{"RFC5322-no-obs.abnf", "", "%start addr-spec\n%drop CFWS\n", 3, 40, 99, func(text string) error {
		_, err := mail.ParseAddress(text)
		return err
	}},
}

// TestWitnesses generates sentences from the grammars of the RFCs and checks them by
// independent readers.
func TestWitnesses(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("set GRAMFUZZ_DATA to the data folder to run this test")
	}
	n := 200
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
	case "all":
		n = 10_000
	default:
		n = 1000
	}
	for _, w := range witnesses {
		g, _, err := load.File(filepath.Join(data, "grammars", "formats", "abnf", w.file),
			load.Options{Start: w.start, Companion: []byte(w.companion)})
		if err != nil {
			t.Error(err)
			continue
		}
		s, err := sample.New(t.Context(), g, sample.Options{Bound: count.Sizes(w.min, w.max, grammar.Bytes), Seed: 1})
		if err != nil {
			t.Error(err)
			continue
		}
		src, accepted := s.Source(), 0
		for i := range uint64(n) {
			text, err := src.Text(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.accepts(text); err == nil {
				accepted++
			} else if i-uint64(accepted) < 10 {
				t.Logf("%q: %v", text, err)
			}
		}
		t.Logf("%s: %d of %d accepted", w.file, accepted, n)
		if accepted*100 < n*w.least {
			t.Errorf("%s: %d of %d accepted, want at least %d %%", w.file, accepted, n, w.least)
		}
	}
}
