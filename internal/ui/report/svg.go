package report

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Style is the style sheet of the pages and of the pictures of [SVG], in light and in dark mode.
const Style template.CSS = `body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:64em;padding:0 1em;color:#222;background:#fff}
h2{margin:1.6em 0 .3em}h3{margin:1.4em 0 .2em;font:bold 15px ui-monospace,monospace;overflow-wrap:anywhere}
pre,code,td.name{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
.scroll{overflow-x:auto}.tag{font:12px system-ui,sans-serif;color:#666;margin-left:.8em}.tag.rec,.legend .rec{color:#0060a0}.tag.lost,.legend .lost{color:#b04400}
table{border-collapse:collapse;width:100%;min-width:40em;table-layout:fixed}td{padding:.1em .8em .1em 0;vertical-align:middle}
td.n{text-align:right;width:5.5em;font-variant-numeric:tabular-nums}td.share{width:35%}td.mark{width:6em;color:#b04400}
.bar{background:#e8e8e8;height:.8em}.bar div{background:#0072b2;height:100%}.lost .bar div{background:#d55e00;min-width:2px}
a{color:inherit}
svg.picture{font:12px ui-monospace,"DejaVu Sans Mono",monospace;background:#fff;max-width:none;display:block}
svg.picture text{fill:#222;unicode-bidi:isolate}svg.picture .soft{fill:#666;font-size:11px}svg.picture .end{text-anchor:end}svg.picture .mid{text-anchor:middle}
svg.picture .line{fill:none;stroke:#555;stroke-width:1.5}svg.picture .grid{fill:none;stroke:#ddd}svg.picture .curve{fill:none;stroke:#0072b2;stroke-width:2}
svg.picture .dot{fill:#0072b2}svg.picture .frame{fill:none;stroke:#888;stroke-dasharray:4 3}
svg.picture .word{fill:#eef6ee;stroke:#5a8a5a}svg.picture .rule{fill:#f4f4f4;stroke:#777}svg.picture .rec{fill:#dcecf8;stroke:#0072b2;stroke-width:2}
svg.picture .class{fill:#fbf3e2;stroke:#a98a3c}svg.picture .fold{fill:none;stroke:#888;stroke-dasharray:2 2}
svg.picture .lost{fill:none;stroke:#d55e00;stroke-width:2;stroke-dasharray:5 4}svg.picture text.lost{fill:#b04400;stroke:none;font-size:11px}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.tag{color:#aaa}.tag.rec,.legend .rec{color:#6ab8ee}.tag.lost,.legend .lost,td.mark{color:#f0955a}.bar{background:#333}
svg.picture{background:#181818}svg.picture text{fill:#ddd}svg.picture .soft{fill:#aaa}svg.picture .line{stroke:#aaa}svg.picture .grid{stroke:#3a3a3a}
svg.picture .word{fill:#1e2e1e;stroke:#6a9a6a}svg.picture .rule{fill:#262626;stroke:#888}svg.picture .rec{fill:#152c3e;stroke:#4aa3df}
svg.picture .class{fill:#2e2817;stroke:#a98a3c}svg.picture .curve{stroke:#4aa3df}svg.picture .dot{fill:#4aa3df}svg.picture text.lost{fill:#f0955a}}
`

// darkChart sets a dark mode for bars and curves, whose colours are made for a light background.
const darkChart = `@media(prefers-color-scheme:dark){svg.chart rect[fill="#ffffff"]{fill:#181818}svg.chart text{fill:#ddd}svg.chart line[stroke="#dddddd"]{stroke:#3a3a3a}svg.chart line[stroke="#333333"],svg.chart line[stroke="#999999"]{stroke:#aaa}svg.chart rect[fill="#000000"]{fill:#ddd}}`

// SVG is a picture under construction, in pixels from its upper left corner. Classes are those of
// [Style]. It makes every text safe by [words.Quote], and escapes it.
type SVG struct{ b strings.Builder }

// CellWidth is the width of a character of a picture, in pixels, and of half a wide one.
const CellWidth = 7.3

// Cells returns the width of a text in cells.
func Cells(text string) int {
	n := 0
	for _, r := range words.Quote(text) {
		n++
		if unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff61 || r >= 0x1f000 {
			n++
		}
	}
	return n
}

// Cut shortens a text to at most the given number of cells, as a picture shows it.
func Cut(text string, cells int) string {
	if len(text) > 4*cells { // only the beginning can be visible
		text = text[:4*cells]
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
		text = text[:max(len(text)-1, 0)] + "…" // the last character may be incomplete
	}
	text = words.Quote(text)
	if Cells(text) <= cells {
		return text
	}
	r := []rune(text)
	for len(r) > 0 && Cells(string(r)) > cells-1 {
		r = r[:len(r)-1]
	}
	return strings.TrimSuffix(string(r), "…") + "…"
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(words.Quote(text))) // a Builder does not fail
	return b.String()
}

// length writes a length with at most one digit after the point.
func length(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

// Group begins a part of the picture that ends with [SVG.End]. It has a tool tip, "" for none,
// and links to an anchor of the page, "" for none.
func (s *SVG) Group(anchor, tip string) {
	if anchor != "" {
		fmt.Fprintf(&s.b, `<a href="#%s">`, escape(anchor))
	} else {
		s.b.WriteString("<g>")
	}
	if tip != "" {
		fmt.Fprintf(&s.b, "<title>%s</title>", escape(tip))
	}
}

// End ends a group with that anchor.
func (s *SVG) End(anchor string) {
	if anchor != "" {
		s.b.WriteString("</a>\n")
	} else {
		s.b.WriteString("</g>\n")
	}
}

// Text writes a text. x is its beginning; with class mid or end, its middle or end.
func (s *SVG) Text(x, y float64, class, text string) {
	fmt.Fprintf(&s.b, `<text x="%s" y="%s"`, length(x), length(y))
	if class != "" {
		fmt.Fprintf(&s.b, ` class="%s"`, escape(class))
	}
	fmt.Fprintf(&s.b, ">%s</text>\n", escape(text))
}

// Rect draws a rectangle with corners of radius r.
func (s *SVG) Rect(x, y, w, h, r float64, class string) {
	fmt.Fprintf(&s.b, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s" class="%s"/>`+"\n", length(x), length(y), length(w), length(h), length(r), escape(class))
}

// Path draws a line: commands of SVG, each a letter followed by numbers.
func (s *SVG) Path(class string, d ...any) {
	fmt.Fprintf(&s.b, `<path class="%s" d="`, escape(class))
	after := false // the previous argument was a number; a space separates numbers
	for _, x := range d {
		switch x := x.(type) {
		case string:
			s.b.WriteString(escape(x))
			after = false
		case float64:
			if after {
				s.b.WriteByte(' ')
			}
			s.b.WriteString(length(x))
			after = true
		default:
			panic(fmt.Sprintf("a path of %T", x))
		}
	}
	s.b.WriteString("\"/>\n")
}

// WriteTo writes the picture, of a width and height, with a title. A standalone picture includes
// its style.
func (s *SVG) WriteTo(w io.Writer, width, height float64, title string, alone bool) error {
	size := length(width) + " " + length(height)
	style := ""
	if alone {
		style = "<style>\n" + string(Style) + "</style>\n"
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" class="picture" width="%s" height="%s" viewBox="0 0 %s" role="img">`+"\n<title>%s</title>\n%s%s</svg>\n",
		length(width), length(height), size, escape(title), style, s.b.String())
	return err
}
