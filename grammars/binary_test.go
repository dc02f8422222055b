package grammars_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"image/gif"
	"image/png"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// witnesses read files of the shipped binary formats in full.
var witnesses = map[string]func(b []byte) error{
	"png": func(b []byte) error {
		_, err := png.Decode(bytes.NewReader(b))
		return err
	},
	"gif": func(b []byte) error {
		g, err := gif.DecodeAll(bytes.NewReader(b))
		if err == nil && len(g.Image) == 0 {
			return fmt.Errorf("no image")
		}
		return err
	},
	"gzip": func(b []byte) error {
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, r)
		return err
	},
	"tar": func(b []byte) error {
		for r := tar.NewReader(bytes.NewReader(b)); ; {
			h, err := r.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if h.Name == "" || h.Format != tar.FormatUSTAR {
				return fmt.Errorf("%q is of format %v", h.Name, h.Format)
			}
			if n, err := io.Copy(io.Discard, r); err != nil || n != h.Size {
				return fmt.Errorf("%d bytes of %d: %w", n, h.Size, err)
			}
		}
	},
	"zip": func(b []byte) error {
		r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return err
		}
		for _, f := range r.File {
			c, err := f.Open()
			if err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, c); err != nil { // compares the checksum
				return err
			}
		}
		return nil
	},
	"wav":  wavFile,
	"dns":  message,
	"ipv4": packet,
	"pcap": capture,
}

// wavFile checks the chunks of a WAVE file, and that its sizes agree.
func wavFile(b []byte) error {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" || int(binary.LittleEndian.Uint32(b[4:])) != len(b)-8 {
		return fmt.Errorf("no RIFF of %d bytes", len(b))
	}
	align := 0
	for b = b[12:]; len(b) > 0; {
		if len(b) < 8 {
			return fmt.Errorf("half a chunk")
		}
		n := int(binary.LittleEndian.Uint32(b[4:]))
		if n+n&1 > len(b)-8 {
			return fmt.Errorf("a chunk of %d bytes where there are %d", n, len(b)-8)
		}
		chunk := b[8 : 8+n]
		switch string(b[:4]) {
		case "fmt ":
			channels, rate := int(binary.LittleEndian.Uint16(chunk[2:])), int(binary.LittleEndian.Uint32(chunk[4:]))
			bits := int(binary.LittleEndian.Uint16(chunk[14:]))
			align = channels * bits / 8
			if int(binary.LittleEndian.Uint16(chunk[12:])) != align || int(binary.LittleEndian.Uint32(chunk[8:])) != rate*align {
				return fmt.Errorf("the rates do not agree")
			}
		case "data":
			if align == 0 || n%align != 0 {
				return fmt.Errorf("%d bytes of frames of %d", n, align)
			}
		}
		b = b[8+n+n&1:]
	}
	return nil
}

// tools are programs that check a file, where they are installed.
var tools = map[string][][]string{
	"png":  {{"pngcheck", "-q"}},
	"gzip": {{"gzip", "-t"}},
	"tar":  {{"bsdtar", "-tf"}, {"tar", "-tf"}},
	"zip":  {{"unzip", "-tqq"}},
	"wav":  {{"soxi"}},
}

// formatSource draws sentences of a shipped format.
func formatSource(t testing.TB, name string) *sample.Source {
	t.Helper()
	s, err := sample.New(context.Background(), grammars.Must(name), sample.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s.Source()
}

// Of the sentences of each format the readers of the standard library accept at least 99.9 %.
func TestFormatsAreAccepted(t *testing.T) {
	if d := gocmp.Diff(grammars.Formats(), slices.Sorted(maps.Keys(witnesses))); d != "" {
		t.Errorf("not every format has a witness: %s", d)
	}
	n := 200
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		n = 10_000
	}
	for name, accepts := range witnesses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := formatSource(t, name)
			refused, sizes := 0, map[int]bool{}
			for i := range n {
				b, err := src.Append(context.Background(), nil, uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				sizes[len(b)] = true
				if err := accepts(b); err != nil {
					if refused++; refused < 5 {
						t.Logf("sentence %d: %v: %x", i, err, b)
					}
				}
			}
			if refused*1000 > n {
				t.Errorf("%d of %d are refused", refused, n)
			}
			if len(sizes) < 3 {
				t.Errorf("all have one of %d sizes", len(sizes))
			}
		})
	}
}

// Programs that are installed accept them too.
func TestToolsAcceptFormats(t *testing.T) {
	n := 20
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		n = 1000
	}
	for name, all := range tools {
		for _, tool := range all {
			path, err := exec.LookPath(tool[0])
			if err != nil {
				t.Logf("%s is not installed", tool[0])
				continue
			}
			src := formatSource(t, name)
			refused := 0
			for i := range n {
				b, err := src.Append(context.Background(), nil, uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(t.TempDir(), "x."+cmp.Or(map[string]string{"gzip": "gz"}[name], name))
				if err := os.WriteFile(file, b, 0o644); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(path, append(tool[1:], file)...).CombinedOutput()
				if err != nil && !(tool[0] == "unzip" && len(b) < 43) { // unzip warns of an archive without files
					refused++
					t.Logf("%s: sentence %d: %v: %s", tool[0], i, err, out)
				}
			}
			if refused*1000 > n {
				t.Errorf("%s refuses %d of %d", tool[0], refused, n)
			}
		}
	}
}

// A damaged checksum or length of any of the formats is a wrong field, and is repaired.
func TestFormatsAreRepaired(t *testing.T) {
	ctx := context.Background()
	for name := range witnesses {
		p, err := parse.New(ctx, grammars.Must(name), parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src := formatSource(t, name)
		for i := range uint64(5) {
			tree, err := src.Tree(ctx, i)
			if err != nil {
				t.Fatal(err)
			}
			text := tree.Text()
			if forest, err := p.Parse(ctx, name, text); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if first, err := forest.Tree(ctx); err != nil || !slices.Equal(first.Choices(), tree.Choices()) {
				t.Errorf("%s: sentence %d is read as another tree, %v", name, i, err)
			}
			for _, at := range tree.Fields() {
				if at.Field.Name == "blocks" {
					continue // of text, which may be another
				}
				bad := []byte(text)
				bad[at.To-1] ^= 1
				if _, err := p.Parse(ctx, name, string(bad)); err == nil {
					t.Errorf("%s: @%s at byte %d may be %x", name, at.Field.Name, at.From, bad[at.From:at.To])
				}
				if at.Field.Early() {
					continue // the text may be one with another length
				}
				if fixed, err := p.Repair(ctx, name, string(bad)); err != nil || fixed.Text() != text {
					t.Errorf("%s: @%s at byte %d is not repaired: %v", name, at.Field.Name, at.From, err)
				}
			}
		}
	}
}
