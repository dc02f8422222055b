// Counts the words of its standard input.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"sort"
	str "strings"
	"unicode"
)

var least = flag.Int("least", 2, "print words that occur so often")

type count struct {
	word string
	n    int
}

type counts []count

func (c counts) Len() int { return len(c) }
func (c counts) Less(i, j int) bool {
	return c[i].n > c[j].n || c[i].n == c[j].n && c[i].word < c[j].word
}
func (c counts) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

var errEmpty = errors.New("no words")

// words splits a line.
func words(line string) []string {
	return str.FieldsFunc(str.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
}

func read(in *os.File) (counts, error) {
	all := map[string]int{}
	for s := bufio.NewScanner(in); s.Scan(); {
		for _, w := range words(s.Text()) {
			all[w]++
		}
	}
	if len(all) == 0 {
		return nil, errEmpty
	}
	var list counts
	for w, n := range all {
		list = append(list, count{w, n})
	}
	sort.Sort(list)
	return list, nil
}

func logf(format string, args ...any) {
	fmt.Fprint(os.Stderr, "count: ")
	fmt.Fprintf(os.Stderr, format, args...)
	fmt.Fprintln(os.Stderr)
}

func main() {
	flag.Parse()
	list, err := read(os.Stdin)
	if err != nil {
		logf("%v", err)
		os.Exit(1)
	}
	for _, c := range list {
		if c.n >= *least {
			fmt.Printf("%6d %s\n", c.n, c.word)
		}
	}
	logf("%d words, the first is %d", len(list), list[0].word)
}
