package guide

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
)

// LabelsEnv is the environment variable that names the file to which a command
// under test may write labels, one a line. The file is new for each run.
const LabelsEnv = "GRAMFUZZ_LABELS"

// maxLine is how long a line of a labels file may be; what is longer is cut.
const maxLine = 4096

// maxLines is how many lines of a labels file are read: a program in a loop is
// no reason to run out of memory.
const maxLines = 1 << 20

// AppendFile appends the labels that a command wrote to the file named by
// [LabelsEnv]: one for each different line, its count bucketed as [Edge] does. A
// file that does not exist has no labels.
func AppendFile(labels []Label, path string) ([]Label, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return labels, nil
	}
	if err != nil {
		return labels, err
	}
	defer f.Close()
	return AppendLines(labels, f)
}

// AppendLines is AppendFile for lines that are read already. A last line that
// has no end, of a program that was killed, counts as well; empty lines do not.
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
