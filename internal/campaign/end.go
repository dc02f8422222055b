package campaign

import "errors"

// end writes what is written at the end.
func (c *Campaign) end() (*Summary, error) {
	sum := &Summary{New: int(c.fresh.Load())}
	err := errors.Join(c.save(), c.look())
	sum.Stats = *c.stats()
	var e1, e2 error
	if sum.Findings, e1 = c.folder.Findings(); e1 == nil {
		sum.Page, e2 = c.writePage(sum)
	}
	return sum, errors.Join(err, e1, e2)
}
