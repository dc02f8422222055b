package core

// linear solves x = Ax + b for a sparse matrix A without negative numbers, by Gaussian
// elimination from the last unknown to the first. It needs no pivoting: if the spectral radius of
// A is below 1, every pivot is positive (I-A is an M-matrix); otherwise some pivot is not. Only
// pivots are made by subtraction, so the solution is about as exact as they are.
type linear struct {
	row  []float64 // of A: the coefficients of the next row; zero between rows
	rows [][]coefficient
	b    []float64
}

// coefficient is one of an eliminated row.
type coefficient struct {
	column int
	value  float64
}

func newLinear(n int) *linear {
	return &linear{row: make([]float64, n), rows: make([][]coefficient, n), b: make([]float64, n)}
}

// eliminate takes the coefficients in l.row as row i, once all later rows are eliminated, and
// clears it. It reports whether the pivot is positive.
func (l *linear) eliminate(i int, b float64) bool {
	for j := len(l.row) - 1; j > i; j-- {
		f := l.row[j]
		if f == 0 {
			continue
		}
		l.row[j] = 0
		for _, c := range l.rows[j] {
			l.row[c.column] += f * c.value
		}
		b += f * l.b[j]
	}
	pivot := 1 - l.row[i]
	l.row[i] = 0
	l.b[i], l.rows[i] = b/pivot, l.rows[i][:0]
	for j, v := range l.row[:i] {
		if v != 0 {
			l.rows[i] = append(l.rows[i], coefficient{j, v / pivot})
			l.row[j] = 0
		}
	}
	return pivot > 0
}

// solve returns x after all rows were eliminated. It overwrites b.
func (l *linear) solve() []float64 {
	for i, row := range l.rows {
		for _, c := range row {
			l.b[i] += c.value * l.b[c.column]
		}
	}
	return l.b
}
