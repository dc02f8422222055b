package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

// A script is a ```sh or ```yaml block of a page. Its output is not shown, or varies.
type script struct {
	page, begins string   // the page, and the beginning of the block
	needs        string   // programs and modules, as in ```console
	before       string   // commands that run before the block; they make what the page expects of its reader
	replace      []string // pairs of texts: the first becomes the second in the block, to save time or another machine
	after        string   // a command that runs after the block; it fails if the block did not do what the page says
	data         bool     // needs GRAMFUZZ_DATA
	module       bool     // runs in the folder of a module that uses this repository
}

const (
	// crash is a program that a signal ends for some sentences of the grammar expr.
	crash = `printf '#!/bin/sh\ncase "$(cat "$@")" in *"((("*) kill -SEGV $$;; esac\n' > program; chmod +x program; `
	// helpers are commands for scripts.
	helpers = `retry() { for i in $(seq 600); do "$@" && return; sleep 0.1; done; return 1; }
not() { if "$@"; then return 1; fi; }
`
	// free is the address of a hub at a free port.
	free = "nats://127.0.0.1:PORT"
	// up is the start of a hub at it.
	up = "--listen 127.0.0.1:PORT 2> hub.log & hub=$!; retry grep -q page: hub.log; "
	// workers waits for all jobs but the hub.
	workers = "for job in $(jobs -p); do test $job = $hub || wait $job || test $? = 1; done; "
)

