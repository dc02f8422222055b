package field

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Sum is a checksum algorithm. Its result is bytes, the most significant first.
type Sum struct {
	Bytes int                      // of the result
	Most  uint64                   // the greatest result; 0 if every value of these bytes is possible
	of    func(text []byte) []byte // computes it as bytes; else nil
	bits  func(text []byte) uint64 // computes it as a number, if of is nil
}

// Greatest returns the greatest result of up to 8 bytes.
func (s *Sum) Greatest() uint64 {
	if s.Most > 0 {
		return s.Most
	}
	return ^uint64(0) >> (64 - 8*min(s.Bytes, 8))
}

// append appends the checksum of a text.
func (s *Sum) append(dst, text []byte) []byte {
	if s.of != nil {
		return append(dst, s.of(text)...)
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], s.bits(text))
	return append(dst, b[8-s.Bytes:]...)
}

// Sums returns the names of all checksums but those of [CRC], sorted.
func Sums() []string { return slices.Sorted(maps.Keys(sums)) }

// SumNamed returns the checksum called name.
func SumNamed(name string) (*Sum, bool) {
	s, ok := sums[name]
	return s, ok
}

var sums = map[string]*Sum{
	"sum":        {Bytes: 8, bits: add},
	"crc32":      {Bytes: 4, bits: func(b []byte) uint64 { return uint64(crc32.ChecksumIEEE(b)) }},
	"adler32":    {Bytes: 4, bits: func(b []byte) uint64 { return uint64(adler32.Checksum(b)) }},
	"inet":       {Bytes: 2, bits: inet},
	"fletcher16": {Bytes: 2, bits: func(b []byte) uint64 { return fletcher(b, 1) }},
	"fletcher32": {Bytes: 4, bits: func(b []byte) uint64 { return fletcher(b, 2) }},
	"fletcher64": {Bytes: 8, bits: func(b []byte) uint64 { return fletcher(b, 4) }},
	"md5":        {Bytes: md5.Size, of: func(b []byte) []byte { s := md5.Sum(b); return s[:] }},
	"sha1":       {Bytes: sha1.Size, of: func(b []byte) []byte { s := sha1.Sum(b); return s[:] }},
	"sha256":     {Bytes: sha256.Size, of: func(b []byte) []byte { s := sha256.Sum256(b); return s[:] }},
	"luhn":       {Bytes: 1, Most: 9, bits: luhn},
	"mod97":      {Bytes: 1, Most: 98, bits: mod97},
}

func add(b []byte) (sum uint64) {
	for _, c := range b {
		sum += uint64(c)
	}
	return sum
}

// inet is the internet checksum of RFC 1071. An odd byte at the end is the high one.
func inet(b []byte) uint64 {
	var sum uint64
	for ; len(b) >= 2; b = b[2:] {
		sum += uint64(binary.BigEndian.Uint16(b))
	}
	if len(b) == 1 {
		sum += uint64(b[0]) << 8
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^sum & 0xffff
}

// fletcher is Fletcher's checksum over little-endian blocks of size bytes.
func fletcher(b []byte, size int) uint64 {
	modulus := uint64(1)<<(8*size) - 1
	var low, high uint64
	for len(b) > 0 {
		n := min(size, len(b))
		var block uint64
		for i := range n {
			block |= uint64(b[i]) << (8 * i)
		}
		b = b[n:]
		low = (low + block) % modulus
		high = (high + low) % modulus
	}
	return high<<(8*size) | low
}

// luhn is the check digit of ISO/IEC 7812 for the digits of b. Other characters are ignored.
func luhn(b []byte) uint64 {
	sum, twice := uint64(0), true
	for i := len(b) - 1; i >= 0; i-- {
		d := uint64(b[i] - '0')
		if d > 9 {
			continue
		}
		if twice {
			d = d*2/10 + d*2%10
		}
		sum += d
		twice = !twice
	}
	return (10 - sum%10) % 10
}

// mod97 is the check number of ISO 7064 MOD 97-10 for b. Letters of either case count as 10
// to 35, and other characters are ignored.
func mod97(b []byte) uint64 {
	var rest uint64
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + uint64(c-'0')) % 97
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			rest = (rest*100 + uint64(c|0x20-'a') + 10) % 97
		}
	}
	return 98 - rest*100%97
}

