package target

// kept is the beginning of an output and the length of all of it.
type kept struct {
	limit int
	head  []byte
	total int64
}

func (k *kept) keep(b []byte) {
	k.total += int64(len(b))
	if room := k.limit - len(k.head); room > 0 {
		k.head = append(k.head, b[:min(len(b), room)]...)
	}
}
