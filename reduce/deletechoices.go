package reduce

import "github.com/gramfuzz/gramfuzz/derive"

// ddminChoices deletes chunks of the choice sequence, halves first, then
// quarters, down to single choices (Zeller and Hildebrandt's delta debugging
// without complements, on choices as in Hypothesis).
func ddminChoices(s *search) error {
	return s.chunks(func(seq, _ []int) []int { return seq })
}

// nopChoices replaces chunks of the choice sequence by one default. First it also
// replaces the choice before the chunk, which may be the decision that the chunk
// depends on: then the choices behind keep their meaning. Then it replaces the
// chunk alone.
func nopChoices(s *search) error {
	err := s.chunks(func(seq, _ []int) []int {
		if n := len(seq); n > 0 && seq[n-1] != derive.Default {
			seq[n-1] = derive.Default
			return seq
		}
		return append(seq, derive.Default)
	})
	if err != nil {
		return err
	}
	return s.chunks(func(seq, _ []int) []int { return append(seq, derive.Default) })
}

// chunks tries all chunks of the choice sequence in ever smaller sizes. cut
// appends the replacement of a chunk to the choices before it.
func (s *search) chunks(cut func(seq, chunk []int) []int) error {
	for size := (len(s.best.choices()) + 1) / 2; size >= 1; size /= 2 {
		base := s.best.choices()
		_, err := s.tryAll((len(base)+size-1)/size, func(in []int, i int) (*candidate, error) {
			seq := make([]int, 0, len(base)+1)
			for k := 0; k*size < len(base); k++ {
				chunk := base[k*size : min((k+1)*size, len(base))]
				switch {
				case k == i:
					seq = cut(seq, chunk)
				case len(in) > 0 && in[0] == k:
					in = in[1:]
					seq = cut(seq, chunk)
				default:
					seq = append(seq, chunk...)
				}
			}
			return s.replay(seq)
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}
