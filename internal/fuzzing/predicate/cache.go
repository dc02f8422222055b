package predicate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// largestScript bounds the files whose content identifies a predicate.
const largestScript = 1 << 20

// OpenCache opens the answers to one predicate in a folder, which is created if missing. The
// predicate is identified by the arguments of its command, the content of those that are files of
// at most 1 MiB, and the conditions, in any form.
func OpenCache(dir string, args []string, conditions string) (*reduce.FileCache, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, a := range args {
		var script []byte
		if info, err := os.Stat(a); err == nil && info.Mode().IsRegular() && info.Size() <= largestScript {
			script, _ = os.ReadFile(a)
		}
		fmt.Fprintf(h, "%q %q\n", a, script)
	}
	fmt.Fprint(h, conditions)
	return reduce.OpenFileCache(filepath.Join(dir, hex.EncodeToString(h.Sum(nil))[:32]+".answers"))
}