// crc is a cyclic redundancy check, with the parameters of the catalogue of parametrised
// CRC algorithms (https://reveng.sourceforge.io/crc-catalogue/).
type crc struct {
	width      int
	poly, init uint64
	reflected  bool // refin
	turned     bool // refout is not refin
	xor, check uint64
	once       sync.Once // fills table at the first use
	table      *[256]uint64
}

// CRC returns a cyclic redundancy check by its name in the catalogue of parametrised CRC
// algorithms, or by its parameters, as the catalogue writes them:
//
//	width=16 poly=0x8005 init=0x0000 refin=true refout=true xorout=0x0000 check=0xbb3d
func CRC(name string) (*Sum, error) {
	c, ok := catalogue[name]
	if !ok {
		var err error
		if c, err = parameters(name); err != nil {
			return nil, err
		}
	}
	s := &Sum{Bytes: (c.width + 7) / 8, bits: c.of}
	if c.width%8 != 0 {
		s.Most = 1<<c.width - 1
	}
	return s, nil
}

// ErrNoCRC is the error for an unknown name of a CRC.
var ErrNoCRC = errors.New("there is no such CRC")

// parameters reads the parameters of a CRC.
func parameters(text string) (*crc, error) {
	if !strings.Contains(text, "=") {
		return nil, ErrNoCRC
	}
	had := map[string]uint64{}
	for _, p := range strings.Fields(text) {
		key, value, _ := strings.Cut(p, "=")
		v, err := strconv.ParseUint(value, 0, 64)
		switch {
		case key == "name" || key == "residue":
			continue
		case key == "refin" || key == "refout":
			var yes bool
			yes, err = strconv.ParseBool(value)
			if yes {
				v = 1
			}
		case !slices.Contains([]string{"width", "poly", "init", "xorout", "check"}, key):
			err = errors.New("no parameter")
		}
		had[key] = v
		if err != nil {
			return nil, fmt.Errorf("%q is no parameter of a CRC", p)
		}
	}
	c := &crc{width: int(min(had["width"], 65)), poly: had["poly"], init: had["init"], reflected: had["refin"] == 1, turned: had["refin"] != had["refout"], xor: had["xorout"]}
	most := ^uint64(0) >> max(0, 64-c.width)
	if c.width < 3 || c.width > 64 || c.poly == 0 || max(c.poly, c.init, c.xor) > most {
		return nil, errors.New("a CRC has a width from 3 to 64, a polynomial, and numbers of so many bits")
	}
	if check, ok := had["check"]; ok && c.of([]byte("123456789")) != check {
		return nil, fmt.Errorf("the CRC with these parameters has check=%#x, not %#x", c.of([]byte("123456789")), check)
	}
	return c, nil
}

// CRCs returns the names that [CRC] knows, sorted.
func CRCs() []string { return slices.Sorted(maps.Keys(catalogue)) }

