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
	if _, ok := CRC("CRC-0/NONE"); ok {
		t.Error("an unknown CRC was found")
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
