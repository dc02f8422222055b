package words

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Duration is a flag for a duration: 90, 1.5, 10s, 5m.
type Duration time.Duration

// Set implements the interface of flags.
func (d *Duration) Set(s string) error {
	if v, err := strconv.ParseFloat(s, 64); err == nil && v >= 0 && v < 1<<33 {
		*d = Duration(v * float64(time.Second))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return errors.New("write a time such as 10s or 5m; a number alone is seconds")
	}
	*d = Duration(v)
	return nil
}

func (d *Duration) String() string {
	if *d == 0 {
		return "0"
	}
	return time.Duration(*d).String()
}

// Type names the kind of value in help texts.
func (d *Duration) Type() string { return "duration" }

// Bytes is a flag for a number of bytes: 4096, 64KiB, 2GiB.
type Bytes int64

// Set implements the interface of flags.
func (b *Bytes) Set(s string) error {
	number, factor := s, int64(1)
	for _, unit := range []struct {
		name   string
		factor int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}} {
		if n := len(s) - len(unit.name); n > 0 && strings.EqualFold(s[n:], unit.name) {
			number, factor = strings.TrimSpace(s[:n]), unit.factor
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 1) || v*float64(factor) > 1<<62 {
		return errors.New("write a number of bytes such as 4096, 64KiB or 2GiB")
	}
	*b = Bytes(v * float64(factor))
	return nil
}

func (b *Bytes) String() string {
	v, u := int64(*b), 0
	units := []string{"", "KiB", "MiB", "GiB", "TiB"}
	for v != 0 && v%1024 == 0 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return strconv.FormatInt(v, 10) + units[u]
}

// Type names the kind of value in help texts.
func (b *Bytes) Type() string { return "bytes" }

// Regexp is a flag for a regular expression; "" is none.
type Regexp struct{ *regexp.Regexp }

// Set implements the interface of flags.
func (r *Regexp) Set(s string) (err error) {
	r.Regexp = nil
	if s != "" {
		r.Regexp, err = regexp.Compile(s)
	}
	return err
}

func (r *Regexp) String() string {
	if r.Regexp == nil {
		return ""
	}
	return r.Regexp.String()
}

// Type names the kind of value in help texts.
func (r *Regexp) Type() string { return "regexp" }
