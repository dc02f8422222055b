package grammars_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/net/ipv4"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// onesSum adds up the words of b as the checksums of the Internet do (RFC 1071): it is
// 0xffff where the checksum among them is right.
func onesSum(b []byte) uint32 {
	sum := uint32(0)
	for i, x := range b {
		sum += uint32(x) << (8 * (1 - i%2))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return sum
}

// packet checks an IPv4 packet with a UDP datagram.
func packet(b []byte) error {
	h, err := ipv4.ParseHeader(b)
	if err != nil {
		return err
	}
	udp := b[h.Len:]
	switch {
	case int(binary.BigEndian.Uint16(b[2:])) != len(b) || h.Version != 4 || h.Protocol != 17 || h.TTL == 0:
		return fmt.Errorf("the header is %v", h)
	case onesSum(b[:h.Len]) != 0xffff:
		return fmt.Errorf("the checksum of the header is wrong")
	case len(udp) < 8 || int(binary.BigEndian.Uint16(udp[4:])) != len(udp):
		return fmt.Errorf("the datagram has %d bytes, and says another number", len(udp))
	}
	pseudo := append(append([]byte{}, b[12:20]...), 0, 17, udp[4], udp[5])
	if onesSum(append(pseudo, udp...)) != 0xffff {
		return fmt.Errorf("the checksum of the datagram is wrong")
	}
	return nil
}

// capture checks a file of packets.
func capture(b []byte) error {
	var order binary.ByteOrder = binary.LittleEndian
	if len(b) >= 4 && b[0] == 0xa1 {
		order = binary.BigEndian
	}
	if len(b) < 24 || order.Uint32(b) != 0xa1b2c3d4 || order.Uint16(b[4:]) != 2 || order.Uint16(b[6:]) != 4 || order.Uint32(b[20:]) != 101 {
		return fmt.Errorf("the file begins with %x", b[:min(24, len(b))])
	}
	for b = b[24:]; len(b) > 0; {
		if len(b) < 16 || order.Uint32(b[4:]) > 999_999 || order.Uint32(b[8:]) != order.Uint32(b[12:]) || int(order.Uint32(b[8:])) > len(b)-16 {
			return fmt.Errorf("a record begins with %x", b[:min(16, len(b))])
		}
		n := int(order.Uint32(b[8:]))
		if err := packet(b[16 : 16+n]); err != nil {
			return err
		}
		b = b[16+n:]
	}
	return nil
}

// message reads a DNS message in full.
func message(b []byte) error {
	var m dnsmessage.Message
	return m.Unpack(b)
}

// Files of CSV have records of equal length, which encoding/csv insists on.
func TestCSVIsAccepted(t *testing.T) {
	columns := map[int]int{}
	for _, text := range sentences(t, "csv", perBound(), count.Sizes(1, 20, grammar.Terminals), count.Depth(3)) {
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(records) == 0 {
			t.Fatalf("%q: %v", text, err)
		}
		columns[len(records[0])]++
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(records); err != nil {
			t.Fatal(err)
		}
	}
	if len(columns) != 5 {
		t.Errorf("files by columns: %v", columns)
	}
}
