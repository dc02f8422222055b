package target

import (
	"io"
	"os"
	"path/filepath"
)

// LabelsVariable is an environment variable that [Command.Labels] asks for. It is the path of
// a file to which the program may write lines. Each line names something that the input did.
const LabelsVariable = "GRAMFUZZ_LABELS"

// labelsName is the file's name in the scratch folder.
const labelsName = ".labels"

// maxLabels bounds the bytes of labels read from one run.
const maxLabels = 1 << 20

// takeLabels reads the file of labels that a program wrote, and removes it. Anything else at
// that path (a folder, a pipe) is ignored and stays.
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
