package afl

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The bits of the old hello and of our answer to it.
const (
	oldEnabled  = 0x80000001
	oldMapSize  = 0x40000000
	oldAutodict = 0x10000000
	oldShared   = 0x01000000
	oldCmpLog   = 0x02000000
	oldError    = 0xf800008f
)

// The new hello is "AFL" and a version; these are the bits of the options that
// follow it.
const (
	newMagic    = 0x41464c00
	newMask     = 0xffffff00
	newVersions = 1 // the latest version known
	newMapSize  = 1
	newShared   = 2
	newAutodict = 0x800
	newError    = 0xeffe0000
)

// plainMapSize is the size of the map of a program that does not report it.
const plainMapSize = 64 << 10

// maxDictionary bounds the bytes of a program's dictionary.
const maxDictionary = 4 << 20

// terms is the agreement between a fork server and its driver.
type terms struct {
	mapSize    int
	shared     bool // input in shared memory
	cmpLog     bool // comparisons are recorded; told by the old hello only
	dictionary [][]byte
}

// link is the driver's side of the two pipes.
type link struct {
	status  io.Reader
	control io.Writer
}

func (l link) readWord() (uint32, error) {
	var b [4]byte
	if _, err := io.ReadFull(l.status, b[:]); err != nil {
		return 0, err
	}
	return binary.NativeEndian.Uint32(b[:]), nil
}

func (l link) writeWord(w uint32) error {
	var b [4]byte
	binary.NativeEndian.PutUint32(b[:], w)
	_, err := l.control.Write(b[:])
	return err
}

// handshake reads the fork server's hello, in either version, and accepts all that it offers.
func (l link) handshake() (terms, error) {
	hello, err := l.readWord()
	if err != nil {
		return terms{}, fmt.Errorf("no fork server answered: %w", err)
	}
	if reason := refusal(hello); reason != "" {
		return terms{}, fmt.Errorf("the fork server refused: %s", reason)
	}
	if hello&newMask == newMagic {
		return l.newHandshake(hello)
	}
	return l.oldHandshake(hello)
}

func (l link) oldHandshake(hello uint32) (terms, error) {
	t := terms{mapSize: plainMapSize}
	if hello&oldEnabled != oldEnabled {
		return t, nil
	}
	if hello&oldMapSize != 0 {
		t.mapSize = int(hello&0x00fffffe)>>1 + 1
	}
	t.cmpLog = hello&oldCmpLog != 0
	answer := uint32(oldEnabled)
	if hello&oldShared != 0 {
		t.shared = true
		answer |= oldShared
	}
	if hello&oldAutodict != 0 {
		answer |= oldAutodict
	}
	if answer == oldEnabled {
		return t, nil // it does not wait for an answer
	}
	if err := l.writeWord(answer); err != nil {
		return t, err
	}
	var err error
	if hello&oldAutodict != 0 {
		t.dictionary, err = l.readDictionary()
	}
	return t, err
}

func (l link) newHandshake(hello uint32) (terms, error) {
	t := terms{mapSize: plainMapSize}
	if v := hello &^ newMask; v == 0 || v > newVersions {
		return t, fmt.Errorf("the fork server speaks version %d, which is not known here", v)
	}
	if err := l.writeWord(^hello); err != nil {
		return t, err
	}
	options, err := l.readWord()
	if err != nil {
		return t, err
	}
	if reason := refusal(options); reason != "" {
		return t, fmt.Errorf("the fork server refused: %s", reason)
	}
	if options&newMapSize != 0 {
		size, err := l.readWord()
		if err != nil {
			return t, err
		}
		t.mapSize = int(size & 0x7fffffff)
	}
	t.shared = options&newShared != 0
	if options&newAutodict != 0 {
		if t.dictionary, err = l.readDictionary(); err != nil {
			return t, err
		}
	}
	last, err := l.readWord()
	if err == nil && last != hello {
		err = fmt.Errorf("the fork server ended its hello with %#x, not %#x", last, hello)
	}
	return t, err
}

// readDictionary reads the words that the compiler found in the program. Each is a byte for
// the length, and then the word.
func (l link) readDictionary() ([][]byte, error) {
	size, err := l.readWord()
	if err != nil {
		return nil, err
	}
	if size > maxDictionary {
		return nil, fmt.Errorf("the fork server offers a dictionary of %d bytes, more than %d", size, maxDictionary)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(l.status, data); err != nil {
		return nil, err
	}
	var words [][]byte
	for len(data) > 0 {
		n := int(data[0])
		if n >= len(data) {
			break
		}
		if n > 0 {
			words = append(words, data[1:1+n:1+n])
		}
		data = data[1+n:]
	}
	return words, nil
}

// refusal returns the name of the error in a fork server's word; "" for none.
func refusal(w uint32) string {
	var code uint32
	switch {
	case w&0xffff0000 == newError:
		code = w & 0xffff
	case w&oldError == oldError:
		code = w & 0x00ffff00 >> 8
	default:
		return ""
	}
	switch code {
	case 1:
		return "the coverage map is too small (raise MapSize)"
	case 2:
		return "the coverage map cannot be at the address it was compiled for"
	case 4, 8, 16:
		return "shared memory could not be opened"
	}
	return fmt.Sprintf("error %d", code)
}
