package field

import (
	"encoding/hex"
	"hash/crc32"
	"hash/crc64"
	"testing"
)

func TestCatalogue(t *testing.T) {
	for _, name := range CRCs() {
		c := catalogue[name]
		if got := c.of([]byte("123456789")); got != c.check {
			t.Errorf("%s of 123456789 is %#x, the catalogue has %#x", name, got, c.check)
		}
	}
	text := []byte("The quick brown fox\x00\xff")
	for name, want := range map[string]uint64{
		"CRC-32/ISO-HDLC": uint64(crc32.ChecksumIEEE(text)),
		"CRC-32/ISCSI":    uint64(crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))),
		"CRC-64/XZ":       crc64.Checksum(text, crc64.MakeTable(crc64.ECMA)),
		"CRC-64/GO-ISO":   crc64.Checksum(text, crc64.MakeTable(crc64.ISO)),
	} {
		if got := catalogue[name].of(text); got != want {
			t.Errorf("%s is %#x, the standard library's is %#x", name, got, want)
		}
	}
	if _, err := CRC("CRC-0/NONE"); err != ErrNoCRC {
		t.Error("an unknown CRC was found")
	}
}

// TestParameters parses entries of the catalogue as written there, and invalid ones.
func TestParameters(t *testing.T) {
	for _, line := range []string{
		`width=3 poly=0x3 init=0x0 refin=false refout=false xorout=0x7 check=0x4 residue=0x2 name="CRC-3/GSM"`,
		`width=5 poly=0x05 init=0x1f refin=true refout=true xorout=0x1f check=0x19 residue=0x06 name="CRC-5/USB"`,
		`width=8 poly=0x1d init=0xc7 refin=false refout=false xorout=0x00 check=0x99 residue=0x00 name="CRC-8/MIFARE-MAD"`,
		`width=12 poly=0x80f init=0x000 refin=false refout=true xorout=0x000 check=0xdaf residue=0x000 name="CRC-12/UMTS"`,
		`width=16 poly=0x8005 init=0x0000 refin=true refout=true xorout=0x0000 check=0xbb3d residue=0x0000 name="CRC-16/ARC"`,
		`width=32 poly=0xf4acfb13 init=0xffffffff refin=true refout=true xorout=0xffffffff check=0x1697d06a residue=0x904cddbf name="CRC-32/AUTOSAR"`,
		`width=64 poly=0x42f0e1eba9ea3693 init=0xffffffffffffffff refin=false refout=false xorout=0xffffffffffffffff check=0x62ec59e3f1a4f00a residue=0xfcacbebd5931a992 name="CRC-64/WE"`,
	} {
		if _, err := CRC(line); err != nil { // check is among the parameters
			t.Errorf("%s: %v", line, err)
		}
	}
	for line, want := range map[string]string{
		"width=16 poly=0x8005 check=0x1234": "the CRC with these parameters has check=0xfee8, not 0x1234",
		"width=16 poly=0x18005":             "a CRC has a width from 3 to 64, a polynomial, and numbers of so many bits",
		"width=65 poly=1":                   "a CRC has a width from 3 to 64, a polynomial, and numbers of so many bits",
		"width=8 poly=7 refin=perhaps":      `"refin=perhaps" is no parameter of a CRC`,
		"width=8 poly=7 size=1":             `"size=1" is no parameter of a CRC`,
	} {
		if _, err := CRC(line); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

func TestSums(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"sum", "\x01\xff\xff", "00000000000001ff"},
		{"crc32", "123456789", "cbf43926"},
		{"adler32", "Wikipedia", "11e60398"},
		{"inet", "\x45\x00\x00\x73\x00\x00\x40\x00\x40\x11\x00\x00\xc0\xa8\x00\x01\xc0\xa8\x00\xc7", "b861"},
		{"inet", "\x01", "feff"},
		{"fletcher16", "abcde", "c8f0"},
		{"fletcher16", "abcdefgh", "0627"},
		{"fletcher32", "abcde", "f04fc729"},
		{"fletcher32", "abcdefgh", "ebe19591"},
		{"fletcher64", "abcde", "c8c6c527646362c6"},
		{"fletcher64", "abcdefgh", "312e2b28cccac8c6"},
		{"md5", "", "d41d8cd98f00b204e9800998ecf8427e"},
		{"sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
		{"sha256", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"luhn", "7992739871", "03"},
		{"luhn", "4539 1488 0343 646", "07"},
		{"mod97", "WEST12345698765432GB", "52"}, // the IBAN GB82 WEST 1234 5698 7654 32
	} {
		s, ok := SumNamed(c.name)
		if !ok {
			t.Fatalf("there is no %s", c.name)
		}
		if got := hex.EncodeToString(s.append(nil, []byte(c.text))); got != c.want {
			t.Errorf("%s of %q is %s, want %s", c.name, c.text, got, c.want)
		}
	}
}
