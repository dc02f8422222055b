package fleet

import "context"

// answer identifies a text that does not fail in the finding's way: the beginning of its hash.
type answer [16]byte

// answersBatch is the number of answers in a message.
const answersBatch = 512

// answersMessage has answers of the predicate of a finding.
type answersMessage struct {
	V  int    `json:"v"`
	No []byte `json:"no"` // concatenated answers
}

// answers holds the texts that are known not to fail in the finding's way, from all workers that
// have shrunk it. "Yes" is not shared: such a text is a step of the shrinking, and this worker's
// own run has to confirm it. It belongs to one goroutine.
type answers struct {
	w   *Worker
	key string
	no  map[answer]bool
	new []byte
}

// Get implements reduce.Cache.
func (a *answers) Get(key [32]byte) (holds, known bool) { return false, a.no[answer(key[:16])] }

// Put implements reduce.Cache.
func (a *answers) Put(key [32]byte, holds bool) {
	if holds {
		return
	}
	a.new = append(a.new, key[:16]...)
	if len(a.new) >= answersBatch*len(answer{}) {
		a.flush()
	}
}

// flush publishes the new answers; if the message is lost, some runs are repeated.
func (a *answers) flush() {
	if len(a.new) > 0 {
		_ = a.w.store.nc.Publish(a.w.store.refutedSubject(a.key), mustJSON(answersMessage{version, a.new}))
		a.new = nil
	}
}

// load reads the answers of other workers.
func (a *answers) load(ctx context.Context) {
	s := a.w.store
	_, _ = s.since(ctx, s.bucket("refuted"), s.refutedSubject(a.key), 0, func(m message) error {
		var got answersMessage
		err := strictJSON(m.data, &got)
		switch {
		case err != nil:
		case got.V != version:
			err = versionError(got.V)
		case len(got.No)%len(answer{}) != 0:
			err = refuse("content", "answers of %d bytes", len(got.No))
		}
		if err != nil {
			a.w.refuse(err)
			return nil
		}
		for no := got.No; len(no) > 0; no = no[len(answer{}):] {
			a.no[answer(no[:len(answer{})])] = true
		}
		return nil
	})
}
