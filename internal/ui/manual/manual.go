// Package manual makes shell completions and man pages from the flags of commands.
//
//	book := &manual.Book{Program: "gramfuzz", Short: "…", Long: "…", Commands: commands}
//	err := book.Completion(os.Stdout, "bash")
package manual

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// Book describes a program and its commands.
type Book struct {
	Program  string
	Short    string // in one line
	Long     string
	Version  string
	Values   map[string][]string // the completions of flag values, by the name of the flag
	Commands []*Command
}

// Command describes a command.
type Command struct {
	Usage string // "gen -g GRAMMAR [flags]"; the first word is the name
	Short string
	Long  string
	Words []string // possible arguments
	Flags *pflag.FlagSet
}

// Name is the name of the command.
func (c *Command) Name() string {
	name, _, _ := strings.Cut(c.Usage, " ")
	return name
}

// tree returns the commands in cobra's form. text is applied to texts for people.
func (b *Book) tree(text func(string) string) *cobra.Command {
	root := &cobra.Command{Use: b.Program, Short: b.Short, Long: text(b.Long), DisableAutoGenTag: true}
	root.CompletionOptions.DisableDefaultCmd = true
	for _, c := range b.Commands {
		cmd := &cobra.Command{Use: c.Usage, Short: c.Short, Long: text(c.Long), ValidArgs: c.Words, Run: func(*cobra.Command, []string) {},
			DisableFlagsInUseLine: true, DisableAutoGenTag: true}
		c.Flags.VisitAll(func(f *pflag.Flag) {
			shown := *f
			shown.Usage = text(f.Usage)
			cmd.Flags().AddFlag(&shown)
			if values := b.Values[f.Name]; values != nil {
				// The error is that of a flag that the command lacks.
				_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault))
			}
		})
		root.AddCommand(cmd)
	}
	return root
}

func asItIs(s string) string { return s }

// Shells are the supported shells.
var Shells = []string{"bash", "zsh", "fish"}

// Request is the command by which the scripts of [Book.Completion] ask for completions of a line.
const Request = cobra.ShellCompRequestCmd

// Completion writes a script that makes a shell complete commands, flags and values.
func (b *Book) Completion(w io.Writer, shell string) error {
	root := b.tree(asItIs)
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	}
	return fmt.Errorf("%q is not a supported shell; write %s", shell, strings.Join(Shells, ", "))
}

// Complete answers a request: it writes completions of the arguments.
func (b *Book) Complete(w io.Writer, args []string) error {
	root := b.tree(asItIs)
	root.SetArgs(append([]string{Request}, args...))
	root.SetOut(w)
	root.SetErr(io.Discard)
	return root.Execute()
}

// Pages are the names of the man pages: that of the program, and one for each command.
func (b *Book) Pages() []string {
	pages := []string{b.Program}
	for _, c := range b.Commands {
		pages = append(pages, b.Program+"-"+c.Name())
	}
	return pages
}

// Page writes a man page. The page must be one of Pages.
func (b *Book) Page(w io.Writer, page string) error {
	root := b.tree(markdown)
	cmds := append([]*cobra.Command{root}, root.Commands()...)
	i := slices.IndexFunc(cmds, func(c *cobra.Command) bool { return strings.ReplaceAll(c.CommandPath(), " ", "-") == page })
	return doc.GenMan(cmds[i], &doc.GenManHeader{Section: "1", Source: b.Program + " " + b.Version, Manual: b.Program}, w)
}

// markdown escapes a help text so that Markdown, the source of man pages, shows it unchanged;
// indented lines are examples.
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
