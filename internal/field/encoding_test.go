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
	for _, name := range []string{"", "u", "u7", "u8be", "u16", "u72be", "u16bele", "u016be", "dec", "dec0", "dec03", "dec-1", "oct129", "octet", "hexagon", "i", "unit", "decoder"} {
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
