package swarm

import "fmt"

// Mode says how a configuration is made of its coins.
type Mode uint8

// The modes.
const (
	Off   Mode = iota // everything is in
	Plain             // coins only
	Down              // also, each feature that is in can have all it consumes
	Both              // also, each feature that is in and has consumers has one in
)

var modeNames = [...]string{"off", "plain", "down", "both"}

func (m Mode) String() string { return modeNames[m] }

// ParseMode returns the mode of that name.
func ParseMode(name string) (Mode, error) {
	for i, n := range modeNames {
		if n == name {
			return Mode(i), nil
		}
	}
	return 0, fmt.Errorf("there is no swarm mode %q; there are %v", name, modeNames)
}
