// Package report draws charts as SVG pictures and writes pages of HTML.
//
//	bars := report.Bars{Title: "sentences by size", Labels: sizes, Series: series}
//	err := bars.WriteSVG(w)
//
// Pictures and pages are self-contained: they have no scripts and load nothing. Templates escape
// every text.
package report
