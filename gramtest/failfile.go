package gramtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
)

// fatalPrefix begins the names of fail files whose sentence ends the process or hangs. Such
// sentences are tried in a child.
const fatalPrefix = "fatal-"

// failDir returns the folder of the test's fail files.
func (r *runner) failDir() string {
	return filepath.Join(filepath.FromSlash(r.c.dir), fileName(r.tb.Name()))
}

// fileName turns the name of a test into the name of a folder. Names of subtests contain
// slashes and arbitrary characters.
func fileName(test string) string {
	plain := strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, test)
	if plain == test {
		return plain
	}
	sum := sha256.Sum256([]byte(test))
	return plain[:min(len(plain), 80)] + "-" + hex.EncodeToString(sum[:4])
}

// record returns the record of a failure.
func (r *runner) record(in *input) *derive.Record {
	ref := derive.GrammarRef{Name: r.g.Name, SHA256: r.g.SHA256, Start: r.g.Start.Name}
	rec := record.New(version(), ref, r.stream.Bound(), grammar.Structure)
	rec.Strategy, rec.Seed, rec.Index = "schedule", r.c.draw.Seed, in.index
	if in.tree == nil {
		rec.Text = in.text
		return &rec
	}
	record.SetTree(&rec, in.tree, r.g.Facts(nil, grammar.Structure))
	record.SetText(&rec, in.text)
	return &rec
}

// keep writes a fail file and returns its path.
func (r *runner) keep(e *ended) (string, error) {
	sum := sha256.Sum256(e.in.text)
	name := hex.EncodeToString(sum[:6]) + ".json"
	if e.failure.fatal() {
		name = fatalPrefix + name
	}
	file := filepath.Join(r.failDir(), name)
	return file, corpus.WriteFile(file, append(r.record(e.in).Append(nil), '\n'))
}

// failFiles tries the sentences of earlier failures and reports the first that still fails. A
// file that cannot be read fails the test, since its failure would otherwise be lost silently.
func (r *runner) failFiles(ctx context.Context) bool {
	r.tb.Helper()
	files, err := filepath.Glob(filepath.Join(escapeGlob(r.failDir()), "*.json"))
	if err != nil || len(files) == 0 {
		return false
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			r.tb.Errorf("gramtest: %v", err)
			return true
		}
		rec, err := derive.ParseRecord(data)
		if err != nil {
			r.tb.Errorf("gramtest: %s: %v; delete it if it is of no use", file, err)
			return true
		}
		f, in, err := r.again(ctx, rec, strings.HasPrefix(filepath.Base(file), fatalPrefix))
		if err != nil {
			r.tb.Errorf("gramtest: %s: %v", file, err)
			return true
		}
		if f != nil {
			r.c.draw.Seed = rec.Seed
			r.report(&ended{in: in, failure: f, from: len(in.text), old: file})
			return true
		}
	}
	return false
}

// escapeGlob returns a pattern that matches only the path.
func escapeGlob(path string) string {
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(path)
}

// again runs the property on a recorded sentence. The text is authoritative; the tree is made
// from the choices, which give a sentence of any grammar.
func (r *runner) again(ctx context.Context, rec *derive.Record, fatal bool) (*failure, *input, error) {
	in := &input{index: rec.Index, text: rec.Text, damaged: len(rec.Edits) > 0}
	m, err := gctx.NewMachine(r.g, r.deriveOptions())
	if err != nil {
		return nil, nil, err
	}
	tree, err := m.Run(ctx, derive.Replay(rec.Choices))
	if err == nil {
		in.tree, r.fallback = tree, tree
		if len(rec.Edits) == 0 && string(tree.AppendText(nil)) != string(rec.Text) {
			in.damaged = true // the grammar has changed, so the text may no longer be a sentence
			if _, err := r.parseOnly(ctx, rec.Text); err == nil {
				in.damaged = false
			}
		}
	}
	ask := r.ask
	if fatal {
		c, err := r.newChild()
		if err != nil {
			return nil, nil, err
		}
		defer c.close()
		ask = c.ask
	}
	f, err := ask(ctx, in.text, in.damaged)
	return f, in, err
}

// version returns the gramfuzz version in the test binary, "(devel)" in its own tests.
func version() string {
	const module = "github.com/gramfuzz/gramfuzz"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == module {
			return m.Version
		}
	}
	return "(devel)"
}
