package random

import "testing"

// TestNext compares with the published output of the reference implementation
// in C for the seed 1234567.
func TestNext(t *testing.T) {
	state := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := Next(state); got != want {
			t.Errorf("output %d: %d, want %d", i, got, want)
		}
		state += Gamma
	}
}
