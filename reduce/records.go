package reduce

import (
	"bytes"
	"encoding/binary"
)

const (
	leastRecords = 2       // fewer up to the end of the text are likely to be chance
	maxRecords   = 1 << 16 // the longest text that is searched for records, in bytes
)

// recordEdits returns the edits that delete runs of records in a binary text: a tag of a fixed
// width or none, the length of the data, the data, and a checksum or none, as in PNG.
// Records are guessed from lengths that lead from one to the next up to the end of the text.
func recordEdits(text []byte) []edit {
	if len(text) > maxRecords || bytes.IndexByte(text, 0) < 0 {
		return nil
	}
	var most []int
	for _, tag := range []int{0, 1, 2, 4} {
		for _, sum := range []int{0, 4, 8} { // 8: PNG's tag is behind the length
			for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
				for _, width := range []int{4, 2} {
					at := records(text, func(b []byte) int {
						switch {
						case len(b) < tag+width:
							return 0
						case width == 4:
							return tag + width + int(order.Uint32(b[tag:])) + sum
						}
						return tag + width + int(order.Uint16(b[tag:])) + sum
					})
					if len(at) > len(most) {
						most = at
					}
				}
			}
		}
	}
	if len(most)-1 < leastRecords {
		return nil
	}
	return listEdit.mark(chunkEdits(len(most)-1, func(a, b int) (edit, bool) {
		return newEdit(cut{from: most[a], to: most[b], raw: true}), true
	}))
}

// records returns the places of the longest chain of records up to the end of the text, and that end.
// span returns the length of a record at the beginning of a text, 0 for none. Records of zeros alone are none.
func records(text []byte, span func([]byte) int) (at []int) {
	number := make([]int, len(text)+1) // of records up to the end, 0 if there is no chain
	next := make([]int, len(text)+1)
	best := len(text)
	for i := len(text) - 1; i >= 0; i-- {
		to := span(text[i:])
		if to <= 0 || to > len(text)-i || len(bytes.Trim(text[i:i+to], "\x00")) == 0 || i+to < len(text) && number[i+to] == 0 {
			continue
		}
		number[i], next[i] = number[i+to]+1, i+to
		if number[i] >= number[best] {
			best = i
		}
	}
	for i := best; i < len(text); i = next[i] {
		at = append(at, i)
	}
	return append(at, len(text))
}
