package target

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// signatureVersion is the version of [Outcome.Signature]; it changes if signatures change.
const signatureVersion = 2

// Fingerprint returns an identifier of the program of a command: a hash of the executable and
// of the files among the arguments, such as scripts. It does not cover shared libraries.
func Fingerprint(cmd Command) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n", signatureVersion)
	args, err := absoluteArgs(cmd.Args, cmd.Dir)
	if err != nil {
		return ""
	}
	if path, err := findProgram(args[0], cmd.Dir); err == nil {
		args[0] = path
	}
	for _, a := range args {
		fmt.Fprintf(h, "%q\n", a)
		hashFile(h, a)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// hashFile adds the content of a regular file.
func hashFile(h io.Writer, path string) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = io.Copy(h, f)
}
