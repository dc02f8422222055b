package gramtest

import (
	"fmt"
	"slices"
	"strings"
)

// statistics counts the sentences by label and by outcome.
type statistics struct {
	run, discarded int
	labels         map[string]int
	some           map[string]int // how often each Sometimes held
	order          []string       // names of some in order of first use
}

func newStatistics() *statistics {
	return &statistics{labels: map[string]int{}, some: map[string]int{}}
}

func (s *statistics) sometimes(name string, cond bool) {
	n, known := s.some[name]
	if !known {
		s.order = append(s.order, name)
		s.some[name] = 0
	}
	if cond {
		s.some[name] = n + 1
	}
}

func (s *statistics) add(labels []string) {
	for _, l := range labels {
		s.labels[l]++
	}
}

// percent returns the share of the sentences with a label.
func (s *statistics) percent(label string) float64 {
	return 100 * float64(s.labels[label]) / float64(max(1, s.run))
}

// missing returns a line for each unmet requirement of Cover and Sometimes.
func (s *statistics) missing(covers []cover) (problems []string) {
	for _, c := range covers {
		if p := s.percent(c.label); p < c.percent {
			problems = append(problems, fmt.Sprintf("%.1f%% of the sentences are %q; at least %g%% should be", p, c.label, c.percent))
		}
	}
	for _, name := range s.order {
		if s.some[name] == 0 {
			problems = append(problems, fmt.Sprintf("%q should hold sometimes and never did", name))
		}
	}
	return problems
}

// table shows the distribution of labels, the most frequent first; "" without labels.
func (s *statistics) table() string {
	var b strings.Builder
	names := make([]string, 0, len(s.labels))
	for l := range s.labels {
		names = append(names, l)
	}
	slices.SortFunc(names, func(a, b string) int {
		if s.labels[a] != s.labels[b] {
			return s.labels[b] - s.labels[a]
		}
		return strings.Compare(a, b)
	})
	for _, l := range names {
		fmt.Fprintf(&b, "%6.1f%% %7d  %s\n", s.percent(l), s.labels[l], l)
	}
	for _, name := range s.order {
		fmt.Fprintf(&b, "%8d times  %s\n", s.some[name], name)
	}
	return b.String()
}
