package count

import "context"

// The numbers of a product at size n are a sum over the numbers of its parts at
// sizes that add up to n. Where both sizes are below the beginning of a block of
// sizes, that is done for the whole block at once: the rows of numbers then pass
// through the processor's caches once for a block, not once for a size.

const (
	blockSum = 32 // products that are added up before the sum joins the others, so that few roundings follow each other
	block    = 16 // sizes that are begun at once, a multiple of 4
)

// roundings bounds how many roundings a term of a convolution of n terms meets.
func roundings(n int) int64 { return int64(blockSum + n/blockSum + 8) }

// fill computes the numbers size by size, up to the first above the limit, and
// returns the last size that is complete. The error is the context's.
func (f *Floats) fill(ctx context.Context, limit float64, progress func(done float64)) (int, error) {
	p := f.Program
	f.w = make([][]float64, len(p.Nodes))
	for id := range f.w {
		f.w[id] = make([]float64, f.Max+1)
	}
	var begun [][block]float64 // of each product, in order
	powers := f.powers()
	for n := range f.Max + 1 {
		from := n - n%block
		if n == from && n > 0 {
			var err error
			if begun, err = f.begin(ctx, begun[:0], from); err != nil {
				return 0, err
			}
		}
		product := 0
		for i, id := range p.order {
			if i&0xff == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			node := &p.Nodes[id]
			v := 0.0
			switch a, b, dense := f.parts(node); {
			case !dense:
				v = f.at(node, n, powers)
			case from == 0:
				v = convolve(a[:n+1], b[:n+1])
			default:
				v = begun[product][n-from] + convolve(a[:n-from+1], b[from:n+1]) + convolve(b[:n-from+1], a[from:n+1])
				product++
			}
			if f.w[id][n] = v; v > limit {
				return n - 1, nil
			}
		}
		if progress != nil {
			progress(float64(n+1) * float64(n+1) / float64((f.Max+1)*(f.Max+1)))
		}
	}
	return f.Max, nil
}

// parts returns the rows of a product that no terminal is a part of.
func (f *Floats) parts(node *Node) (a, b []float64, dense bool) {
	if node.Op != Prod || f.Program.Nodes[node.Kids[0]].Op == Leaf || f.Program.Nodes[node.Kids[1]].Op == Leaf {
		return nil, nil, false
	}
	return f.w[node.Kids[0]], f.w[node.Kids[1]], true
}

// begin adds up, for the block of sizes from the given one on, what is known.
func (f *Floats) begin(ctx context.Context, begun [][block]float64, from int) ([][block]float64, error) {
	for i, id := range f.Program.order {
		if i&0xff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a, b, dense := f.parts(&f.Program.Nodes[id])
		if !dense {
			continue
		}
		var sums [block]float64
		for j := 0; j < block; j += 4 {
			convolve4(a[:from], b[:from], from+j, (*[4]float64)(sums[j:]))
		}
		begun = append(begun, sums)
	}
	return begun, nil
}

// convolve4 adds to sum j the products a[k]·b[n+j-k], for all k for which both
// exist. Both have the same length, at most n.
func convolve4(a, b []float64, n int, sum *[4]float64) {
	end := len(a)
	first := n + 4 - end // from here on there is a product for all four
	for j := range 3 {
		for k := n + j - end + 1; k < min(first, end); k++ {
			sum[j] += a[k] * b[n+j-k]
		}
	}
	for ; first < end; first += blockSum {
		last := min(first+blockSum, end)
		var s0, s1, s2, s3 float64
		b1, b2, b3 := b[n+1-first], b[n+2-first], b[n+3-first]
		right := b[n-last+1 : n-first+1]
		at := len(right)
		for _, x := range a[first:last] {
			at--
			b0 := right[at]
			s0 += x * b0
			s1 += x * b1
			s2 += x * b2
			s3 += x * b3
			b1, b2, b3 = b0, b1, b2
		}
		sum[0] += s0
		sum[1] += s1
		sum[2] += s2
		sum[3] += s3
	}
}

// convolve returns the sum over k of a[k]·b[n-k], both of length n+1.
func convolve(a, b []float64) float64 {
	n := len(a) - 1
	total := 0.0
	for from := 0; from <= n; from += 2 * blockSum {
		to := min(from+2*blockSum, n+1)
		var s0, s1 float64
		k := from
		for ; k+1 < to; k += 2 {
			s0 += a[k] * b[n-k]
			s1 += a[k+1] * b[n-k-1]
		}
		if k < to {
			s0 += a[k] * b[n-k]
		}
		total += s0 + s1
	}
	return total
}
