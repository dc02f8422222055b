package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// version is the version of every message. Messages of another version are refused.
const version = 1

func versionError(v int) error {
	return refuse("version", "a message of version %d, not %d; run the same gramfuzz on all machines", v, version)
}

// The limits of messages, in bytes. Texts above inlineText go through the object store.
const (
	inlineText = 256 << 10
	maxText    = 16 << 20
	maxValue   = 512 << 10 // of a value in a bucket
	maxName    = 100
)

// strictJSON reads one JSON value with no data after it.
func strictJSON(data []byte, v any) error {
	if len(data) > maxValue {
		return refuse("too large", "a message of %d bytes, more than %d", len(data), maxValue)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return refuse("not JSON", "not JSON as it should be: %v", err)
	}
	return nil
}

// Definition has all settings that the workers of a fleet must agree on. Values are compared
// literally; Target replaces Command and Program if the user gives it.
type Definition struct {
	V       int    `json:"v"`
	Grammar string `json:"grammar"` // SHA-256 of its files
	Start   string `json:"start"`
	Stream  string `json:"stream"`  // bound, damage, dictionary, guide
	Command string `json:"command"` // as the user gave it
	Program string `json:"program"` // hash of the executable
	Edges   int    `json:"edges"`   // the size of the map of edges; 0: none
	Target  string `json:"target"`  // the user's name for Command and Program; "": none
	Seed    uint64 `json:"seed"`

	Lease time.Duration `json:"lease"` // the time after which a silent worker loses its blocks
}

// difference describes how the definition of a joining worker differs from that of the fleet; ""
// if they agree. The seed counts only if the user gave one.
func (d *Definition) difference(join *Definition, anySeed bool) string {
	var all []string
	is := func(name string, theirs, ours any) {
		if theirs != ours {
			all = append(all, fmt.Sprintf("%s is %s there and %s here", name, short(theirs), short(ours)))
		}
	}
	is("the grammar (SHA-256)", d.Grammar, join.Grammar)
	is("the start rule", d.Start, join.Start)
	is("what steers the sentences", d.Stream, join.Stream)
	is("--target-id", d.Target, join.Target)
	if d.Target == "" && join.Target == "" {
		is("the command", d.Command, join.Command)
		is("the program (hash)", d.Program, join.Program)
	}
	is("the size of the map of edges", d.Edges, join.Edges)
	if !anySeed {
		is("the seed", d.Seed, join.Seed)
	}
	return strings.Join(all, "; ")
}

// short formats a value of a definition; foreign text is quoted and shortened.
func short(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%.200q", s)
	}
	return fmt.Sprint(v)
}

func parseDefinition(data []byte) (*Definition, error) {
	var d Definition
	if err := strictJSON(data, &d); err != nil {
		return nil, err
	}
	if d.V != version {
		return nil, versionError(d.V)
	}
	if d.Lease < minLease || d.Lease > maxLease {
		return nil, fmt.Errorf("a definition with leases of %v", d.Lease)
	}
	return &d, nil
}

// The shortest and the longest lease. The server expires keys to a tenth of a second.
const (
	minLease     = 500 * time.Millisecond
	maxLease     = time.Hour
	DefaultLease = 30 * time.Second
)

// selfReport is the value of a worker's key.
type selfReport struct {
	V         int               `json:"v"`
	Name      string            `json:"name"`
	Slot      uint64            `json:"slot"`
	Runs      uint64            `json:"runs"`
	PerSecond float64           `json:"per_second"`
	Labels    int               `json:"labels"`
	Imported  uint64            `json:"imported"` // the revision up to which it has the entries
	Lost      uint64            `json:"lost"`     // blocks that others took over
	Offline   uint64            `json:"offline"`  // sentences of its own places
	Refused   map[string]uint64 `json:"refused,omitempty"`
}

