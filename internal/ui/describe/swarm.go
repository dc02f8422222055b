package describe

import (
	"strings"

	"github.com/gramfuzz/gramfuzz/swarm"
)

// Configuration is a swarm configuration in JSON.
type Configuration struct {
	Name    string `json:"name"`
	Derives bool   `json:"derives"`
	Parts   []Part `json:"parts"`
}

// Part is a part of the grammar and its state in the configuration.
type Part struct {
	Name  string `json:"name"`
	State string `json:"state"` // "used"; "idle": it is in, but no sentence has it; "out"
}

// ConfigurationOf describes a configuration: its lines, a sign and a name each, as fields.
func ConfigurationOf(c *swarm.Config) Configuration {
	d := Configuration{c.Name(), c.Derives(), []Part{}}
	for line := range strings.Lines(c.String()) {
		sign, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		d.Parts = append(d.Parts, Part{name, map[string]string{"+": "used", ".": "idle", "-": "out"}[sign]})
	}
	return d
}
