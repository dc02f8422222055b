package parse_test

import (
	"runtime"
	"strings"
	"testing"
)

// TestHugeLengths checks that lengths, counts and offsets of up to 2^64-1 in a text take no
// memory. They are reported as wrong fields with the right value, and repaired.
func TestHugeLengths(t *testing.T) {
	for _, c := range []struct{ src, good string }{
		{`s = u64be @len(d) d "." ; d = "a"* ;`, "\x00\x00\x00\x00\x00\x00\x00\x02aa."},
		{`s = i64le @len(d) @plus(-8) d "." ; d = "a"{8,} ;`, "\x01\x00\x00\x00\x00\x00\x00\x00aaaaaaaaa."},
		{`s = u64be @count(d) ( "a"* ) @part(d) "." ;`, "\x00\x00\x00\x00\x00\x00\x00\x02aa."},
		{`s = u64be @offset(d) "a"* "." @part(d) ;`, "\x00\x00\x00\x00\x00\x00\x00\x0aaa."},
		{`s = ( dec ":" ) @len(d) d "." ; d = "a"* ;`, "2:aa."},
		{`s = varint @len(d) d "." ; d = "a"* ;`, "\x02aa."},
		{`s = vlq @len(d) d "." ; d = "a"* ;`, "\x02aa."},
		{`s = zigzag @len(d) d "." ; d = "a"* ;`, "\x04aa."},
		{`s = quic @len(d) d "." ; d = "a"* ;`, "\x02aa."},
	} {
		_, p := fieldGrammar(t, c.src)
		at := strings.IndexAny(c.good, "a")
		for _, huge := range []string{
			"\x80\x00\x00\x00\x00\x00\x00\x00", "\x7f\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff", "\x00\x00\x00\x00\x00\x00\x00\x80",
			"9223372036854775808:", "18446744073709551615:", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00",
		} {
			bad := huge + c.good[at:]
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := p.Parse(t.Context(), "f", bad)
			tree, wrong := p.Repair(t.Context(), "f", bad)
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
				t.Errorf("%s: %q takes %d bytes", c.src, bad, took)
			}
			if err == nil {
				t.Errorf("%s: %q is taken", c.src, bad)
			}
			if len(huge) == 8 && at == 8 && (wrong != nil || tree.Text() != c.good) {
				t.Errorf("%s: %q is repaired to %v, %v", c.src, bad, tree, wrong)
			} else if wrong == nil {
				if _, err := p.Parse(t.Context(), "f", tree.Text()); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
