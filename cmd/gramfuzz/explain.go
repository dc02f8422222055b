package main

import (
	"bytes"
	"cmp"
	"context"
	"io"

	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/internal/ui/picture"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

const explainAbout = `
Predict the result of gen with the same flags: the number of sentences, their mean
length, the uses of each alternative per sentence, the alternatives that -n sentences
would miss (drowned), the share of texts with more than one derivation, and sizes that
would miss fewer alternatives. For strategy uniform the averages are computed; for the
others they are estimated from drawn sentences.`

func runExplain(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "explain -g GRAMMAR [flags]", explainAbout)
	n := f.IntP("number", "n", 10000, "the number of sentences to draw")
	all := f.Bool("all", false, "list every alternative, not only those of choices where one is drowned")
	html := f.String("html", "", "also draw lengths and shares into `FILE`, a self-contained page")
	asJSON := f.addJSON("the whole prediction, every alternative included")
	d := f.addDraw()
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if *n < 1 {
		return f.wrong("-n %d is out of range; the least is 1", *n)
	}
	p, err := d.plan()
	if err != nil {
		return err
	}
	g, err := d.g.load()
	if err != nil {
		return err
	}
	o, err := p.SampleOptions()
	if err != nil {
		return err
	}
	line := f.progress("computing")
	defer line.End()
	o.Progress = line.Share
	s, err := p.Open(ctx, g, stream.Options{Progress: line.Share})
	if err != nil {
		return err
	}
	strategy := cmp.Or(p.Strategy, sample.Uniform.String())
	x, err := describe.Predict(ctx, g, o, strategy, s.Source(), *n)
	if err != nil {
		return err
	}
	err = writeTo(std, *html, func(w io.Writer) error { return picture.WriteSampling(ctx, w, x, s.Source()) })
	if err != nil {
		return err
	}
	line.End()
	if *asJSON {
		return std.printJSON(x)
	}
	which := describe.DrownedChoices
	if *all {
		which = describe.AllChoices
	}
	var out bytes.Buffer
	if err := x.WriteText(&out, which); err != nil {
		return err
	}
	if d, ok := describe.UniformNote(ctx, g); ok && strategy == sample.Uniform.String() && !f.quiet {
		std.diagnose(d)
	}
	return std.print(out.Bytes())
}
