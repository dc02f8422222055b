package fastdraw

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// naming is the second pass over sentences, which inserts names. It is for one goroutine.
type naming struct {
	symbols *symbols
	raw     []byte
	env     *scope.Env
	held    []int // beginnings of texts to be bound
}

func newNaming(s *symbols) *naming {
	if s == nil {
		return nil
	}
	return &naming{symbols: s, env: s.names.NewEnv()}
}

// text appends to dst the sentence raw, with its symbols replaced by names.
func (n *naming) text(dst, raw []byte, err error) ([]byte, error) {
	n.raw = raw
	if err != nil {
		return dst, err
	}
	n.env.Reset()
	n.held = n.held[:0]
	end := len(raw)
	raw = append(raw, 0, 0, 0, 0, 0, 0, 0, 0)
	n.raw = raw
	for at := 0; at < end; {
		// Eight bytes at a time, up to the first that is not ASCII.
		dst = slices.Grow(dst, 8)
		x := binary.LittleEndian.Uint64(raw[at:])
		k := min(bits.TrailingZeros64(x&0x8080808080808080)/8, end-at)
		last := len(dst)
		binary.LittleEndian.PutUint64(dst[last:last+8], x)
		dst = dst[:last+k]
		at += k
		if k == 8 || at == end {
			continue
		}
		if raw[at] < firstMark {
			dst = append(dst, raw[at])
			at++
			continue
		}
		dst, at = n.symbol(dst, raw, at)
	}
	return dst, nil
}

// symbol executes the symbol at raw[at:] and returns its end.
func (n *naming) symbol(dst, raw []byte, at int) ([]byte, int) {
	code := int(raw[at]) - firstMark + 1
	at++
	if raw[at-1] == longMark {
		code = int(raw[at])<<8 | int(raw[at+1])
		at += 2
	}
	s := &n.symbols.sorts[code]
	i := 0
	if s.index > 0 {
		i = int(raw[at])
		at++
	}
	if s.index > 1 {
		i = i<<8 | int(raw[at])
		at++
	}
	switch s.act {
	case core.NoEffect:
		return append(dst, raw[at]), at + 1
	case core.OwnLeaf:
		if s.el.Kind == scope.Shadow {
			return append(dst, n.env.Take(&s.el, s.first+i)...), at
		}
		dst = append(dst, n.env.TakeOfLength(&s.el, s.fresh, s.size, i)...)
	case scope.CommitNames:
		n.env.Commit(s.el.Component)
	case scope.BeginScope:
		n.env.Begin(s.el.Component)
	case scope.EndScope:
		n.env.End(s.el.Component)
	case scope.HoldText:
		n.held = append(n.held, len(dst))
	case scope.BindText:
		last := len(n.held) - 1
		n.env.Bind(s.el.Component, string(dst[n.held[last]:]))
		n.held = n.held[:last]
	}
	return dst, at
}
