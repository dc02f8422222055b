// Package report draws charts as SVG pictures that stand alone: no script, no
// font, nothing fetched; and pages of HTML that stand alone likewise. Templates
// escape every text that comes in.
package report
