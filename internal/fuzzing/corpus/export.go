package corpus

import (
	"fmt"
	"path/filepath"
)

// Forms are the forms in which [Export] writes texts for other fuzzers: raw files named by hash;
// raw files named as in a queue of AFL; go test's corpus of []byte, or of string.
var Forms = []string{"raw", "afl", "go", "go-string"}

// Export writes texts to a folder in one of [Forms], a file each. Existing files stay. The error
// names the file.
func Export(dir, form string, texts [][]byte) error {
	for i, text := range texts {
		name, data := Name(text), text
		switch form {
		case "afl":
			name = fmt.Sprintf("id:%06d,orig:%s", i, name)
		case "go", "go-string":
			data = FormatFuzz(text, form == "go-string")
		}
		path := filepath.Join(dir, name)
		if err := WriteFile(path, data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}
