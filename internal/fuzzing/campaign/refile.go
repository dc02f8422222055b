package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// refile runs the findings of an earlier version of the program again. Those that fail get their
// present signature, so that a moved line makes no second finding; those that do not are fixed.
func (w *worker) refile(ctx context.Context) error {
	c := w.c
	all, err := c.folder.Findings()
	if err != nil || c.o.Program == "" {
		return err
	}
	var same, moved, fixed int
	var old, become []*Finding
	for _, fd := range all {
		if fd.Program == c.o.Program {
			continue
		}
		now, err := w.refiled(ctx, fd)
		if err != nil {
			return err
		}
		switch {
		case !now.Fixed.IsZero():
			if fd.Fixed.IsZero() {
				fixed++
			}
		case now.Key == fd.Key:
			same++
		default:
			moved++
		}
		old, become = append(old, fd), append(become, now)
	}
	if len(old) == 0 {
		return nil
	}
	if err := c.folder.Refile(old, become); err != nil {
		return fmt.Errorf("the findings cannot be filed anew: %w", err)
	}
	if same+moved+fixed > 0 {
		c.event(Event{Kind: Note, Text: fmt.Sprintf("the program has changed, so its findings were run again: %d as before, %d filed anew, %d fixed", same, moved, fixed)})
	}
	c.mu.Lock()
	clear(c.known)
	c.mu.Unlock()
	return c.readFindings()
}

// refiled returns a finding's version for the present program.
func (w *worker) refiled(ctx context.Context, fd *Finding) (*Finding, error) {
	now := *fd
	now.Program, now.Command = w.c.o.Program, w.c.o.Command
	var other *target.Outcome
	var otherRan *Ran
	for range confirmations {
		r, err := w.exec(ctx, fd.Record.Text)
		if err != nil {
			return nil, err
		}
		o, failed := w.c.o.Failing.of(r)
		if !failed {
			continue
		}
		if o, _, err = w.c.explain.of(ctx, fd.Record.Text, o, true); err != nil {
			return nil, err
		}
		if o.Key() == fd.Key {
			now.describe(o, r)
			now.Fixed = time.Time{}
			return &now, nil
		}
		other, otherRan = &o, r
	}
	if other == nil {
		if fd.Fixed.IsZero() {
			now.Fixed = time.Now().UTC().Truncate(time.Second)
		}
		return &now, nil
	}
	now.describe(*other, otherRan)
	now.Fixed = time.Time{}
	now.Note = fmt.Sprintf("before the program changed this was %s, %s", fd.Key, fd.Signature)
	return &now, nil
}
