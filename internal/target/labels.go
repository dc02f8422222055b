package target

import (
	"io"
	"os"
	"path/filepath"
)

// LabelsVariable is set in the environment where [Command.Labels] asks for it:
// the path of a file to which the program may write lines, each the name of
// something that its input did.
const LabelsVariable = "GRAMFUZZ_LABELS"

// labelsName is the file's name in the scratch folder.
const labelsName = ".labels"

// maxLabels is how many bytes of labels are read of one run.
const maxLabels = 1 << 20

// takeLabels reads the file of labels that a program wrote, and removes it.
// Whatever else it put there (a folder, a pipe) is no label and stays.
func takeLabels(dir string) []byte {
	path := filepath.Join(dir, labelsName)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer os.Remove(path)
	defer f.Close()
	labels, _ := io.ReadAll(io.LimitReader(f, maxLabels))
	return labels
}
