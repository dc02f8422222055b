package derive

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
)

// maxRecord is the maximum length of a record, in bytes.
const maxRecord = 1 << 30

// wire is the JSON of a record. Pointers distinguish missing fields from zero ones.
type wire struct {
	V          *int       `json:"v"`
	Gramfuzz   string     `json:"gramfuzz"`
	Grammar    GrammarRef `json:"grammar"`
	Bound      BoundRef   `json:"bound"`
	Measure    string     `json:"measure"`
	Strategy   string     `json:"strategy"`
	Alphabet   string     `json:"alphabet"`
	Names      string     `json:"names"`
	Layout     string     `json:"layout"`
	Swarm      *SwarmRef  `json:"swarm"`
	Over       string     `json:"over"`
	Distinct   bool       `json:"distinct"`
	KPath      int        `json:"kpath"`
	All        int        `json:"all-alternatives"`
	Strength   int        `json:"strength"`
	Containing string     `json:"containing"`
	Damage     float64    `json:"damage"`
	Break      float64    `json:"break"`
	Words      []string   `json:"words"`
	Seed       uint64     `json:"seed"`
	Index      uint64     `json:"index"`
	Choices    []int64    `json:"choices"`
	Rank       string     `json:"rank"`
	Text       *string    `json:"text"`
	Text64     *string    `json:"text64"`
	Depth      int        `json:"depth"`
	Size       int        `json:"size"`
	Edits      []Edit     `json:"edits"`
}

// ParseRecord reads one record. It ignores unknown fields and refuses records of another
// version. It never panics.
func ParseRecord(data []byte) (*Record, error) {
	var version struct {
		V *int `json:"v"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, recordError(err)
	}
	switch {
	case version.V == nil:
		return nil, errors.New(`not a record of gramfuzz: the field "v" is missing`)
	case *version.V != RecordVersion:
		return nil, fmt.Errorf("the record has version %d and this gramfuzz reads version %d; use the gramfuzz that wrote it", *version.V, RecordVersion)
	}
	var w wire
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, recordError(err)
	}
	text, err := w.text()
	if err != nil {
		return nil, err
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	r := &Record{
		Gramfuzz: w.Gramfuzz, Grammar: w.Grammar, Bound: w.Bound, Measure: w.Measure, Strategy: w.Strategy,
		Over: w.Over, Distinct: w.Distinct, KPath: w.KPath, All: w.All, Strength: w.Strength, Containing: w.Containing, Damage: w.Damage, Break: w.Break, Words: w.Words,
		Alphabet: w.Alphabet, Names: w.Names, Layout: w.Layout, Swarm: w.Swarm, Seed: w.Seed, Index: w.Index,
		Rank: w.Rank, Text: text, Depth: w.Depth, Size: w.Size, Edits: w.Edits,
		Choices: make([]int, len(w.Choices)),
	}
	for i, c := range w.Choices {
		r.Choices[i] = int(c)
	}
	if len(r.Edits) == 0 {
		r.Edits = nil
	}
	for i := range r.Edits {
		if len(r.Edits[i].Insert) == 0 {
			r.Edits[i].Insert = nil // as in written records
		}
	}
	return r, nil
}

func (w *wire) text() ([]byte, error) {
	switch {
	case w.Text != nil && w.Text64 != nil:
		return nil, errors.New(`the record has both "text" and "text64"; it may have one of them`)
	case w.Text != nil:
		return []byte(*w.Text), nil
	case w.Text64 == nil:
		return nil, errors.New(`the record has neither "text" nor "text64"`)
	}
	text, err := base64.StdEncoding.DecodeString(*w.Text64)
	if err != nil {
		return nil, fmt.Errorf(`field "text64": %w`, err)
	}
	return text, nil
}

// check refuses values that no sentence can have.
func (w *wire) check() error {
	for i, c := range w.Choices {
		// A choice is at most the number of characters, so 32 bits are enough on every
		// machine.
		if c < Default || c > math.MaxInt32 {
			return fmt.Errorf(`field "choices": number %d is %d; a choice is %d to %d`, i, c, Default, math.MaxInt32)
		}
	}
	for i := range len(w.Rank) {
		if w.Rank[i] < '0' || w.Rank[i] > '9' {
			return fmt.Errorf(`field "rank": %.40q is not a decimal number`, w.Rank)
		}
	}
	if w.Depth < 0 || w.Size < 0 {
		return errors.New(`fields "depth" and "size" cannot be negative`)
	}
	return nil
}

// recordError rewords an error of encoding/json for users.
func recordError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a record of gramfuzz: no JSON at byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("not a record of gramfuzz: a JSON %s, no object", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("field %q: a JSON %s does not belong there", kind.Field, kind.Value)
	}
	return err
}

// ReadRecords reads a stream with a record on each line and skips empty lines. Errors begin
// with name:line, where name is that of the stream. After an error in one line the loop may
// continue with the next.
func ReadRecords(name string, r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		sc := bufio.NewScanner(r)
		sc.Buffer(nil, maxRecord)
		line := 1
		for ; sc.Scan(); line++ {
			data := bytes.TrimSpace(sc.Bytes())
			if len(data) == 0 {
				continue
			}
			rec, err := ParseRecord(data)
			if err != nil {
				err = fmt.Errorf("%s:%d: %w", name, line, err)
			}
			if !yield(rec, err) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			yield(nil, fmt.Errorf("%s:%d: %w", name, line, err))
		}
	}
}
