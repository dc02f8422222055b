package derive

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// RecordVersion is the version of the record format. It changes only with the format; records
// of other versions are refused.
const RecordVersion = 1

// Record is one sentence with its origin, its choice sequence and its text. On disk
// it is a line of JSON:
//
//	{"v":1,"gramfuzz":"v0.1.0","grammar":{"name":"expr","sha256":"…","start":"expr"},
//	 "bound":{"depth":5,"repeat":4},"measure":"structure","seed":7,"index":0,
//	 "choices":[2,1],"text":"(x)","depth":3,"size":3}
//
// The grammar and the choices are enough to reproduce the sentence, by [Replay]. If the text
// was changed afterwards, Edits lists the changes and Text is the result.
type Record struct {
	Gramfuzz   string // the version of gramfuzz that wrote it
	Grammar    GrammarRef
	Bound      BoundRef  // the bound of the draw
	Measure    string    // "structure" or "exact"
	Strategy   string    // "" is uniform
	Over       string    // "texts": drawn over texts
	Distinct   bool      // Index is a position in a stream that gives each derivation once
	KPath      int       // not 0: of a set that reaches every path of this many symbols
	All        int       // not 0: of a set that takes every alternative, with at most this many terminals; -1 is no limit
	Strength   int       // not 0: drawn so that this many parts have their turn together
	Containing string    // the stream has only derivations with these parts
	Damage     float64   // the share of the stream that is changed after derivation
	Break      float64   // the share of the stream in which one computed field is made wrong
	Words      []string  // the dictionary of these changes; nil is that of package mutate
	Alphabet   string    // the characters of negated classes; "" is ascii
	Names      string    // "" where the grammar has no names in play
	Layout     string    // "" where the text is not cut into tokens
	Swarm      *SwarmRef // nil: nothing was switched off
	Seed       uint64
	Index      uint64 // of the sentence in the seed's stream
	Choices    []int
	Rank       string // a decimal number; "" where it is not known
	Text       []byte // any bytes: "text64" in JSON where they are not UTF-8
	Depth      int    // the derivation's height in nested rules
	Size       int    // in the bound's unit, terminals under a bound of depth
	Edits      []Edit // changes to the text after its derivation
}

// GrammarRef names a grammar: a shipped one by Name, a file by Path.
type GrammarRef struct {
	Name   string `json:"name,omitempty"`
	Path   string `json:"path,omitempty"`
	SHA256 string `json:"sha256,omitempty"` // of the files it was read from, hex
	Start  string `json:"start,omitempty"`
	Format string `json:"format,omitempty"` // the notation, if its file does not tell
	Case   string `json:"case,omitempty"`   // of words, one of grammar.Cases; "" is as-is
}

// BoundRef is a bound of depth or of size.
type BoundRef struct {
	Depth  int    `json:"depth,omitempty"`
	Repeat int    `json:"repeat,omitempty"` // of a depth; also with 0 terminals, which are a bound
	Min    int    `json:"min,omitempty"`
	Max    int    `json:"max,omitempty"`
	Unit   string `json:"unit,omitempty"`
	Spread string `json:"spread,omitempty"`
	Mean   int    `json:"mean,omitempty"`
}

// SwarmRef is the swarm configuration under which a sentence was drawn: a function of mode,
// coins, seed and index, or one read from a file. Config alone identifies it.
type SwarmRef struct {
	Mode   string  `json:"mode"`
	P      float64 `json:"p"`
	Every  int     `json:"every"` // sentences per configuration; 0: all share one
	Config string  `json:"config,omitempty"`
	Coins  string  `json:"coins,omitempty"` // "": P for every part
	Saved  string  `json:"saved,omitempty"` // a configuration read from a file
}

// Edit is one change to a text: Insert replaces Delete bytes at offset At of the text before
// this edit.
type Edit struct {
	At     int    `json:"at"`
	Delete int    `json:"delete,omitempty"`
	Insert []byte `json:"insert,omitempty"` // base64 in JSON
}

// Append appends the record as one line of JSON, without a newline.
func (r *Record) Append(dst []byte) []byte {
	return r.AppendSentence(r.AppendOrigin(dst))
}

