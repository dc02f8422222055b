package stream_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestSettled checks that sentences whose texts keep no tree under precedences are left out, and
// that all others keep their numbers.
func TestSettled(t *testing.T) {
	g := load.MustString(`s = x "." "t" | e ";" ; x = e ; e = ( "new" )@prec(1) | ( e "." n )@prec(2) | ( e "*" e )@prec(1, left) | "1" ; n = "n" ;`)
	p, err := parse.New(t.Context(), g, parse.Options{Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(settled bool) (texts []string) {
		s, err := (&stream.Plan{Settled: settled}).Open(t.Context(), g, stream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		for i := range uint64(200) {
			text, err := src.Append(t.Context(), nil, i)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		return texts
	}
	all, left := draw(false), draw(true)
	refused := 0
	for i, text := range all {
		_, err := p.Parse(t.Context(), "text", text)
		if err != nil {
			refused++
		}
		if same := left[i] == text; same && err != nil || !same && err == nil {
			t.Errorf("sentence %d is %s, and was %s: %v", i, left[i], text, err)
		}
		if _, err := p.Parse(t.Context(), "text", left[i]); err != nil {
			t.Errorf("sentence %d: %v", i, err)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
