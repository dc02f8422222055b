package campaign_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// FuzzParseFinding checks that an accepted finding survives writing and reading.
func FuzzParseFinding(f *testing.F) {
	line, err := (&campaign.Finding{Key: "0123456789abcdef", Command: []string{"sh", "a b"}, Stderr: "x\n", Record: &derive.Record{Text: []byte("[1]")}}).Append(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add([]byte(`{"v":1,"text":"","finding":{"key":"a"},"finding":{"command":[null,1]}}`))
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		fd, err := campaign.ParseFinding(data)
		if err != nil {
			return
		}
		fd.Replay("a b")
		written, err := fd.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := campaign.ParseFinding(written)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if rewritten, err := again.Append(nil); err != nil || string(rewritten) != string(written) {
			t.Errorf("%s, read and written again: %s, %v", written, rewritten, err)
		}
	})
}
