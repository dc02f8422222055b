package guide

import (
	"bufio"
	"io"
)

// maxLine is the greatest length of a line in bytes; longer lines are cut.
const maxLine = 4096

// maxLines is the greatest number of lines read. It bounds the memory for the output of a
// program in an endless loop.
const maxLines = 1 << 20

// AppendLines appends the labels of a program's output lines: one for each distinct line, with
// its count bucketed as by [Edge]. An unfinished last line, of a program that was killed,
// counts; empty lines do not.
func AppendLines(labels []Label, r io.Reader) ([]Label, error) {
	in := bufio.NewReaderSize(r, maxLine)
	hits := map[Label]uint8{}
	var order []Label
	for range maxLines {
		line, more, err := in.ReadLine()
		if n := len(line); n > 0 {
			l := Named(string(line))
			if hits[l] == 0 {
				order = append(order, l)
			}
			if hits[l] < 255 {
				hits[l]++
			}
		}
		for more && err == nil {
			_, more, err = in.ReadLine()
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return labels, err
		}
	}
	for _, l := range order {
		labels = append(labels, l.times(hits[l]))
	}
	return labels, nil
}
