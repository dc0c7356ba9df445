package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"touchline/scripts/touchline/terminal"
)

type manCommand struct {
	Output string `required:"" placeholder:"DIR" help:"Folder to write the pages to, such as /usr/local/share/man/man1."`
	JSON   bool   `name:"json" help:"Print the names of the pages as JSON."`
}

// Help is shown below the flags.
func (manCommand) Help() string {
	return `Writes a page for 'man' of each command, from its help.

Example:

    touchline man --output ~/.local/share/man/man1 && man touchline-keys-create
`
}

// Run writes the pages.
func (m *manCommand) Run(k *kong.Context, c *terminal.Terminal) error {
	if err := os.MkdirAll(m.Output, 0o755); err != nil { //nolint:gosec // pages are for everybody
		return err
	}
	names := []string{}
	for _, page := range manPages(k.Model.Node, nil) {
		name := page.name + ".1"
		if err := os.WriteFile(filepath.Join(m.Output, name), []byte(page.text), 0o644); err != nil { //nolint:gosec // pages are for everybody
			return err
		}
		names = append(names, name)
	}
	if m.JSON {
		return c.JSON(names)
	}
	c.Sayf("wrote %s to %s", terminal.Counted(len(names), "page"), m.Output)
	return nil
}

type manPage struct{ name, text string }

// manPages are those of a command and of all below it; above are the commands that
// lead to it.
func manPages(n *kong.Node, above []string) []manPage {
	path := append(above[:len(above):len(above)], n.Name)
	name := strings.Join(path, "-")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s\" \"Touchline\"\n", roff(strings.ToUpper(name)), roff(version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(n.Help))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n%s\n", roff(strings.Join(path, " ")), roff(synopsis(n)))
	if n.Detail != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", manText(n.Detail))
	}
	pages := []manPage{}
	section := ".SH COMMANDS\n"
	for _, child := range n.Children {
		if child.Hidden {
			continue
		}
		fmt.Fprintf(&b, "%s.TP\n.BR %s (1)\n%s\n", section, roff(name+"-"+child.Name), roff(child.Help))
		section = ""
		pages = append(pages, manPages(child, path)...)
	}
	section = ".SH OPTIONS\n"
	for _, p := range n.Positional {
		fmt.Fprintf(&b, "%s.TP\n%s\n%s\n", section, roff(p.Summary()), roff(p.Help))
		section = ""
	}
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			fmt.Fprintf(&b, "%s.TP\n.B %s\n%s\n", section, roff(f.String()), roff(f.Help))
			section = ""
		}
	}
	fmt.Fprintf(&b, ".SH EXIT STATUS\n0; 1 for a failure; 2 for wrong usage.\n")
	return append([]manPage{{name, b.String()}}, pages...)
}

// synopsis is what follows a command.
func synopsis(n *kong.Node) string {
	var words []string
	for _, p := range n.Positional {
		words = append(words, p.Summary())
	}
	if len(n.Children) > 0 {
		words = append(words, "<command>")
	}
	return strings.Join(append(words, "[flags]"), " ")
}

// manText is a help text: paragraphs, and examples, which are indented.
func manText(text string) string {
	var b strings.Builder
	example := false
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		plain := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "    ")
		switch {
		case plain == "":
			b.WriteString(".PP\n")
			continue
		case indented && !example:
			b.WriteString(".RS 4\n.nf\n")
		case !indented && example:
			b.WriteString(".fi\n.RE\n")
		}
		example = indented
		b.WriteString(roff(plain) + "\n")
	}
	if example {
		b.WriteString(".fi\n.RE\n")
	}
	return b.String()
}

var roffed = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`)

// roff is a line of text in the language of man pages.
func roff(text string) string {
	text = roffed.Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
