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
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
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

// A tool reports the files of a format that it refuses, with an error line for each.
type tool struct {
	name    string
	refuses func(path string, files []string) (map[string]string, error)
}

// tools read files of the shipped binary formats, where they are installed.
var tools = map[string][]tool{
	"dns":  {},
	"gif":  {mime("image/gif")},
	"gzip": {mime("application/gzip"), batch(each("gzip", "-t"), plainly("-t")), python("gzip.open(name).read()")},
	"ipv4": {},
	"pcap": {mime("application/vnd.tcpdump.pcap"), batch(each("tcpdump", "-n", "-Z", "root", "-r"), listed)},
	"png":  {mime("image/png"), batch(each("pngcheck", "-q"), plainly("-q"))},
	"tar":  {mime("application/x-tar"), batch(each("bsdtar", "-tf"), joined), each("tar", "-tf"), python("[t.extractfile(m).read() for t in [tarfile.open(name)] for m in t if m.isfile()]")},
	"wav":  {mime("audio/x-wav"), batch(each("soxi"), plainly())},
	"zip":  {mime("application/zip"), batch(each("bsdtar", "-tf"), joined), each("unzip", "-tqq"), python("assert zipfile.ZipFile(name).testzip() is None")},
}

// each is a program that is run for one file at a time.
func each(name string, args ...string) tool {
	return tool{name: name, refuses: func(path string, files []string) (map[string]string, error) {
		wrong := map[string]string{}
		for _, file := range files {
			if why := complaint(path, append(slices.Clone(args), file)); why != "" {
				wrong[file] = why
			}
		}
		return wrong, nil
	}}
}

// complaint runs a program and returns its message about its files, "" if it accepts them.
func complaint(path string, args []string) string {
	out, err := exec.Command(path, args...).CombinedOutput()
	empty := strings.HasSuffix(path, "unzip") && bytes.Contains(out, []byte("zipfile is empty")) // a warning
	if err != nil && !empty || bytes.Contains(out, []byte("tcpdump: ")) {                        // whose exit code is 0
		return fmt.Sprintf("%v: %s", err, out)
	}
	return ""
}

// batch is a program that is run for many files at a time, and for one at a time if it complains.
func batch(one tool, args func(files []string) ([]string, error)) tool {
	return tool{name: one.name, refuses: func(path string, files []string) (map[string]string, error) {
		many, err := args(files)
		if err != nil || complaint(path, many) == "" {
			return nil, err
		}
		return one.refuses(path, files)
	}}
}

// plainly puts the names of files after other arguments.
func plainly(args ...string) func([]string) ([]string, error) {
	return func(files []string) ([]string, error) { return append(slices.Clone(args), files...), nil }
}

// joined has bsdtar read archives into one that is not kept.
func joined(files []string) ([]string, error) {
	args := []string{"-cf", os.DevNull}
	for _, file := range files {
		args = append(args, "@"+file)
	}
	return args, nil
}

// listed names files for tcpdump in a file.
func listed(files []string) ([]string, error) {
	list := files[0] + ".list"
	return []string{"-n", "-Z", "root", "-V", list}, os.WriteFile(list, []byte(strings.Join(files, "\n")+"\n"), 0o644)
}

// mime is the program file, which recognises a format by its content.
func mime(want string) tool {
	return tool{name: "file", refuses: func(path string, files []string) (map[string]string, error) {
		out, err := exec.Command(path, append([]string{"-b", "--mime-type"}, files...)...).Output()
		lines := strings.Fields(string(out))
		if err != nil || len(lines) != len(files) {
			return nil, fmt.Errorf("%d lines for %d files: %v", len(lines), len(files), err)
		}
		wrong := map[string]string{}
		for i, got := range lines {
			if got != want {
				wrong[files[i]] = got
			}
		}
		return wrong, nil
	}}
}

