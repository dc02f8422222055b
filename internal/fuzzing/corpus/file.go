package corpus

import (
	"crypto/sha256"
	"encoding/hex"
)

// Name returns the name of a text's file: the beginning of its SHA-256, 32
// hexadecimal digits.
func Name(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
