package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/await"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// found returns the record of a finding, with a text of the given length.
func found(t *testing.T, detail, grammar string, bytes int) (key string, record []byte) {
	t.Helper()
	o := target.Outcome{Class: target.Crash, Detail: detail}
	fd := &campaign.Finding{Key: o.Key(), Signature: o.Signature(), Class: o.Class, Detail: detail, Shrunk: true, Record: &derive.Record{
		Grammar: derive.GrammarRef{SHA256: grammar}, Text: []byte(strings.Repeat("(", bytes)),
	}}
	record, err := fd.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return o.Key(), record
}

// TestHostileWorker checks that messages of a faulty or hostile worker are refused, counted and
// shown, and that valid ones are accepted, also large ones.
func TestHostileWorker(t *testing.T) {
	h := startHub(t, HubOptions{})
	dir := filepath.Join(t.TempDir(), "found")
	first := newTestWorker(dir, h.URL(), fails(two))
	first.campaign.Runs = 200
	runAll(t, first)
	grammar := first.fleet.Definition.Grammar

	s, err := newStore(h.Conn(), "main")
	if err == nil {
		err = s.open(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	send := func(part, key string, data []byte) {
		t.Helper()
		if _, err := s.js.Publish(t.Context(), s.subject(part, key), data); err != nil {
			t.Fatalf("%s %s: %v", part, key, err)
		}
	}
	// The server itself refuses messages that are larger than any valid one.
	if _, err := s.js.Publish(t.Context(), s.subject("entries", "x"), make([]byte, maxValue+1)); err == nil {
		t.Error("a message above the limit was kept")
	}
	good, record := found(t, "of another", grammar, 40)
	large, largeRecord := found(t, "large", grammar, inlineText+1)
	foreign, foreignRecord := found(t, "foreign", "another grammar", 40)
	object, err := s.putObject(t.Context(), largeRecord)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.texts.PutBytes(t.Context(), strings.Repeat("d", 32), []byte("something else")); err != nil {
		t.Fatal(err)
	}
	finding := func(m findingMessage) []byte { return mustJSON(m) }
	send("findings", good, finding(findingMessage{V: version, Record: record}))
	send("findings", large, finding(findingMessage{V: version, Object: object}))
	send("findings", foreign, finding(findingMessage{V: version, Record: foreignRecord}))
	send("findings", "0000000000000000", finding(findingMessage{V: version, Record: record}))
	send("findings", "1111111111111111", []byte("{"))
	send("findings", "2222222222222222", finding(findingMessage{V: version + 1, Record: record}))
	send("findings", "/etc/x", finding(findingMessage{V: version, Record: record}))
	send("findings", "3333333333333333", finding(findingMessage{V: version, Object: "../../etc"}))
	send("findings", "4444444444444444", finding(findingMessage{V: version, Object: strings.Repeat("d", 32)}))
	send("findings", "5555555555555555", finding(findingMessage{V: version, Worker: strings.Repeat("w", 1000), Record: record}))
	text, long := []byte("1 + 1"), []byte(strings.Repeat("(", inlineText+1))
	if _, err := s.putObject(t.Context(), long); err != nil {
		t.Fatal(err)
	}
	entry := func(m entryMessage) []byte { return mustJSON(m) }
	send("entries", corpus.Name(text), entry(entryMessage{V: version, Grammar: grammar, Text: text}))
	send("entries", corpus.Name(long), entry(entryMessage{V: version, Grammar: grammar, Object: corpus.Name(long)}))
	send("entries", strings.Repeat("a", 32), entry(entryMessage{V: version, Grammar: grammar, Text: text}))
	send("entries", strings.Repeat("b", 32), entry(entryMessage{V: version, Grammar: "another grammar", Text: text}))
	send("entries", strings.Repeat("c", 32), entry(entryMessage{V: version, Grammar: grammar, Object: "../../../etc/passwd"}))
	send("entries", strings.Repeat("d", 32), entry(entryMessage{V: version, Grammar: grammar, Object: strings.Repeat("d", 32)}))
	send("entries", "/x", entry(entryMessage{V: version, Grammar: grammar, Text: text}))
	send("entries", strings.Repeat("e", 32), []byte("\x00\x01"))
	send("entries", strings.Repeat("f", 32), entry(entryMessage{V: 0, Grammar: grammar, Text: text}))
	evil := mustJSON(selfReport{V: version, Name: "<script>alert(1)</script>\x1b[2J\n\""})
	for i := range ledgerHistory - 1 { // one more and no valid value is left
		send("state", "ledger", fmt.Appendf(nil, `{"v":1,"next":10,"open":[{"id":%d}]}`, i))
	}

	w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
	w.campaign.Runs = 300
	runAll(t, w)
	folder, err := campaign.Open(w.campaign.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{good: true, large: true}
	all, err := folder.Findings()
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range all {
		if fd.Detail != "deep" && fd.Detail != "zero" && !want[fd.Key] {
			t.Errorf("finding %s, %s, was taken", fd.Key, fd.Signature)
		}
		delete(want, fd.Key)
	}
	texts, err := folder.Texts()
	if err != nil || len(texts) != 2 || len(want) > 0 {
		t.Errorf("the worker has the texts %v; findings missing: %v; %v", texts, want, err)
	}
	if _, err := os.Stat(filepath.Join(w.campaign.Dir, "..", "etc")); err == nil {
		t.Error("a file was written outside the folder")
	}
	refused := w.log.Worker.reportNow().Refused
	if d := cmp.Diff(map[string]uint64{"name": 3, "grammar": 2, "not JSON": 2, "version": 2, "content": 6}, refused); d != "" {
		t.Errorf("refused: -want +got:\n%s", d)
	}
	send("workers", "nonsense", []byte("nonsense"))
	send("workers", "evil", evil)
	i := 0
	for name := range slices.Chunk([]rune(blind.Hostile()), maxName/4) {
		send("workers", fmt.Sprint("evil", i), mustJSON(selfReport{V: version, Name: string(name)}))
		i++
	}
	st := look(t, h)
	// The status has the worker's last report, which may lack some on a slow disk, and the
	// messages that the status itself refused.
	data, _, err := get(t.Context(), s.workers, w.log.Worker.own.ID)
	if err != nil {
		t.Fatal(err)
	}
	var told selfReport
	if err := json.Unmarshal(data, &told); err != nil {
		t.Fatal(err)
	}
	for why, n := range told.Refused {
		if st.Refused[why] < n {
			t.Errorf("the worker refused %v, the status says %v", told.Refused, st.Refused)
		}
	}
	if len(told.Refused) == 0 || st.Refused["not JSON"] <= told.Refused["not JSON"] {
		t.Errorf("the worker refused %v, the status says %v", told.Refused, st.Refused)
	}
	checkPage(t, h)
}

// checkPage requests the page of a fleet with a hostile worker.
func checkPage(t *testing.T, h *Hub) {
	watch, err := NewWatch(h.Conn(), "main")
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPage(watch, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	get := func(path, host string) (int, string) {
		r, err := http.NewRequest("GET", p.URL()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	tests := []struct {
		path, host string
		code       int
		has, not   string
	}{
		{"", "", 200, "&lt;script&gt;alert(1)", "<script>"},
		{"", "", 200, `&lt;/script&gt;\x1b[2J`, "\x1b"},
		{"", "localhost", 200, "messages refused: not JSON", "<script>"},
		{"", "evil.example", 403, "127.0.0.1", "Fleet"},
		{"", "127.0.0.1.evil.example:80", 403, "127.0.0.1", "Fleet"},
		{"metrics", "[::1]:99", 200, `<script>alert(1)</script>` + "\x1b" + `[2J\n\""`, "\n\""},
		{"metrics", "", 200, `gramfuzz_refused{fleet="main",reason="not JSON"} `, "NaN"},
		{"status.json", "", 200, `"leases":[`, "<script>"},
		{"other", "", 404, "", "Fleet"},
	}
	for _, test := range tests {
		code, body := get(test.path, test.host)
		if code != test.code || !strings.Contains(body, test.has) || strings.Contains(body, test.not) {
			t.Errorf("/%s for %q: %d\n%s", test.path, test.host, code, body)
		}
		if raw := blind.Raw(body); test.path == "" && raw != "" {
			t.Errorf("the page has %q", raw)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for addr, want := range map[string]string{"0.0.0.0:0": "whoever reaches it", ":0": "whoever reaches it", "8080": "is not an address"} {
		if _, err := NewPage(watch, addr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a page at %s: %v", addr, err)
		}
	}
}

// TestDefinitions checks that a worker with another definition is refused, with the difference.
func TestDefinitions(t *testing.T) {
	h := startHub(t, HubOptions{})
	first := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
	first.campaign.Runs = 50
	runAll(t, first)
	tests := []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"the same", func(o *Options) {}, ""},
		{"another lease", func(o *Options) { o.Definition.Lease = time.Minute }, ""},
		{"any seed", func(o *Options) { o.Definition.Seed, o.AnySeed = 8, true }, ""},
		{"another seed", func(o *Options) { o.Definition.Seed = 8 }, "the seed is 7 there and 8 here"},
		{"another grammar", func(o *Options) { o.Definition.Grammar = "other\x1b[2J" }, `and "other\x1b[2J" here`},
		{"another program", func(o *Options) { o.Definition.Program = "abc" }, `the program (hash) is "" there and "abc" here`},
		{"another map", func(o *Options) { o.Definition.Edges = 64 }, "the size of the map of edges is 0 there and 64 here"},
		{"a target of one side", func(o *Options) { o.Definition.Target = "x" }, `--target-id is "" there and "x" here`},
		{"another fleet", func(o *Options) { o.Fleet, o.Definition.Seed = "other", 9 }, ""},
		{"no name of a fleet", func(o *Options) { o.Fleet = "a/b" }, "is not a name"},
	}
	for _, test := range tests {
		o := first.fleet
		o.Dir = filepath.Join(t.TempDir(), "found")
		test.change(&o)
		w, err := Join(t.Context(), o)
		if err == nil {
			if o.AnySeed && w.Seed() != 7 {
				t.Errorf("%s: the seed is %d", test.name, w.Seed())
			}
			w.Close()
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v", test.name, err)
		}
	}
}

// TestWithoutHub starts a former worker of the fleet without the hub. It keeps its findings, and
// sends them when the hub is back, even with nothing left to run.
func TestWithoutHub(t *testing.T) {
	data := filepath.Join(t.TempDir(), "hub")
	addr := freeAddress(t)
	h := startHub(t, HubOptions{Data: data, Listen: addr})
	w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
	w.campaign.Runs = 1
	runAll(t, w)
	h.Close()

	alone := newTestWorker(w.campaign.Dir, "nats://"+addr, fails(two))
	alone.campaign.Runs = 3_000
	runAll(t, alone)
	owns := 0
	for i, n := range alone.log.ran {
		if i < ownPlaces || n > 1 {
			t.Errorf("place %d was run %d times without the hub", i, n)
		}
		owns++
	}
	stranger := newTestWorker(filepath.Join(t.TempDir(), "found"), "nats://"+addr, fails(two))
	if _, err := stranger.run(t.Context()); err == nil || !strings.Contains(err.Error(), "start the hub first") {
		t.Errorf("a worker that was in no fleet: %v", err)
	}
	for _, test := range []struct {
		make func(path string) error
		want string
	}{
		{func(path string) error { return os.WriteFile(path, []byte("{"), 0o600) }, "remove it and start the hub"},
		{func(path string) error { return os.Mkdir(path, 0o700) }, "this is a folder"},
		{func(path string) error { return os.WriteFile(path, make([]byte, maxFile+1), 0o600) }, "more than 1 MiB"},
	} {
		w := newTestWorker(t.TempDir(), "nats://"+addr, fails(two))
		if err := test.make(filepath.Join(w.campaign.Dir, joinedName)); err != nil {
			t.Fatal(err)
		}
		if _, err := w.run(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want %s", err, test.want)
		}
	}

	for _, left := range []string{data, filepath.Join(t.TempDir(), "empty")} {
		h = startHub(t, HubOptions{Data: left, Listen: addr})
		again := newTestWorker(w.campaign.Dir, h.URL(), fails(two))
		again.campaign.Runs = 200
		runAll(t, again)
		for i := range again.log.ran {
			if alone.log.ran[i] > 0 {
				t.Errorf("place %d was run again", i)
			}
		}
		st := look(t, h)
		if len(st.Findings) != 2 || owns == 0 {
			t.Errorf("%d places were run without the hub; then there are %+v", owns, st.Findings)
		}
		h.Close()
	}
}

// TestHubForgets checks that the fleet continues when the hub loses all data while a worker runs,
// and that no place is given out again.
func TestHubForgets(t *testing.T) {
	addr := freeAddress(t)
	h := startHub(t, HubOptions{Listen: addr})
	w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
	w.campaign.Runs = 0
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := w.run(ctx)
		done <- err
	}()
	arrive := func(what string, is func(*Status) bool) {
		t.Helper()
		watch, err := NewWatch(h.Conn(), "")
		if err != nil {
			t.Fatal(err)
		}
		var st *Status
		here := func() bool {
			st, err = watch.Status(t.Context())
			return err == nil && is(st)
		}
		await.Until(t, here, func() string { return fmt.Sprintf("%s: %+v, %v", what, st, err) })
	}
	all := func(st *Status) bool { return len(st.Findings) == 2 && st.Sentences > 1000 && len(st.Workers) == 1 }
	arrive("the findings", all)
	h.Close()
	h = startHub(t, HubOptions{Listen: addr})
	arrive("the findings again", all)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for i, n := range w.log.ran {
		if n > 1 {
			t.Fatalf("place %d was run %d times", i, n)
		}
	}
}

// TestShrinkingIsTakenOver checks that another worker continues the shrinking of a worker that is
// gone, and does not repeat the runs of the first one.
func TestShrinkingIsTakenOver(t *testing.T) {
	h := startHub(t, HubOptions{})
	s, err := newStore(h.Conn(), "main")
	if err == nil {
		err = s.create(t.Context(), time.Second, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
	w.fleet.Definition.Lease = time.Second // the definition in the bucket has it, too
	key, record := found(t, "deep", w.fleet.Definition.Grammar, 40)
	record = []byte(strings.Replace(strings.Replace(string(record), `"shrunk":true`, `"shrunk":false`, 1), strings.Repeat("(", 40), "(((((1)))))", 1))
	m := findingMessage{V: version, Worker: "gone", Shrinker: "gone", Begun: true, Record: record}
	if _, err := set(t.Context(), s.findings, key, mustJSON(m), 0); err != nil {
		t.Fatal(err)
	}
	gone := &answers{w: &Worker{store: s}, key: key}
	no := [32]byte{1, 2, 3}
	gone.Put(no, false)
	gone.Put([32]byte{4}, true)
	gone.flush()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w.campaign.Runs, w.campaign.Enough = 0, 0
	go func() {
		defer cancel()
		watch, err := NewWatch(h.Conn(), "")
		for err == nil && ctx.Err() == nil {
			st, e := watch.Status(ctx)
			if e == nil && slices.ContainsFunc(st.Findings, func(f FindingStatus) bool { return f.Key == key && f.Shrunk }) {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	if _, err := w.run(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	st := look(t, h)
	for _, f := range st.Findings {
		if f.Key == key && (!f.Shrunk || f.Bytes > 11) {
			t.Errorf("the finding is %+v", f)
		}
	}
	nc, err := nats.Connect(h.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	reader := &answers{w: &Worker{store: &store{name: "main", nc: nc, js: s.js}, report: selfReport{Refused: map[string]uint64{}}}, key: key, no: map[answer]bool{}}
	reader.load(t.Context())
	if _, known := reader.Get(no); !known {
		t.Error("an answer was lost")
	}
	if _, known := reader.Get([32]byte{4}); known {
		t.Error("an answer yes was shared")
	}

}
