package manual

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// common is the least number of commands that share a flag in the common table.
const common = 3

// Reference writes a page in Markdown: each command with its text and flags. Flags that several
// commands share, with the same meaning, are in a common table. The flags in machine have
// defaults that depend on the machine; these defaults are left out.
func (b *Book) Reference(w io.Writer, machine ...string) error {
	var page strings.Builder
	shared := b.shared()
	for _, c := range b.Commands {
		fmt.Fprintf(&page, "## %s\n\n```text\n%s %s\n```\n\n%s\n", c.Name(), b.Program, c.Usage, paragraphs(c.Long))
		var own, others []string
		c.Flags.VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Hidden:
			case shared[key(f)] != nil:
				others = append(others, "`--"+f.Name+"`")
			default:
				own = append(own, row(f, machine))
			}
		})
		table(&page, own)
		if len(others) > 0 {
			fmt.Fprintf(&page, "\nAnd of the [flags of several commands](#flags-of-several-commands): %s.\n", strings.Join(others, ", "))
		}
		page.WriteByte('\n')
	}
	var rows []string
	for _, f := range shared {
		rows = append(rows, row(f, machine))
	}
	slices.Sort(rows)
	page.WriteString("## Flags of several commands\n")
	table(&page, rows)
	_, err := io.WriteString(w, page.String())
	return err
}

// shared are the flags that several commands have, by name and meaning.
func (b *Book) shared() map[string]*pflag.Flag {
	count, flags := map[string]int{}, map[string]*pflag.Flag{}
	for _, c := range b.Commands {
		c.Flags.VisitAll(func(f *pflag.Flag) {
			if k := key(f); !f.Hidden {
				count[k]++
				if count[k] == common {
					flags[k] = f
				}
			}
		})
	}
	return flags
}

func key(f *pflag.Flag) string { return f.Name + "\x00" + f.Usage + "\x00" + f.DefValue }

func table(page *strings.Builder, rows []string) {
	if len(rows) > 0 {
		page.WriteString("\n| flag | meaning |\n|---|---|\n" + strings.Join(rows, ""))
	}
}

// row is the row of a flag in a table.
func row(f *pflag.Flag, machine []string) string {
	name, usage := pflag.UnquoteUsage(f)
	flag := "--" + f.Name
	if f.Shorthand != "" {
		flag = "-" + f.Shorthand + ", " + flag
	}
	if name != "" {
		flag += " " + name
	}
	unset := f.DefValue == "" || f.DefValue == "false" || f.DefValue == "0" || f.DefValue == "0s" || f.DefValue == "[]"
	if !unset && !slices.Contains(machine, f.Name) {
		usage += " (default " + f.DefValue + ")"
	}
	return fmt.Sprintf("| `%s` | %s |\n", flag, strings.ReplaceAll(markdown(usage), "|", "\\|"))
}

// paragraphs writes a help text as Markdown; indented lines are examples.
func paragraphs(text string) string {
	var b strings.Builder
	example := false
	for line := range strings.Lines(markdown(text)) {
		if indented := strings.HasPrefix(line, "  "); indented != example {
			example = indented
			b.WriteString("```" + map[bool]string{true: "text"}[example] + "\n")
		}
		b.WriteString(strings.TrimLeft(line, " "))
	}
	if example {
		b.WriteString("\n```")
	}
	return b.String()
}
