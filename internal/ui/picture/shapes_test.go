package picture

import (
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// drawn is the content of a page or a picture, as an XML parser reads it.
type drawn struct {
	texts    []string // of text, title, and elements of the page
	rects    []string // classes of boxes
	width    float64  // of the widest picture
	pictures int
	anchors  map[string]bool // existing anchors
	links    []string        // targets of links
}

func (d *drawn) has(text string) bool {
	for _, s := range d.texts {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}

// look reads a page or a picture. It must be well-formed, fetch nothing, run nothing, have no
// unprintable characters, and draw only inside its pictures.
func look(t *testing.T, src string) *drawn {
	t.Helper()
	for i, r := range src {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("%U at %d, after %q", r, i, src[max(0, i-40):i])
		}
	}
	out := &drawn{anchors: map[string]bool{}}
	d := xml.NewDecoder(strings.NewReader(src))
	var frame *box4 // of the picture
	var at xml.StartElement
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%v, after %q", err, src[max(0, int(d.InputOffset())-200):d.InputOffset()])
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			at = tok.Copy()
			inert(t, at)
			if id := attr(at, "id"); id != "" {
				out.anchors[id] = true
			}
			switch at.Name.Local {
			case "svg":
				frame = &box4{0, 0, float(t, at, "width"), float(t, at, "height")}
				out.pictures, out.width = out.pictures+1, max(out.width, frame[2])
				if attr(at, "class") == "chart" {
					frame = nil // drawn and tested by package report
				}
			case "a":
				out.links = append(out.links, strings.TrimPrefix(attr(at, "href"), "#"))
			case "rect":
				out.rects = append(out.rects, attr(at, "class"))
				if frame != nil {
					x, y := float(t, at, "x"), float(t, at, "y")
					frame.hold(t, src, x, y)
					frame.hold(t, src, x+float(t, at, "width"), y+float(t, at, "height"))
				}
			case "path":
				if frame != nil {
					frame.path(t, attr(at, "d"))
				}
			}
		case xml.EndElement:
			if tok.Name.Local == "svg" {
				frame = nil
			}
		case xml.CharData:
			text := string(tok)
			if at.Name.Local == "style" && fetches.MatchString(text) {
				t.Fatalf("the style fetches: %s", text)
			}
			if strings.TrimSpace(text) == "" || at.Name.Local == "style" {
				continue
			}
			out.texts = append(out.texts, text)
			if frame != nil && at.Name.Local == "text" {
				x, w := float(t, at, "x"), float64(report.Cells(text))*report.CellWidth
				switch class := attr(at, "class"); {
				case strings.Contains(class, "mid"):
					x -= w / 2
				case strings.Contains(class, "end"):
					x -= w
				}
				frame.hold(t, text, x, float(t, at, "y"))
				frame.hold(t, text, x+w, float(t, at, "y"))
			}
		}
	}
}

var (
	elements = regexp.MustCompile(`^(html|head|meta|title|style|body|h[123]|p|pre|code|ul|li|span|div|table|tr|td|svg|g|a|rect|path|text|line)$`)
	fetches  = regexp.MustCompile(`(?i)url\(|@import|javascript:|NaN|Inf`)
)

// inert checks that an element neither runs nor fetches anything, and has only valid numbers.
func inert(t *testing.T, e xml.StartElement) {
	t.Helper()
	if !elements.MatchString(e.Name.Local) {
		t.Fatalf("the element %s", e.Name.Local)
	}
	for _, a := range e.Attr {
		name := strings.ToLower(a.Name.Local)
		if strings.HasPrefix(name, "on") || name == "src" || name == "href" && !strings.HasPrefix(a.Value, "#") || fetches.MatchString(a.Value) {
			t.Fatalf("%s has %s=%q", e.Name.Local, name, a.Value)
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func float(t *testing.T, e xml.StartElement, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(attr(e, name), 64)
	if err != nil {
		t.Fatalf("%s of %v: %v", name, e, err)
	}
	return v
}

// box4 holds the corners of a picture.
type box4 [4]float64

func (b *box4) hold(t *testing.T, what string, x, y float64) {
	t.Helper()
	if x < b[0]-.2 || x > b[2]+.2 || y < b[1]-.2 || y > b[3]+.2 {
		t.Fatalf("%.80q: %g,%g is outside of a picture of %g by %g", what, x, y, b[2], b[3])
	}
}

var word = regexp.MustCompile(`[MmLlHhVvq]|-?[0-9.]+`)

// path follows a path; its points must be inside.
func (b *box4) path(t *testing.T, d string) {
	t.Helper()
	words := word.FindAllString(d, -1)
	x, y := 0.0, 0.0
	for i := 0; i < len(words); {
		command := words[i]
		i++
		next := func() float64 {
			v, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				t.Fatalf("%v in %q", err, d)
			}
			i++
			return v
		}
		switch command {
		case "M", "L":
			x, y = next(), next()
		case "m", "l":
			x, y = x+next(), y+next()
		case "H":
			x = next()
		case "h":
			x += next()
		case "V":
			y = next()
		case "v":
			y += next()
		case "q":
			b.hold(t, d, x+next(), y+next())
			x, y = x+next(), y+next()
		default:
			t.Fatalf("%q in the path %q", command, d)
		}
		b.hold(t, d, x, y)
	}
}
