package field

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
	"sync"
)

// Code is an encoding of a whole part, by name:
//
//	blocks                     cut into blocks of up to N bytes, each after its length
//	hex base64                 in digits
//	deflate zlib gzip lzw      compressed; LZW codes start with N+1 bits, least significant first
type Code struct {
	Name string
	N    int
}

// codes is the compressions of the standard library, by name.
var codes = map[string]struct {
	write func(w io.Writer, n int) io.WriteCloser
	read  func(r io.Reader, n int) (io.Reader, error)
}{
	"deflate": {
		func(w io.Writer, _ int) io.WriteCloser {
			f, _ := flate.NewWriter(w, flate.BestSpeed) // the level is valid
			return f
		},
		func(r io.Reader, _ int) (io.Reader, error) { return flate.NewReader(r), nil },
	},
	"zlib": {
		func(w io.Writer, _ int) io.WriteCloser {
			z, _ := zlib.NewWriterLevel(w, zlib.BestSpeed)
			return z
		},
		func(r io.Reader, _ int) (io.Reader, error) { return zlib.NewReader(r) },
	},
	"gzip": {
		func(w io.Writer, _ int) io.WriteCloser {
			z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
			return z
		},
		func(r io.Reader, _ int) (io.Reader, error) {
			z, err := gzip.NewReader(r)
			if err == nil {
				z.Multistream(false)
			}
			return z, err
		},
	},
	"lzw": {
		func(w io.Writer, n int) io.WriteCloser { return lzw.NewWriter(w, lzw.LSB, n) },
		func(r io.Reader, n int) (io.Reader, error) { return lzw.NewReader(r, lzw.LSB, n), nil },
	},
}

// Codes returns the names of all codes.
func Codes() []string {
	return []string{"base64", "blocks", "deflate", "gzip", "hex", "lzw", "zlib"}
}

// Compresses reports whether c compresses: then the encoded size does not follow from the
// size of the part.
func (c Code) Compresses() bool { return codes[c.Name].write != nil }

// Encodes reports whether the part is encoded by a [Code].
func (r *Resize) Encodes() bool { return r != nil && r.Code != Code{} }

// writers is the pools of compressors, by code: compressors are large.
var writers sync.Map // Code to *sync.Pool of io.WriteCloser, to be reset before use

// Append appends the encoding of the bytes plain to to.
func (c Code) Append(to, plain []byte) []byte {
	switch c.Name {
	case "blocks":
		for len(plain) > 0 {
			n := min(len(plain), c.N)
			to = append(append(to, byte(n)), plain[:n]...)
			plain = plain[n:]
		}
		return to
	case "hex":
		return hex.AppendEncode(to, plain)
	case "base64":
		return base64.StdEncoding.AppendEncode(to, plain)
	}
	b := bytes.NewBuffer(to)
	pool, _ := writers.LoadOrStore(c, new(sync.Pool))
	w, _ := pool.(*sync.Pool).Get().(io.WriteCloser)
	switch r := w.(type) {
	case interface{ Reset(io.Writer) }:
		r.Reset(b)
	case *lzw.Writer:
		r.Reset(b, lzw.LSB, c.N)
	default:
		w = codes[c.Name].write(b, c.N)
	}
	w.Write(plain) // cannot fail: it writes to memory
	w.Close()
	pool.(*sync.Pool).Put(w)
	return b.Bytes()
}

// MaxPlain bounds the decoded bytes of an encoded part.
const MaxPlain = 64 << 20

// Decode decodes the part at the beginning of a text. It returns the part's bytes and the
// size of their encoding. ok is false if the text does not begin with an encoded part, or
// if the part exceeds [MaxPlain]. Blocks end before a block of length 0, digits before any
// other character, and both at the end of the text.
func (c Code) Decode(text string) (plain string, size int, ok bool) {
	switch c.Name {
	case "blocks":
		var b []byte
		for size < len(text) && text[size] != 0 {
			end := size + 1 + int(text[size])
			if end > len(text) {
				return "", 0, false
			}
			b = append(b, text[size+1:end]...)
			size = end
		}
		return string(b), size, true
	case "hex":
		size = digits(text, "0123456789abcdefABCDEF") &^ 1
		b, err := hex.DecodeString(text[:size])
		return string(b), size, err == nil
	case "base64":
		size = digits(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
		size += len(text[size:min(len(text), size+2)]) - len(strings.TrimLeft(text[size:min(len(text), size+2)], "="))
		size &^= 3
		b, err := base64.StdEncoding.DecodeString(text[:size])
		return string(b), size, err == nil
	}
	from := strings.NewReader(text) // an io.ByteReader, so that no byte too many is read
	r, err := codes[c.Name].read(from, c.N)
	if err != nil {
		return "", 0, false
	}
	b, err := io.ReadAll(io.LimitReader(r, MaxPlain+1))
	return string(b), len(text) - from.Len(), err == nil && len(b) <= MaxPlain
}

// reads reports whether raw is a valid encoding of plain. It is false for an empty raw.
func (c Code) reads(raw string, plain []byte) bool {
	if raw == "" {
		return false
	}
	got, size, ok := c.Decode(raw)
	return ok && size == len(raw) && got == string(plain)
}

// digits returns the length of the longest prefix of text with characters of set only.
func digits(text, set string) int { return len(text) - len(strings.TrimLeft(text, set)) }

// size returns the size with which a part of n bytes is counted: that of its encoding, or n
// if it is compressed.
func (c Code) size(n int) int {
	switch c.Name {
	case "blocks":
		return n + (n+c.N-1)/c.N
	case "hex":
		return 2 * n
	case "base64":
		return (n + 2) / 3 * 4
	}
	return n
}
