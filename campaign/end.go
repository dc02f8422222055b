package campaign

import "errors"

// end writes what is written at the end.
func (c *Campaign) end() (*Summary, error) {
	sum := &Summary{New: int(c.fresh.Load())}
	err := errors.Join(c.save(), c.look())
	sum.Stats = *c.stats()
	var e error
	sum.Findings, e = c.folder.Findings()
	return sum, errors.Join(err, e)
}
