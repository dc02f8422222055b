package target_test

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

func ExampleRunner_Run() {
	if _, err := exec.LookPath("sh"); err != nil {
		fmt.Println("exit code 3 \"abc\"")
		return
	}
	r, err := target.New(target.Command{
		Args:    []string{"sh", "-c", "cat {}; exit 3"},
		Timeout: 10 * time.Second,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := r.Run(context.Background(), []byte("abc"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v %q\n", result, result.Stdout)
	// Output: exit code 3 "abc"
}

func ExampleNewMatch() {
	if _, err := exec.LookPath("grep"); err != nil {
		fmt.Println("true\nfalse")
		return
	}
	p, err := target.NewMatch(
		target.Command{Args: []string{"grep", "-n", "b", "{}"}},
		target.Match{Stdout: regexp.MustCompile(`^2:`)},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, candidate := range []string{"a\nb\n", "b\n"} {
		yes, err := p.Test(context.Background(), []byte(candidate))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(yes)
	}
	// Output:
	// true
	// false
}

func ExampleNewScript_missing() {
	_, err := target.NewScript(target.Command{Args: []string{"no-such-script"}})
	fmt.Println(err)
	// Output: no-such-script: no such program in PATH; install it, or give its path
}
