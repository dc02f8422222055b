// Package language chooses the shipped grammar for a text without a grammar, by its file name and
// content.
//
//	if l := language.Of("a.json", text); l != nil { … l.Grammar … }
package language

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/parse"
)

// known lists the shipped grammars with the names and contents of their files. A file is in a
// language if its name ends as one of ends and its content begins with begin; or if its name has
// no known ending and the content is sufficient.
var known = []struct {
	grammar string
	ends    string // separated by spaces
	begin   string
	tells   bool // begin alone is sufficient
}{
	{"json", "json geojson ipynb webmanifest har", "", false},
	{"csv", "csv", "", false},
	{"png", "png", "\x89PNG\r\n\x1a\n", true},
	{"gif", "gif", "GIF8", true},
	{"wav", "wav", "RIFF", true},
	{"zip", "zip jar", "PK\x03\x04", true},
	{"gzip", "gz", "\x1f\x8b", true},
	{"pcap", "pcap", "\xd4\xc3\xb2\xa1", true},
	{"tar", "tar", "", false},
}

// Of returns the name of the shipped grammar of a text, "" if none is known.
func Of(name string, text []byte) string {
	end := strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")
	other := ""
	for _, l := range known {
		switch begins := bytes.HasPrefix(text, []byte(l.begin)); {
		case end != "" && strings.Contains(" "+l.ends+" ", " "+end+" "):
			if begins {
				return l.grammar
			}
			return ""
		case begins && l.tells:
			other = l.grammar
		}
	}
	if open := bytes.TrimSpace(text); end == "" && len(open) > 1 && (open[0] == '{' && open[len(open)-1] == '}' || open[0] == '[' && open[len(open)-1] == ']') {
		return "json"
	}
	return other
}

// Grammar returns the shipped grammar of a text, nil if none is known.
func Grammar(name string, text []byte) *grammar.Grammar {
	if g := Of(name, text); g != "" {
		return grammars.Must(g)
	}
	return nil
}

// Files finds the files of a folder's text that shipped grammars accept, for
// reduce.Options.Islands. It is for one goroutine.
type Files struct {
	parsers map[string]*parse.Parser // by grammar; nil: it has no parser
	trees   map[string]*derive.Tree  // of the files of the last text; nil: no tree
}

// Islands returns the files that are sentences of the grammars of their languages.
func (f *Files) Islands(ctx context.Context, text []byte) map[int]*derive.Tree {
	found := map[int]*derive.Tree{}
	if f.parsers == nil {
		f.parsers = map[string]*parse.Parser{}
	}
	trees := map[string]*derive.Tree{}
	for at := 0; at < len(text); {
		end := at + len(text[at:])
		if n := bytes.IndexByte(text[at:], folder.End); n >= 0 {
			end = at + n
		}
		part := string(text[at:end])
		t, seen := f.trees[part]
		if !seen {
			t = f.parse(ctx, part)
		}
		trees[part] = t
		if t != nil {
			found[at+strings.IndexByte(part, '\n')+1] = t
		}
		at = end + 1
	}
	f.trees = trees
	return found
}

// parse returns the tree of the content of a file in a folder's text, nil if there is none.
func (f *Files) parse(ctx context.Context, part string) *derive.Tree {
	name, content, _ := strings.Cut(part, "\n")
	language := Of(name, []byte(content))
	if language == "" || strings.ContainsRune(content, '\x1b') { // the file itself has no escapes
		return nil
	}
	p, seen := f.parsers[language]
	if !seen {
		p, _ = parse.New(ctx, grammars.Must(language), parse.Options{})
		f.parsers[language] = p
	}
	if p == nil {
		return nil
	}
	forest, err := p.Parse(ctx, name, content)
	if err != nil {
		return nil
	}
	t, err := forest.Tree(ctx)
	if err != nil || t.Text() != content {
		return nil
	}
	return t
}
