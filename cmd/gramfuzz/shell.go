package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/outfile"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// flagValues are the words that flags take, for completion.
var flagValues = map[string][]string{
	"grammar": grammars.Names(), "format": load.Notations(), "to": load.Printable(),
	"strategy": {"uniform", "balanced", "broad", "mixed", "walk", "limit", "weighted", "boltzmann", "random-weights"},
	"swarm":    {"off", "plain", "down", "both"}, "layout": {"tight", "spaced", "random"}, "over": {"trees", "texts"},
	"measure": {"structure", "exact"}, "unit": {"terminals", "bytes", "nodes"}, "spread": {"even", "count"},
	"names": {"pool", "canonical"}, "alphabet": {"ascii", "unicode"}, "case": {"as-is", "lower", "upper", "mixed"},
	"algorithm": reduce.Algorithms(), "guide": {"none", "labels", "cover", "exemplars"}, "driver": {"auto", "process", "afl"},
	"by": {"auto", "sentences", "alternatives"},
}

// commandTree returns all commands as cobra has them, which makes completions and man pages.
// Each is asked for its help, and so for its flags.
func commandTree() *cobra.Command {
	root := &cobra.Command{Use: "gramfuzz", Short: "make test inputs from grammars, count them, and shrink what fails", Long: helpText(), DisableAutoGenTag: true}
	root.CompletionOptions.DisableDefaultCmd = true
	std := newStreams(nil, io.Discard, io.Discard)
	for _, c := range commands() {
		std.help = func(f *flags) {
			cmd := &cobra.Command{Use: f.usage, Short: c.short, Long: strings.TrimSpace(f.about), ValidArgs: c.words, Run: func(*cobra.Command, []string) {},
				DisableFlagsInUseLine: true, DisableAutoGenTag: true}
			cmd.Flags().AddFlagSet(f.FlagSet)
			for name, values := range flagValues {
				if f.Lookup(name) != nil {
					cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault))
				}
			}
			root.AddCommand(cmd)
		}
		c.run(context.Background(), []string{"--help"}, std)
	}
	return root
}

const completionAbout = `
Print what makes a shell complete commands, flags and their values: of bash, zsh or
fish. Bash needs the package bash-completion. For the shell that is open:

  source <(gramfuzz completion bash)
  source <(gramfuzz completion zsh)
  gramfuzz completion fish | source`

func runCompletion(_ context.Context, args []string, std streams) error {
	f := newFlags(std, "completion SHELL", completionAbout)
	if err := f.parse(args, 1); err != nil {
		return err
	}
	out, err := create(std, "")
	if err != nil {
		return err
	}
	root := commandTree()
	switch f.Arg(0) {
	case "bash":
		err = root.GenBashCompletionV2(out, true)
	case "zsh":
		err = root.GenZshCompletion(out)
	case "fish":
		err = root.GenFishCompletion(out, true)
	default:
		return f.wrong("%q is no shell that is known; write bash, zsh or fish", f.Arg(0))
	}
	if err != nil {
		return outfile.WriteError("", err)
	}
	return out.Finish()
}

// runComplete answers the scripts of runCompletion.
func runComplete(_ context.Context, args []string, std streams) error {
	root := commandTree()
	root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, args...))
	root.SetOut(std.out)
	root.SetErr(io.Discard)
	return root.Execute()
}

const manAbout = `
Print the man page of a command, or that of gramfuzz itself; with -o write all to a
folder that exists. To read one: gramfuzz man gen | man -l -`

func runMan(_ context.Context, args []string, std streams) error {
	f := newFlags(std, "man [COMMAND] [flags]", manAbout)
	dir := f.StringP("out", "o", "", "write the pages of all commands to the folder `DIR`")
	if err := f.parse(args, 1); err != nil {
		return err
	}
	root := commandTree()
	header := &doc.GenManHeader{Section: "1", Source: "gramfuzz " + version(), Manual: "gramfuzz"}
	for _, page := range append([]*cobra.Command{root}, root.Commands()...) {
		name := strings.ReplaceAll(page.CommandPath(), " ", "-")
		if *dir == "" && name != strings.TrimSuffix("gramfuzz-"+f.Arg(0), "-") {
			continue
		}
		page.Long = markdown(page.Long)
		page.Flags().VisitAll(func(fl *pflag.Flag) { fl.Usage = markdown(fl.Usage) })
		path := ""
		if *dir != "" {
			path = filepath.Join(*dir, name+".1")
		}
		out, err := create(std, path)
		if err != nil {
			return err
		}
		defer out.Abort()
		if err := doc.GenMan(page, header, out); err != nil {
			return outfile.WriteError(path, err)
		}
		if err := out.Finish(); err != nil || *dir == "" {
			return err
		}
	}
	if *dir == "" {
		return f.wrong("there is no command %q; gramfuzz --help lists all", f.Arg(0))
	}
	return nil
}

// markdown writes a help text so that Markdown, which man pages are made from, shows it as it
// is: indented lines are examples.
func markdown(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			b.WriteString("  " + line)
		} else {
			b.WriteString(strings.NewReplacer(`\`, `\\`, "<", `\<`, "*", `\*`, "_", `\_`).Replace(line))
		}
	}
	return b.String()
}
