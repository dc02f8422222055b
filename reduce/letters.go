package reduce

import (
	"strings"
	"unicode/utf8"
)

// lesserTexts tries texts as long as the best, or a little shorter, that come before it: with a
// lesser character, with a lesser digit followed by the greatest ones, with two parts exchanged.
// It does nothing for texts with more candidates than remaining calls.
func lesserTexts(s *search) error {
	for {
		before := s.best
		es := append(lesserCharacters(s.best.text), exchanges(s.best.text)...)
		if len(es) > s.certifyCalls() {
			return nil
		}
		if err := s.tryTextEdits(es); err != nil || s.best == before {
			return err
		}
	}
}

// lesserCharacters returns the edits that replace a character by a lesser printable one, the
// least first, and those that lower numbers.
func lesserCharacters(text []byte) (es []edit) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		digits := i
		for digits < len(text) && isDigit(text[digits]) {
			digits++
		}
		nines := strings.Repeat("9", max(digits-i-1, 0))
		if nines != "" && (i == 0 || !isDigit(text[i-1])) {
			es = append(es, newEdit(cut{from: i, to: digits, with: nines}))
		}
		for c := ' '; c < min(r, '~'+1); c++ {
			es = append(es, newEdit(cut{from: i, to: i + n, with: string(c)}))
			if nines != "" && isDigit(byte(c)) {
				es = append(es, newEdit(cut{from: i, to: digits, with: string(c) + nines}))
			}
		}
		i += n
	}
	return es
}

// exchangedBytes bounds the texts whose parts are exchanged.
const exchangedBytes = 24

// exchanges returns the edits that exchange two neighbouring parts of a short text, if that makes
// the text less.
func exchanges(text []byte) (es []edit) {
	if len(text) > exchangedBytes {
		return nil
	}
	for from := range text {
		for mid := from + 1; mid < len(text); mid++ {
			for to := mid + 1; to <= len(text); to++ {
				if with := string(text[mid:to]) + string(text[from:mid]); with < string(text[from:to]) {
					es = append(es, newEdit(cut{from: from, to: to, with: with}))
				}
			}
		}
	}
	return es
}
