package swarm

import "fmt"

// Mode is the way in which a configuration is completed after the coins are tossed.
type Mode uint8

// The modes.
const (
	Off   Mode = iota // every feature is in
	Plain             // coins only
	Down              // coins, and a producer for every node that a feature consumes
	Both              // as Down, and a consumer for every feature that has consumers
)

var modeNames = [...]string{"off", "plain", "down", "both"}

// String returns the name of the mode as [ParseMode] reads it.
func (m Mode) String() string { return modeNames[m] }

// ParseMode returns the mode of a name: off, plain, down or both.
func ParseMode(name string) (Mode, error) {
	for i, n := range modeNames {
		if n == name {
			return Mode(i), nil
		}
	}
	return 0, fmt.Errorf("there is no swarm mode %q; there are %v", name, modeNames)
}
