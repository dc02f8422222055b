package context

import (
	"fmt"
	"strconv"
	"strings"
)

// String writes the options as records keep them: the mode, and after a colon
// the size of the pool where it is not [DefaultPool].
func (o Options) String() string {
	switch {
	case o.Off:
		return "off"
	case o.Pool == 0 || o.Pool == DefaultPool:
		return o.Mode.String()
	}
	return fmt.Sprintf("%v:%d", o.Mode, o.Pool)
}

// ParseOptions reads what [Options.String] wrote; "" is the zero value.
func ParseOptions(s string) (o Options, err error) {
	if s == "" {
		return o, nil
	}
	if s == "off" {
		return Options{Off: true}, nil
	}
	mode, pool, sized := strings.Cut(s, ":")
	if o.Mode, err = ParseMode(mode); err != nil {
		return o, err
	}
	if sized {
		if o.Pool, err = strconv.Atoi(pool); err != nil || o.Pool < 1 || o.Pool > MaxPool {
			return o, fmt.Errorf("%q is no pool of names; a pool has 1 to %d", pool, MaxPool)
		}
	}
	return o, nil
}
