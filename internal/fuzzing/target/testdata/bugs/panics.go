// A parser and an evaluator whose bugs are panics and fatal errors. The comments are as in
// heap.c.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sort"
	"strings"
)

type parser struct {
	s     string
	at    int
	names map[string]int
	next  *parser
}

type value interface{ String() string }

type number int

func (n number) String() string { return fmt.Sprint(int(n)) }

type word string

func (w word) String() string { return string(w) }

// bug token-end: "t" "t "
// bug token-escape: "t\\" "t ab\\" "tx\\"
// bug token-hex: "tx" "tab x" "t  x"
func (p *parser) token() string {
	for p.s[p.at] == ' ' {
		p.at++
	}
	rest := p.s[p.at:]
	if i := strings.IndexByte(rest, '\\'); i >= 0 {
		return rest[i:][1:2]
	}
	if i := strings.IndexByte(rest, 'x'); i >= 0 {
		return string(rest[i+1])
	}
	return rest
}

// bug nil-map: "nab" "n" "nx=1"
func (p *parser) name() { p.names[p.s[p.at:]] = p.at }

// bug nil-next: "N" "Nab" "M"
func (p *parser) follow() int { return p.next.at }

func (p *parser) followTwice() int { return p.follow() + p.follow() }

// bug slice-order: "s5,2" "s9,1"
func (p *parser) cut() string {
	var a, b int
	fmt.Sscanf(p.s[1:], "%d,%d", &a, &b)
	return strings.Repeat("abc", 10)[a:b]
}

// bug wrong-type: "wab" "w1x"
func (p *parser) number() number {
	var v value = word(p.s)
	return v.(number)
}

// fail ends parsing; parse takes it up.
func (p *parser) fail(format string, a ...any) { panic(fmt.Errorf(format, a...)) }

// bug fail-open: "(" "(a" "((b"
// bug fail-empty: "()" "((a)()"
func (p *parser) group() {
	open := strings.Count(p.s, "(")
	if strings.Contains(p.s, "()") {
		p.fail("group %d is empty", open)
	}
	if open > strings.Count(p.s, ")") {
		p.fail("%d groups are open in %q", open, p.s)
	}
}

func (p *parser) parse() {
	defer func() {
		if r := recover(); r != nil {
			panic(fmt.Sprintf("BUG: %v", r))
		}
	}()
	p.group()
}

// bug divide: "/0" "/00"
func divide(n int) int { return 100 / n }

// bug endless-list: "[" "[[" "[{["
func list(s string, at int) int {
	if s[at%len(s)] == '{' {
		return object(s, at+1) + 1
	}
	return list(s, at+1) + 1
}

func object(s string, at int) int { return list(s, at+1) + 1 }

// bug pad: "p9" "p12"
func pad(width int) string { return strings.Repeat(" ", 5-width) }

// bug rule: "r3" "r7"
func rule(width int) string { return strings.Repeat("-", -width) }

// bug deadlock: "d" "dx"
func wait(n int) {
	c := make(chan int, n)
	for range n + 1 {
		c <- 1
	}
}

// bug closed: "c" "cc"
func finish() {
	c := make(chan int)
	close(c)
	close(c)
}

// bug unreachable: "u1" "u2" "uother"
func eval(op string) int {
	switch op {
	case "0":
		return 0
	}
	panic("unknown operator " + op)
}

// bug too-long: "m-1" "m-77"
func room(n int) []byte { return make([]byte, n) }

// bug goroutine: "gx" "gyy"
func background(s string) {
	done := make(chan bool)
	go func() {
		var names []string
		fmt.Println(names[len(s)])
		close(done) // not deferred: main would end while the panic is printed
	}()
	<-done
}

// bug less: "l" "lab"
func sorted(s string) {
	var keys []int
	names := strings.Split("c,b,a", ",")
	sort.Slice(names, func(i, j int) bool { return keys[i] < keys[j] })
}

// bug must: "Ex" "Eyy"
func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

func load(s string) string { return must(s, errors.New("no file "+s)) }

// bug exact: "Q" "Qa"
func store(s string) string {
	out := must("ok", nil)
	return must(out, fmt.Errorf("cannot store %q", s))
}

// bug runes: "zab" "z"
func runes(s string) rune { return []rune(s)[len(s)] }

func main() {
	debug.SetMaxStack(1 << 20)
	text, _ := io.ReadAll(bufio.NewReader(os.Stdin))
	s := string(text)
	if s == "" {
		return
	}
	p := &parser{s: s, at: 1}
	n := 0
	fmt.Sscan(s[1:], &n)
	switch s[0] {
	case 't':
		p.token()
	case 'n':
		p.name()
	case 'N':
		p.follow()
	case 'M':
		p.followTwice()
	case 's':
		p.cut()
	case 'w':
		p.number()
	case '(':
		p.parse()
	case '/':
		divide(n)
	case '[':
		list(s, 0)
	case 'p':
		pad(n)
	case 'r':
		rule(n)
	case 'd':
		wait(len(s))
	case 'c':
		finish()
	case 'u':
		eval(s[1:])
	case 'm':
		room(n)
	case 'g':
		background(s)
	case 'l':
		sorted(s)
	case 'E':
		load(s)
	case 'Q':
		store(s)
	case 'z':
		runes(s)
	}
}
