package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompanion(t *testing.T) {
	path := write(t, "mail.abnf", "header = name \":\" OWS value\nname = 1*letter\nvalue = <any CHAR>\n")
	if _, _, err := File(path, Options{}); err == nil || !strings.Contains(err.Error(), "OWS") {
		t.Fatalf("without the companion: %v", err)
	}
	more := "%start HEADER\n%token name\nletter = [a-b] ;\nOWS = \" \"? ;\n<any CHAR> = [x-y] ;\n"
	if err := os.WriteFile(path+".gramfuzz", []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	g, ds, err := File(path, Options{})
	if err != nil || len(ds) > 0 {
		t.Fatal(err, ds)
	}
	got := map[string]string{}
	for _, r := range g.Rules {
		got[r.Name] = r.Kind.String() + " " + filepath.Base(r.Pos.File)
	}
	want := map[string]string{"header": "rule mail.abnf", "name": "token mail.abnf", "value": "rule mail.abnf",
		"letter": "fragment mail.abnf.gramfuzz", "OWS": "rule mail.abnf.gramfuzz", "<any CHAR>": "rule mail.abnf.gramfuzz"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	alone, _, err := Source("mail.abnf", []byte("header = \"x\"\n"), Options{})
	if err != nil || g.SHA256 == alone.SHA256 {
		t.Errorf("the hash leaves the companion out (%v)", err)
	}
}

func TestCompanionErrors(t *testing.T) {
	_, ds, err := Source("a.abnf", []byte("a = \"x\"\n"), Options{Companion: []byte("%token b\nc = ( ;\n%nothing\n")})
	if err == nil || len(ds) != 2 || !strings.HasPrefix(err.Error(), "a.abnf.gramfuzz:2:") {
		t.Errorf("%v", ds)
	}
	_, _, err = Source("a.abnf", []byte("a = \"x\"\n"), Options{Companion: []byte("%token b\n")})
	if err == nil || !strings.HasPrefix(err.Error(), "a.abnf.gramfuzz:1:8: the grammar has no rule \"b\"") {
		t.Errorf("%v", err)
	}
}

// TestGoSpecLayout shows that a companion replaces the implied layout of Go's EBNF.
func TestGoSpecLayout(t *testing.T) {
	src := []byte("Sum = num { \"+\" num } .\nnum = \"0\" … \"9\" .\n")
	g, _, err := Source("sum.ebnf", src, Options{})
	if err != nil || g.Rule("white_space") == nil {
		t.Fatal(err)
	}
	g, _, err = Source("sum.ebnf", src, Options{Companion: []byte("%drop white_space\n@skip blank = \" \"+ ;\n")})
	if err != nil || g.Rule("white_space") != nil || g.Rule("blank") == nil {
		t.Error(err)
	}
}