// python reads a file called name by an expression or an assertion.
func python(reads string) tool {
	return tool{name: "python3", refuses: func(path string, files []string) (map[string]string, error) {
		script := "import sys, gzip, tarfile, zipfile\nfor name in sys.argv[1:]:\n  try:\n    " + reads + "\n  except Exception as e:\n    print(name, repr(e), sep='\\t')"
		out, err := exec.Command(path, append([]string{"-c", script}, files...)...).Output()
		wrong := map[string]string{}
		for line := range strings.Lines(string(out)) {
			name, why, _ := strings.Cut(line, "\t")
			wrong[name] = why
		}
		return wrong, err
	}}
}

// formatSource draws sentences of a shipped format, as gen does.
func formatSource(t testing.TB, name string) stream.Source {
	t.Helper()
	s, err := (&stream.Plan{Strategy: "broad", Seed: 1}).Open(context.Background(), grammars.Must(name), stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Source()
}

// Of the sentences of each format the readers of the standard library accept at least 99.9 %.
func TestFormatsAreAccepted(t *testing.T) {
	if d := gocmp.Diff(grammars.Names("formats"), slices.Sorted(maps.Keys(witnesses))); d != "" {
		t.Errorf("not every format has a witness: %s", d)
	}
	n := long(200, 1000, 10_000)
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
					refused++
					if refused < 5 {
						t.Logf("sentence %d: %v: %x", i, err, b)
					}
				}
			}
			t.Logf("%d of %d are accepted", n-refused, n)
			if refused*1000 > n {
				t.Errorf("%d of %d are refused", refused, n)
			}
			if len(sizes) < 3 {
				t.Errorf("all have one of %d sizes", len(sizes))
			}
		})
	}
}

// Programs that are installed accept at least 99.9 % of the sentences of each format, too: of
// 20, or of 10,000 where GRAMFUZZ_LONG is all.
func TestToolsAcceptFormats(t *testing.T) {
	if d := gocmp.Diff(grammars.Names("formats"), slices.Sorted(maps.Keys(tools))); d != "" {
		t.Errorf("not every format has its tools: %s", d)
	}
	n := long(20, 20, 10_000)
	for name, all := range tools {
		t.Run(name, func(t *testing.T) {
			src, dir := formatSource(t, name), t.TempDir()
			var files []string
			for i := range n {
				b, err := src.Append(context.Background(), nil, uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, filepath.Join(dir, fmt.Sprintf("%d.%s", i, cmp.Or(map[string]string{"gzip": "gz"}[name], name))))
				if err := os.WriteFile(files[i], b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, tool := range all {
				path, err := exec.LookPath(tool.name)
				if err != nil {
					t.Logf("%s is not installed", tool.name)
					continue
				}
				refused := 0
				for some := range slices.Chunk(files[:n], 500) {
					wrong, err := tool.refuses(path, some)
					if err != nil {
						t.Fatal(err)
					}
					refused += len(wrong)
					if refused < 5 {
						for file, why := range wrong {
							t.Logf("%s: %s: %s", tool.name, filepath.Base(file), why)
						}
					}
				}
				t.Logf("%s accepts %d of %d", tool.name, n-refused, n)
				if refused*1000 > n {
					t.Errorf("%s refuses %d of %d", tool.name, refused, n)
				}
			}
		})
	}
}

// A damaged checksum or length of any of the formats is a wrong field, and is repaired.
func TestFormatsAreRepaired(t *testing.T) {
	ctx := context.Background()
	stored := map[string]bool{"gzip": true, "png": true} // stored blocks are compressed parts too, written otherwise
	for name := range witnesses {
		p, err := parse.New(ctx, grammars.Must(name), parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src := formatSource(t, name)
		for i := range uint64(20) {
			tree, err := src.Tree(ctx, i)
			if err != nil {
				t.Fatal(err)
			}
			text := tree.Text()
			if forest, err := p.Parse(ctx, name, text); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if first, err := forest.Tree(ctx); err != nil || first.Text() != text || !stored[name] && !slices.Equal(first.Choices(), tree.Choices()) {
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
