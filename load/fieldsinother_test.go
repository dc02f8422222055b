package load_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestFieldsInOtherNotations: companion files turn elements of other notations into fields, by
// annotations on references or by their own rules.
func TestFieldsInOtherNotations(t *testing.T) {
	for _, c := range []struct{ file, src, companion string }{
		{"c.abnf", "chunk = length body checksum\nbody = 1*%x61-7A\nlength = 4%x00-FF\nchecksum = 8(\"0\" / \"1\")\n",
			"chunk = u32be @len(body) body hex8 @crc32(body) ;\n%drop length checksum\n"},
		{"c.bnf", "<chunk> ::= <u32be> <body> <hex8>\n<body> ::= \"a\" | \"b\" <body>\n",
			"%annotate chunk:u32be @len(body)\n%annotate chunk:hex8 @crc32(body)\n"},
		{"Chunk.g4", "grammar Chunk;\nchunk : u32be body hex8 ;\nbody : ( 'a' | 'b' )+ ;\n",
			"%annotate chunk:u32be @len(body)\n%annotate chunk:hex8 @crc32(body)\n"},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, []byte(c.src), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".gramfuzz", []byte(c.companion), 0o600); err != nil {
			t.Fatal(err)
		}
		g, ds, err := load.File(path, load.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.file, ds)
			continue
		}
		table, err := count.New(t.Context(), g, count.Sizes(0, 15, grammar.Bytes), count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(20, table.Total().Int64()) {
			tree, err := table.Unrank(big.NewInt(i))
			if err != nil {
				t.Fatal(err)
			}
			text := tree.Text()
			body := text[4 : len(text)-8]
			if int(binary.BigEndian.Uint32([]byte(text))) != len(body) || text[len(text)-8:] != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) {
				t.Errorf("%s: %q", c.file, text)
			}
		}
	}
}
