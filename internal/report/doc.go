// Package report draws charts as SVG pictures and writes pages of HTML.
//
//	bars := report.Bars{Title: "sentences by size", Labels: sizes, Series: series}
//	err := bars.WriteSVG(w)
//
// Pictures and pages stand alone: they have no scripts and fetch nothing. Templates
// escape every text.
package report
