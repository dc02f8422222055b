package words_test

import (
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

func TestDuration(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"90": 90 * time.Second, "1.5": 1500 * time.Millisecond, "5m": 5 * time.Minute, "0": 0,
		"": -1, "-1": -1, "-1s": -1, "ten": -1, "1e99": -1, "NaN": -1,
	} {
		var d words.Duration
		if err := d.Set(in); (err != nil) != (want < 0) || err == nil && time.Duration(d) != want {
			t.Errorf("%q: %v, %v; want %v", in, &d, err, want)
		}
	}
}

// TestBytes checks that numbers are read, and that printing and reading returns the same number.
func TestBytes(t *testing.T) {
	for in, want := range map[string]int64{
		"4096": 4096, "64KiB": 64 << 10, "2 GiB": 2 << 30, "1.5k": 1536, "7b": 7, "1T": 1 << 40,
		"": -1, "0": -1, "-5": -1, "KiB": -1, "1e30": -1, "NaN": -1,
	} {
		var b, again words.Bytes
		if err := b.Set(in); (err != nil) != (want < 0) || err == nil && int64(b) != want {
			t.Errorf("%q: %d, %v; want %d", in, b, err, want)
		} else if err == nil && (again.Set(b.String()) != nil || again != b) {
			t.Errorf("%q is written as %q", in, b.String())
		}
	}
}

func TestRegexp(t *testing.T) {
	for in, want := range map[string]string{"a+": "a+", "": "", "(": ""} {
		var r words.Regexp
		if err := r.Set(in); (err != nil) != (in == "(") || r.String() != want || (r.Regexp != nil) != (want != "") {
			t.Errorf("%q: %q, %v", in, r.String(), err)
		}
	}
}