var scripts = []script{
	{page: "antlr.md", begins: "gramfuzz gen -g JavaParser.g4", data: true,
		before:  `cp "$GRAMFUZZ_DATA"/grammars/dev/java/java8/*.g4 .`,
		replace: []string{"JavaParser", "Java8Parser", "-n 10", "-n 10 > out"}, after: "test $(wc -l < out) -ge 10"},
	{page: "start.md", begins: "go install", module: true,
		replace: []string{"go install github.com/gramfuzz/gramfuzz/cmd/gramfuzz@latest", "GOBIN=$PWD go install -C $REPOSITORY ./cmd/gramfuzz"},
		after:   "./gramfuzz gen -g json -n 1 | grep -q ."},
	{page: "start.md", begins: "mkdir try", after: "grep -q 'module example.com/try' go.mod"},
	{page: "start.md", begins: "go mod tidy", module: true,
		before: "mv go.mod old.mod; go mod init example.com/try; go mod edit -replace github.com/gramfuzz/gramfuzz=$REPOSITORY",
		after:  "go vet ."},
	{page: "testing.md", begins: "mkdir try", needs: "github.com/dlclark/regexp2@v1.1.4",
		replace: []string{"github.com/gramfuzz/gramfuzz ", ""}, after: "grep -q 'regexp2 v1.1.4' go.mod"},
	{page: "fuzzing.md", begins: "gramfuzz fuzz -g plot.ebnf", needs: "gnuplot gdb",
		replace: []string{"--time 2m", "-n 30 --timeout 1m", "{}", "{} || test $? = 1"},
		// The text that the page shows ends the version that the page names.
		after: `printf 'set samples 2147483647\nplot 0\n' > text; test -f fuzz-plot/report.html; if gnuplot --version | grep -q '5.4 patchlevel 4'; then
			code=0; gnuplot -e 'set terminal dumb' text || code=$?; test $code = 139; fi`},
	{page: "fuzzing.md", begins: "gramfuzz fuzz -g toml.ebnf", needs: "github.com/BurntSushi/toml@v0.3.1", module: true,
		before:  "go get github.com/BurntSushi/toml@v0.3.1",
		replace: []string{"--time 60s", "-n 1000 --timeout 1m || test $? = 1"}, after: "test -f fuzz-toml/report.html"},
	{page: "fuzzing.md", begins: "afl-clang-fast", needs: "afl-clang-fast",
		replace: []string{"--time 60s", "--timeout 1m --time 5m", "./orders\n", "./orders || test $? = 1\n"}, after: "test -n \"$(ls fuzz-orders/findings)\""},
	{page: "swarm.md", begins: "gramfuzz gen -g json --swarm both", replace: []string{"-n 1000", "-n 20"},
		after: `printf 's = stmt OPERATOR;\nstmt = "a" | "b" | "c" | Loop: "d";\n@token OPERATOR = "+" | "-";\n' > s.ebnf
			for i in 1 2 3 4 5 6 7 8 9; do gramfuzz swarm -g s.ebnf --swarm both --swarm-p coins --seed $i; done > drawn
			grep -q '^+ stmt/2$' drawn; not grep '^- stmt/2$' drawn; grep -q '^- stmt/3$' drawn; not grep '^+ stmt/3$' drawn; grep -q OPERATOR/ drawn`},
	{page: "swarm.md", begins: "go -C bench run ./coverage", module: true,
		replace: []string{"go -C bench ", "go -C $REPOSITORY/bench ", "-n 10000", "-n 10"}},
	{page: "fleet.md", begins: "gramfuzz hub --data hub &\n",
		before: crash + "gramfuzz convert -g expr --to ebnf > plot.ebnf",
		replace: []string{"hub &", "hub " + up, "nats://127.0.0.1:4222", free, "-- ./program", "-n 300 --timeout 1m -- ./program",
			"gramfuzz fleet status", "retry gramfuzz fleet status --hub " + free},
		after: workers + "gramfuzz fleet status --hub " + free + " | grep -q '^finding'; test -f one/report.html; test -f two/report.html"},
	{page: "fleet.md", begins: "gramfuzz hub --data hub &  ", // on one machine
		before:  `ssh() { shift 3; "$@"; }; printf '#!/bin/sh\ncat > text\n' > program; chmod +x program`,
		replace: []string{"hub &", "hub " + up, "nats://127.0.0.1:4222", free, "--time 8h", "-n 40 --timeout 1m", "-o found", "-o $host"},
		after:   workers + "gramfuzz fleet status --hub " + free + " | grep -q '^worker'; test -f a/report.html; test -f d/report.html"},
	{page: "fleet.md", begins: "nk -gen user",
		before: "go build -C $REPOSITORY -o $PWD/nk github.com/nats-io/nkeys/nk; PATH=$PWD:$PATH; " + crash,
		replace: []string{"--listen 0.0.0.0:4222 --nkeys workers.keys &", "--nkeys workers.keys " + up, "nats://first:4222", free,
			"fuzz …", "fuzz -g expr -n 20 --timeout 1m -o one", "./program", "./program || test $? = 1"},
		after: "test -f one/report.html; not gramfuzz fleet status --hub " + free},
	{page: "other-fuzzers.md", begins: "gramfuzz serve --print-mutator", needs: "cc afl-fuzz afl-cc",
		before: `export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1; mkdir seeds; echo 1 > seeds/1
			printf '#include <unistd.h>\nint main() { char b[9]; return read(0, b, 9) > 3 && *b == 49; }\n' > program.c; afl-cc -o program program.c`,
		replace: []string{"/tmp/", "", "gramfuzz.sock &", "gramfuzz.sock & retry test -S gramfuzz.sock", "afl-fuzz ", "afl-fuzz -t 10000 -E 500 "},
		after:   "grep -q 'execs_done' out/default/fuzzer_stats; ls out/default/queue | grep -q op:"},
	{page: "shards.md", begins: "mkdir corpus\nseq 0 15", needs: "parallel",
		replace: []string{"-n 100000", "-n 10"}, after: "test $(sha256sum corpus/*/* | cut -c 1-64 | sort -u | wc -l) = 160"},
	{page: "shards.md", begins: "#!/bin/bash\n#SBATCH --array", needs: "bash",
		before:  `srun() { "$@"; }; SLURM_CPUS_PER_TASK=4 SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=64`,
		replace: []string{"-n 1000000", "-n 10"}, after: "test $(ls corpus/5 | wc -l) = 10"},
	{page: "shards.md", begins: "apiVersion: batch/v1", // its command
		before:  "mkdir corpus; JOB_COMPLETION_INDEX=5",
		replace: []string{"-n 1000000", "-n 10", `"/corpus/`, `"corpus/`, "exec ", ""}, after: "test $(ls corpus/5 | wc -l) = 10"},
}