// AppendOrigin appends the first part of the line: every field before Seed. It is the same for
// all sentences of a stream, so a writer of many records can reuse it.
func (r *Record) AppendOrigin(dst []byte) []byte {
	dst = append(dst, `{"v":`...)
	dst = strconv.AppendInt(dst, RecordVersion, 10)
	dst = appendField(dst, "gramfuzz", r.Gramfuzz)
	dst = appendJSON(dst, "grammar", r.Grammar)
	dst = appendJSON(dst, "bound", r.Bound)
	dst = appendField(dst, "measure", r.Measure)
	for _, f := range [...][2]string{
		{"strategy", r.Strategy}, {"alphabet", r.Alphabet}, {"names", r.Names}, {"layout", r.Layout}, {"containing", r.Containing},
	} {
		if f[1] != "" {
			dst = appendField(dst, f[0], f[1])
		}
	}
	if r.Swarm != nil {
		dst = appendJSON(dst, "swarm", r.Swarm)
	}
	if r.Over != "" {
		dst = appendField(dst, "over", r.Over)
	}
	if r.Distinct {
		dst = append(dst, `,"distinct":true`...)
	}
	if r.KPath != 0 {
		dst = appendJSON(dst, "kpath", r.KPath)
	}
	if r.All != 0 {
		dst = appendJSON(dst, "all-alternatives", r.All)
	}
	if r.Strength != 0 {
		dst = appendJSON(dst, "strength", r.Strength)
	}
	if r.Damage != 0 {
		dst = appendJSON(dst, "damage", r.Damage)
	}
	if r.Break != 0 {
		dst = appendJSON(dst, "break", r.Break)
	}
	if r.Words != nil {
		dst = appendJSON(dst, "words", r.Words)
	}
	return dst
}

// AppendSentence appends the rest of the line, after AppendOrigin.
func (r *Record) AppendSentence(dst []byte) []byte {
	dst = append(dst, `,"seed":`...)
	dst = strconv.AppendUint(dst, r.Seed, 10)
	dst = append(dst, `,"index":`...)
	dst = strconv.AppendUint(dst, r.Index, 10)
	dst = append(dst, `,"choices":[`...)
	dst = append(appendChoices(dst, r.Choices), ']')
	if r.Rank != "" {
		dst = appendField(dst, "rank", r.Rank)
	}
	if utf8.Valid(r.Text) {
		dst = append(dst, `,"text":`...)
		dst = appendString(dst, r.Text)
	} else {
		dst = append(dst, `,"text64":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, r.Text)
		dst = append(dst, '"')
	}
	dst = append(dst, `,"depth":`...)
	dst = strconv.AppendInt(dst, int64(r.Depth), 10)
	dst = append(dst, `,"size":`...)
	dst = strconv.AppendInt(dst, int64(r.Size), 10)
	if len(r.Edits) > 0 {
		dst = appendJSON(dst, "edits", r.Edits)
	}
	return append(dst, '}')
}

// appendChoices appends numbers with commas between them. Most have a digit or two.
func appendChoices(dst []byte, choices []int) []byte {
	if len(choices) == 0 {
		return dst
	}
	const room = 24 // for the longest number and a comma
	dst = slices.Grow(dst, 2*len(choices)+room)
	buf, at := dst[:cap(dst)], len(dst)
	for i, c := range choices {
		if uint(c) < 10 && len(buf)-at >= 2 {
			buf[at], buf[at+1] = byte('0'+c), ','
			at += 2
			continue
		}
		if len(buf)-at < room {
			buf = slices.Grow(buf[:at], 2*(len(choices)-i)+room)
			buf = buf[:cap(buf)]
		}
		at = len(append(strconv.AppendInt(buf[:at], int64(c), 10), ','))
	}
	return buf[:at-1]
}

func appendField(dst []byte, name, value string) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return appendString(dst, []byte(value))
}

func appendJSON(dst []byte, name string, value any) []byte {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain data, and P is a number between 0 and 1
	}
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return append(dst, b...)
}

// appendString appends text as a JSON string. Bytes that are not UTF-8 become U+FFFD. U+2028
// and U+2029 are not escaped: the record is JSON, not JavaScript, and text without needless
// escapes is easier to read and to grep.
func appendString(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	if !utf8.Valid(text) {
		text = []byte(string([]rune(string(text))))
	}
	start := 0
	for i, b := range text {
		if b >= ' ' && b != '"' && b != '\\' {
			continue
		}
		dst = append(dst, text[start:i]...)
		start = i + 1
		switch b {
		case '"', '\\':
			dst = append(dst, '\\', b)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}

// MarshalJSON makes a Record an ordinary JSON value for encoding/json.
func (r *Record) MarshalJSON() ([]byte, error) { return r.Append(nil), nil }