func parseReport(data []byte) (*selfReport, error) {
	var r selfReport
	if err := strictJSON(data, &r); err != nil {
		return nil, err
	}
	switch {
	case r.V != version:
		return nil, versionError(r.V)
	case len(r.Name) > maxName || len(r.Refused) > maxName || !(r.PerSecond >= 0):
		return nil, errors.New("a report of a worker beyond its limits")
	}
	return &r, nil
}

// findingMessage is the value of a finding's key.
type findingMessage struct {
	V        int    `json:"v"`
	Worker   string `json:"worker"`  // the id of the worker that wrote it
	Attempt  uint64 `json:"attempt"` // the attempt number of that worker
	Shrinker string `json:"shrinker,omitempty"`
	Begun    bool   `json:"begun,omitempty"` // a worker has begun to shrink it
	Object   string `json:"object,omitempty"`
	Record   []byte `json:"record,omitempty"` // otherwise: as [campaign.Finding.Append] writes it
}

// entryMessage is the value of an entry's key.
type entryMessage struct {
	V       int    `json:"v"`
	Grammar string `json:"grammar"`
	Object  string `json:"object,omitempty"`
	Text    []byte `json:"text,omitempty"`
}

// Patterns of foreign names that become names of files.
var (
	findingKey = regexp.MustCompile(`^[0-9a-f]{16}$`)
	objectName = regexp.MustCompile(`^[0-9a-f]{32}$`)
	fleetName  = regexp.MustCompile(`^[A-Za-z0-9-]{1,40}$`)
)

func parseFindingMessage(data []byte) (*findingMessage, error) {
	var m findingMessage
	if err := strictJSON(data, &m); err != nil {
		return nil, err
	}
	switch {
	case m.V != version:
		return nil, versionError(m.V)
	case len(m.Worker) > maxName || len(m.Shrinker) > maxName:
		return nil, errors.New("the name of a worker is too long")
	case m.Object != "" && !objectName.MatchString(m.Object):
		return nil, refuse("name", "an object with the name %.80q", m.Object)
	}
	return &m, nil
}

// parseRecord reads the record of a finding and checks its key and grammar.
func parseRecord(key string, record []byte, grammar string) (*campaign.Finding, error) {
	if !findingKey.MatchString(key) {
		return nil, refuse("name", "a finding with the name %.80q", key)
	}
	fd, err := campaign.ParseFinding(record)
	switch {
	case err != nil:
		return nil, err
	case fd.Key != key:
		return nil, fmt.Errorf("finding %s has the record of %.80q", key, fd.Key)
	case fd.Record.Grammar.SHA256 != grammar:
		return nil, refuse("grammar", "finding %s is of another grammar, %.80q", key, fd.Record.Grammar.SHA256)
	}
	return fd, nil
}

// parseEntry reads an entry. Its text is missing if it is in the object store.
func parseEntry(key string, data []byte, grammar string) (*entryMessage, error) {
	var m entryMessage
	if err := strictJSON(data, &m); err != nil {
		return nil, err
	}
	switch {
	case m.V != version:
		return nil, versionError(m.V)
	case !objectName.MatchString(key):
		return nil, refuse("name", "an entry with the name %.80q", key)
	case m.Grammar != grammar:
		return nil, refuse("grammar", "entry %s is of another grammar, %.80q", key, m.Grammar)
	case m.Object != "" && m.Object != key:
		return nil, fmt.Errorf("entry %s has the text of %.80q", key, m.Object)
	case m.Object == "" && corpus.Name(m.Text) != key:
		return nil, fmt.Errorf("entry %s has another text", key)
	}
	return &m, nil
}

// refused is the error of a message that is not accepted.
type refused struct {
	why  string // the reason in a word or two, for counting
	text string
}

func (r *refused) Error() string { return r.text }

func refuse(why, format string, a ...any) error { return &refused{why, fmt.Sprintf(format, a...)} }

// refusal returns the reason why a message was refused, in a word or two.
func refusal(err error) string {
	var r *refused
	if errors.As(err, &r) {
		return r.why
	}
	return "content"
}

// mustJSON marshals one of the messages above, which cannot fail.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a message cannot be written: %v", err))
	}
	return data
}