// TestScripts runs the blocks of scripts that pages in docs show. A page's files are written first.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		t.Run(s.page+" "+strings.Fields(s.begins)[0], func(t *testing.T) {
			t.Parallel()
			if missing := lacking(strings.Fields(s.needs)); missing != "" {
				t.Skipf("%s is missing", missing)
			}
			if s.data && os.Getenv("GRAMFUZZ_DATA") == "" {
				t.Skip("GRAMFUZZ_DATA is not set")
			}
			s.run(t, root)
		})
	}
}

func (s script) run(t *testing.T, root string) {
	dir := t.TempDir()
	text := ""
	for _, b := range blocks(t, filepath.Join(root, "docs", s.page)) {
		if name := fileOf(b.words); name != "" {
			in := dir
			if slices.Contains(b.words, "go") || strings.HasSuffix(name, ".go") {
				in = module(t, dir)
			}
			appendTo(t, filepath.Join(in, name), b.text)
		} else if strings.HasPrefix(b.text, s.begins) {
			text = b.text
			if b.words[0] == "```yaml" {
				text = regexp.MustCompile(`(?s)- exec .*?\n\n*( *)volume`).FindString(text)
				text = strings.Join(strings.Fields(text[2:strings.LastIndex(text, "volume")]), " ")
			}
		}
	}
	port := freePort(t)
	for i := 0; i < len(s.replace); i += 2 {
		if !strings.Contains(text, s.replace[i]) {
			t.Fatalf("the block has no %q", s.replace[i])
		}
		text = strings.ReplaceAll(text, s.replace[i], s.replace[i+1])
	}
	if s.module {
		dir = module(t, dir)
	}
	whole := strings.ReplaceAll("set -ex\n"+helpers+s.before+"\n"+text+"\n"+s.after+"\n", "PORT", port)
	cmd := exec.CommandContext(t.Context(), "bash", "-c", whole)
	cmd.Dir = dir
	env, _ := goEnv(t)
	cmd.Env = append(append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"), "TERM=dumb", "REPOSITORY="+root), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	output, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	cmd.Stdout, cmd.Stderr = output, output // a file: jobs in the background may outlive the script
	err = cmd.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if err := cmd.Wait(); err != nil {
		out, _ := os.ReadFile(output.Name())
		t.Errorf("%v:\n%s", err, out)
	}
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// A block is a fenced part of a page, with the words of the line that begins it.
type block struct {
	words []string
	text  string
}

func blocks(t *testing.T, page string) (bs []block) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^(```.*?)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		bs = append(bs, block{strings.Fields(m[1]), m[2]})
	}
	return bs
}

// TestBlocks checks that a test reads every block of README.md and the pages in docs: TestReadme,
// TestReference, TestSnippets, TestScripts, or this one, which loads grammars.
func TestBlocks(t *testing.T) {
	root := filepath.Join("..", "..")
	used := 0
	for _, glob := range []string{"README.md", "docs/*.md", "docs/how/*.md"} {
		pages, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil || len(pages) == 0 {
			t.Fatal(err, glob)
		}
		for _, page := range pages {
			name := filepath.Base(page)
			for _, b := range blocks(t, page) {
				first, _, _ := strings.Cut(b.text, "\n")
				switch kind := b.words[0]; {
				case kind == "```ebnf":
					if _, err := load.String(b.text); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				case kind == "```console", kind == "```go", fileOf(b.words) != "", name == "commands.md":
				case name == "python.md": // python/tests/test_page.py
				case kind == "```text" && name == "settling.md": // a drawing
				case kind == "```text" && name == "fuzzing.md": // output of a program of Debian 12, which other systems do not have
				case kind == "```sh" && glob == "README.md": // TestReadmeSetUp
				case kind == "```sh" || kind == "```yaml":
					n := 0
					for _, s := range scripts {
						if s.page == name && strings.HasPrefix(b.text, s.begins) {
							n++
						}
					}
					used += n
					if n != 1 {
						t.Errorf("%s: %d of the scripts run the block %q", name, n, first)
					}
				default:
					t.Errorf("%s: no test reads the block %q", name, first)
				}
			}
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if at := regexp.MustCompile(`(?m)^    (gramfuzz|go|sh|cc) .*$`).Find(text); at != nil && name != "commands.md" {
				t.Errorf("%s: no test reads the command %q", name, at)
			}
		}
	}
	if used != len(scripts) {
		t.Errorf("%d of %d scripts have a block", used, len(scripts))
	}
}