var catalogue = map[string]*crc{
	"CRC-8/SMBUS":     {width: 8, poly: 0x07, check: 0xf4},
	"CRC-8/MAXIM-DOW": {width: 8, poly: 0x31, reflected: true, check: 0xa1},
	"CRC-8/BLUETOOTH": {width: 8, poly: 0xa7, reflected: true, check: 0x26},
	"CRC-8/AUTOSAR":   {width: 8, poly: 0x2f, init: 0xff, xor: 0xff, check: 0xdf},
	"CRC-16/ARC":      {width: 16, poly: 0x8005, reflected: true, check: 0xbb3d},
	"CRC-16/MODBUS":   {width: 16, poly: 0x8005, init: 0xffff, reflected: true, check: 0x4b37},
	"CRC-16/USB":      {width: 16, poly: 0x8005, init: 0xffff, reflected: true, xor: 0xffff, check: 0xb4c8},
	"CRC-16/XMODEM":   {width: 16, poly: 0x1021, check: 0x31c3},
	"CRC-16/IBM-3740": {width: 16, poly: 0x1021, init: 0xffff, check: 0x29b1},
	"CRC-16/GENIBUS":  {width: 16, poly: 0x1021, init: 0xffff, xor: 0xffff, check: 0xd64e},
	"CRC-16/KERMIT":   {width: 16, poly: 0x1021, reflected: true, check: 0x2189},
	"CRC-16/IBM-SDLC": {width: 16, poly: 0x1021, init: 0xffff, reflected: true, xor: 0xffff, check: 0x906e},
	"CRC-24/OPENPGP":  {width: 24, poly: 0x864cfb, init: 0xb704ce, check: 0x21cf02},
	"CRC-32/ISO-HDLC": {width: 32, poly: 0x04c11db7, init: 0xffffffff, reflected: true, xor: 0xffffffff, check: 0xcbf43926},
	"CRC-32/JAMCRC":   {width: 32, poly: 0x04c11db7, init: 0xffffffff, reflected: true, check: 0x340bc6d9},
	"CRC-32/BZIP2":    {width: 32, poly: 0x04c11db7, init: 0xffffffff, xor: 0xffffffff, check: 0xfc891918},
	"CRC-32/MPEG-2":   {width: 32, poly: 0x04c11db7, init: 0xffffffff, check: 0x0376e6e7},
	"CRC-32/CKSUM":    {width: 32, poly: 0x04c11db7, xor: 0xffffffff, check: 0x765e7680},
	"CRC-32/ISCSI":    {width: 32, poly: 0x1edc6f41, init: 0xffffffff, reflected: true, xor: 0xffffffff, check: 0xe3069283},
	"CRC-32/MEF":      {width: 32, poly: 0x741b8cd7, init: 0xffffffff, reflected: true, check: 0xd2c22f51},
	"CRC-64/XZ":       {width: 64, poly: 0x42f0e1eba9ea3693, init: 1<<64 - 1, reflected: true, xor: 1<<64 - 1, check: 0x995dc9bbdf1939fa},
	"CRC-64/ECMA-182": {width: 64, poly: 0x42f0e1eba9ea3693, check: 0x6c40df5f0b497347},
	"CRC-64/GO-ISO":   {width: 64, poly: 0x1b, init: 1<<64 - 1, reflected: true, xor: 1<<64 - 1, check: 0xb90956c775a41001},
}

// fill makes the table: the register after each byte, starting from 0.
func (c *crc) fill() {
	c.table = new([256]uint64)
	for b := range c.table {
		if c.reflected {
			poly := bits.Reverse64(c.poly) >> (64 - c.width)
			v := uint64(b)
			for range 8 {
				v = v>>1 ^ poly&-(v&1)
			}
			c.table[b] = v
			continue
		}
		v := uint64(b) << 56 // the register is in the high bits
		for range 8 {
			v = v<<1 ^ c.poly<<(64-c.width)&-(v>>63)
		}
		c.table[b] = v
	}
}

func (c *crc) of(b []byte) uint64 {
	c.once.Do(c.fill)
	if c.reflected {
		v := bits.Reverse64(c.init) >> (64 - c.width)
		for _, x := range b {
			v = v>>8 ^ c.table[byte(v)^x]
		}
		return c.turn(v) ^ c.xor
	}
	v := c.init << (64 - c.width)
	for _, x := range b {
		v = v<<8 ^ c.table[byte(v>>56)^x]
	}
	return c.turn(v>>(64-c.width)) ^ c.xor
}

// turn returns the register as output: reflected if refout is not refin.
func (c *crc) turn(v uint64) uint64 {
	if c.turned {
		return bits.Reverse64(v) >> (64 - c.width)
	}
	return v
}
