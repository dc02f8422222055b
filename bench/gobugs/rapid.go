package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	_ "embed"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/stream"
)

// rapidProgram draws with rapid. It is built in its own module, so that gramfuzz does not depend on
// the rival.
//
//go:embed rapidgen.go.txt
var rapidProgram []byte

const (
	rapidModule = "module rapidgen\n\ngo 1.23\n\nrequire pgregory.net/rapid v1.3.0\n"
	rapidSum    = `pgregory.net/rapid v1.3.0 h1:vBvO0VSqti75J1jjYqpgPNBLKMd1+gxa9fYo7vk/Exc=
pgregory.net/rapid v1.3.0/go.mod h1:dPlE4OBBxgXPqkP79flB6sJL1dx5azpI7HQ9MY9Z7uk=
`
)

// rapidStream is the stream that rapid draws from a grammar.
type rapidStream struct {
	cmd *exec.Cmd
	out *bufio.Reader
}

// newRapid starts rapid on the grammar of a case.
func newRapid(ctx context.Context, b *bug, seed uint64) (*rapidStream, error) {
	program, err := buildFiles(ctx, map[string][]byte{
		"main.go": rapidProgram, "go.mod": []byte(rapidModule), "go.sum": []byte(rapidSum),
	}, filepath.Join(b.cache, "rapidgen"), "build")
	if err != nil {
		return nil, err
	}
	data, err := rapidGrammar(b.g)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(b.cache, b.name+".json")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		return nil, err
	}
	s := &rapidStream{cmd: exec.Command(program, file, strconv.FormatUint(seed, 10))}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	s.cmd.Stderr = os.Stderr
	return s, s.cmd.Start()
}

// Append implements stream; sentences come in order, and i is ignored.
func (s *rapidStream) Append(_ context.Context, dst []byte, _ uint64) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(s.out, size[:]); err != nil {
		return dst, fmt.Errorf("rapid ended: %w", err)
	}
	text := make([]byte, binary.LittleEndian.Uint32(size[:]))
	_, err := io.ReadFull(s.out, text)
	return append(dst, text...), err
}

// Place fails: a sentence of rapid has no tree.
func (s *rapidStream) Place(_ context.Context, i uint64) (stream.Place, error) {
	return stream.Place{Index: i, Damaged: true}, nil
}

// Tree implements stream.
func (s *rapidStream) Tree(context.Context, uint64) (*derive.Tree, error) {
	return nil, errors.New("rapid has no trees")
}

// pid returns the process that draws. Its time counts as time of the hunt.
func (s *rapidStream) pid() int { return s.cmd.Process.Pid }

func (s *rapidStream) close() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// rapidGrammar writes the expressions of a grammar as rapidgen reads them.
func rapidGrammar(g *grammar.Grammar) ([]byte, error) {
	type node struct {
		Op       string
		Text     []byte
		Ranges   [][2]rune
		Children []int
		Min, Max int
		Depth    int
	}
	facts := g.Facts(nil, grammar.Structure)
	nodes := []node{{Op: "sequence", Children: []int{g.Root.ID + 1}}}
	for _, e := range g.Exprs {
		n := node{Op: e.Op.String(), Text: []byte(e.Text), Min: e.Min, Max: e.Max, Depth: facts.Depth(e, grammar.Any)}
		for _, r := range e.Gen.Ranges() {
			n.Ranges = append(n.Ranges, [2]rune{r.Lo, r.Hi})
		}
		for _, k := range e.Children {
			n.Children = append(n.Children, k.ID+1)
		}
		switch e.Op {
		case grammar.Ref:
			n.Children = []int{e.Rule.Body.ID + 1}
		case grammar.Diff:
			return nil, fmt.Errorf("%v: rapid cannot draw from a difference", e.Pos)
		}
		nodes = append(nodes, n)
	}
	return json.Marshal(nodes)
}
