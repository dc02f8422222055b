package reduce_test

import (
	"bytes"
	"context"
	"image/png"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestImagesStayImages shrinks images by a property of their text that others have, too.
// Candidates made from trees are images, lengths and checksums included.
func TestImagesStayImages(t *testing.T) {
	ctx := context.Background()
	g := grammars.Must("png")
	all, err := (&stream.Plan{Strategy: "broad", Seed: 4}).Open(ctx, g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, shrunk := all.Source(), 0
	for i := uint64(0); i < 200 && shrunk < 4; i++ {
		tree, err := src.Tree(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		text := tree.Text()
		if !bytes.Contains([]byte(text), []byte("tEXt")) {
			continue
		}
		shrunk++
		images := 0
		r, err := reduce.Run(ctx, reduce.Input{Tree: tree}, func(_ context.Context, text []byte) (bool, error) {
			if _, err := png.Decode(bytes.NewReader(text)); err != nil {
				t.Errorf("a candidate is no image: %v", err)
			}
			images++
			return bytes.Contains(text, []byte("tEXt")), nil
		}, reduce.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(r.Text)); err != nil || len(r.Text) >= len(text) {
			t.Errorf("%d bytes become %d: %v", len(text), len(r.Text), err)
		}
		if _, err := p.Parse(ctx, "text", string(r.Text)); err != nil {
			t.Error(err)
		}
		t.Logf("%d bytes to %d, %d candidates", len(text), len(r.Text), images)
	}
	if shrunk == 0 {
		t.Error("no image has a text")
	}
}
