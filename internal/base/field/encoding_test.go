package field

import "testing"

func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		name string
		v    uint64
		want string
		most uint64
	}{
		{"u8", 0xfe, "\xfe", 255},
		{"u16be", 0x1234, "\x12\x34", 65535},
		{"u16le", 0x1234, "\x34\x12", 65535},
		{"u24be", 0x123456, "\x12\x34\x56", 1<<24 - 1},
		{"u32le", 1, "\x01\x00\x00\x00", 1<<32 - 1},
		{"i16be", 0x7fff, "\x7f\xff", 0x7fff},
		{"u64le", 1<<64 - 1, "\xff\xff\xff\xff\xff\xff\xff\xff", 1<<64 - 1},
		{"i64be", 1, "\x00\x00\x00\x00\x00\x00\x00\x01", 1<<63 - 1},
		{"dec5", 42, "00042", 99999},
		{"oct11", 512, "00000001000", 1<<33 - 1},
		{"hex4", 0xbeef, "beef", 65535},
		{"HEX4", 0xbeef, "BEEF", 65535},
	} {
		e, ok := Named(c.name)
		if !ok {
			t.Fatalf("there is no %s", c.name)
		}
		to := make([]byte, e.Width)
		e.put(to, c.v)
		if string(to) != c.want {
			t.Errorf("%s of %d is %q, want %q", c.name, c.v, to, c.want)
		}
		if v, ok := e.Value(c.want); v != c.v || !ok {
			t.Errorf("%s reads %q as %d, want %d", c.name, c.want, v, c.v)
		}
		if e.Max() != c.most {
			t.Errorf("%s holds at most %d, want %d", c.name, e.Max(), c.most)
		}
		if v, ok := e.Value(e.Zero()); v != 0 || !ok {
			t.Errorf("%s reads %q as %d, want 0", c.name, e.Zero(), v)
		}
	}
}

func TestNoEncodings(t *testing.T) {
	for _, name := range []string{"", "u", "u7", "u8be", "u16", "u72be", "u16bele", "u016be", "dec0", "dec03", "dec-1", "oct129", "octet", "hexagon", "i", "unit", "decoder"} {
		if e, ok := Named(name); ok {
			t.Errorf("%q is an encoding: %v", name, e)
		}
	}
}

func TestWrongDigitsHaveNoValue(t *testing.T) {
	for name, text := range map[string]string{"dec3": "+12", "oct3": "128", "hex4": "0x12", "dec2": "123", "u16be": "a"} {
		if e, _ := Named(name); true {
			if v, ok := e.Value(text); ok {
				t.Errorf("%s reads %q as %d", name, text, v)
			}
		}
	}
}

// Each number of variable width has one canonical text, which reads back. In groups, a
// number may have longer texts as well.
func TestVariableWidths(t *testing.T) {
	for _, c := range []struct {
		name string
		v    int64
		want string
	}{
		{"dec", 0, "0"}, {"dec", 10, "10"}, {"dec", 1 << 40, "1099511627776"},
		{"hex", 255, "ff"}, {"HEX", 255, "FF"}, {"oct", 8, "10"},
		{"varint", 0, "\x00"}, {"varint", 127, "\x7f"}, {"varint", 300, "\xac\x02"}, {"varint", 624485, "\xe5\x8e\x26"},
		{"zigzag", 0, "\x00"}, {"zigzag", 63, "\x7e"}, {"zigzag", 64, "\x80\x01"}, {"zigzag", 300, "\xd8\x04"},
		{"quic", 37, "\x25"}, {"quic", 15293, "\x7b\xbd"}, {"quic", 494878333, "\x9d\x7f\x3e\x7d"}, {"quic", 151288809941952652, "\xc2\x19\x7c\x5e\xff\x14\xe8\x8c"},
		{"vlq", 127, "\x7f"}, {"vlq", 128, "\x81\x00"}, {"vlq", 0x1fffff, "\xff\xff\x7f"}, {"vlq", 0x200000, "\x81\x80\x80\x00"},
	} {
		e, ok := Named(c.name)
		if !ok || !e.Variable() || e.String() != c.name {
			t.Fatalf("there is no %s of variable width", c.name)
		}
		if got, ok := e.Text(c.v); got != c.want || !ok {
			t.Errorf("%s of %d is %q, want %q", c.name, c.v, got, c.want)
		}
		if v, ok := e.Value(c.want); v != uint64(c.v) || !ok {
			t.Errorf("%s reads %q as %d, want %d", c.name, c.want, v, c.v)
		}
		if ns := e.Widths(c.want); len(ns) == 0 || ns[len(ns)-1] != len(c.want) {
			t.Errorf("%s has numbers of %v bytes in %q", c.name, ns, c.want)
		}
	}
	for v, want := range map[int64]string{-1: "\x01", -2: "\x03", -64: "\x7f", -65: "\x81\x01", -1 << 31: "\xff\xff\xff\xff\x0f"} {
		e, _ := Named("zigzag")
		if got, ok := e.Text(v); got != want || !ok {
			t.Errorf("zigzag of %d is %q, want %q", v, got, want)
		}
	}
	e, _ := Named("quic")
	if got, ok := e.Text(1 << 62); ok {
		t.Errorf("quic writes 1<<62 as %q", got)
	}
	for name, text := range map[string]string{"varint": "\x82\x80\x00", "vlq": "\x80\x80\x02", "zigzag": "\x84\x00", "quic": "\x40\x02"} {
		e, _ := Named(name)
		if v, ok := e.Value(text); v != 2 || !ok || !e.Foreign(text) || len(e.Widths(text+"\x01")) != 1 {
			t.Errorf("%s reads %q as %d of %v bytes", name, text, v, e.Widths(text+"\x01"))
		}
	}
	for name, text := range map[string]string{"dec": "007", "varint": "\x80", "vlq": "\x80", "hex": "g", "zigzag": "\x01", "quic": "\x40"} {
		e, _ := Named(name)
		for _, n := range e.Widths(text) {
			if n == len(text) {
				t.Errorf("%s writes %q", name, text)
			}
		}
	}
	e, _ = Named("varint")
	if ns := e.Widths("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"); ns != nil {
		t.Errorf("a number beyond 64 bits has %v bytes", ns)
	}
}

// Back is the inverse of Forward: it maps every padded size to the size of the part.
func TestResize(t *testing.T) {
	width := func(name string, plus int, within bool) *Field {
		e, _ := Named(name)
		return &Field{Encoding: e, Plus: plus, Within: within}
	}
	for _, r := range []*Resize{
		{Pad: 2}, {Pad: 7}, {Widths: []*Field{width("dec", 0, false)}}, {Widths: []*Field{width("dec", 0, true)}},
		{Widths: []*Field{width("varint", 120, true), width("dec", 90, false)}}, {Widths: []*Field{width("quic", 50, true), width("zigzag", 0, false)}},
	} {
		to := map[int]map[int]bool{}
		for n := range 2000 {
			step := r.Forward(n)
			if step < n || n == 0 && step > 20 || n > 0 && step < r.Forward(n-1) {
				t.Fatalf("%+v: %d bytes become %d", r, n, step)
			}
			if to[step] == nil {
				to[step] = map[int]bool{}
			}
			to[step][n] = true
		}
		for step := range 1900 {
			back := map[int]bool{}
			for residue := range r.Residues() {
				if n := r.Back(step, residue); n >= 0 {
					back[n] = true
				}
			}
			if len(back) != len(to[step]) {
				t.Errorf("%+v: %d bytes come from %v, want %v", r, step, back, to[step])
			}
		}
	}
}
