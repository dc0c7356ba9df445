package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/slips"
	"touchline/shared/regulations"
)

type regulationsCommand struct {
	Name string `arg:"" optional:"" help:"An entry to show; without it they are listed."`
	JSON bool   `name:"json" help:"Print a JSON array, or the object of one entry."`
}

func (regulationsCommand) Help() string {
	return `Lists the competitions whose rules the loader knows, or shows the rules of one, with their source. Below the list are those that it leaves out, and why. A record of competitions.ndjson takes them with "rules": {"like": "NAME"}.

Examples:

    touchline regulations
    touchline regulations | grep -i belgium
    touchline regulations la-liga
`
}

func (r *regulationsCommand) Run(c *terminal.Terminal) error {
	if r.Name == "" {
		return r.list(c)
	}
	entry, ok := regulations.Find(strings.ToLower(r.Name))
	if !ok {
		return terminal.Usagef("there are no regulations called %q%s; without a name all are listed, and below them those that are left out", r.Name, slips.DidYouMean(r.Name, regulations.Names()))
	}
	if r.JSON {
		return c.JSON(entry)
	}
	c.Printf("%s", inFull(entry))
	return nil
}

func (r *regulationsCommand) list(c *terminal.Terminal) error {
	if r.JSON {
		return c.JSON(regulations.All())
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tSPORT\tCOMPETITION") // Flush reports errors
	for _, entry := range regulations.All() {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", entry.Name, entry.Sport, entry.Competition)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	c.Printf("\n")
	for _, o := range regulations.LeftOut() {
		c.Printf("%s (%s) is left out: %s\n", o.Competition, o.Sport, o.Reason)
	}
	return nil
}

// inFull is an entry in full.
func inFull(r regulations.Regulation) string {
	var b strings.Builder
	like, _ := rules.Like(r.Name)
	words := regulations.InWords(&like, r.Seed)
	fmt.Fprintf(&b, "%s (%s)\n\n", r.Competition, r.Sport)
	for _, line := range [][2]string{
		{"points", words.Points},
		{"order", words.Order},
		{"carried", words.Carry},
		{"source", r.Source.String()},
		{"note", r.Note},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "  %-9s%s\n", line[0], line[1])
		}
	}
	fmt.Fprintf(&b, "\nA competition takes these rules with \"rules\": {\"like\": %q}, which stands for\n\n", r.Name)
	var text bytes.Buffer
	if err := json.Indent(&text, r.Rules, "  ", "  "); err != nil {
		panic(err) // a fault of the program, which a test finds
	}
	fmt.Fprintf(&b, "  %s\n", text.String())
	return b.String()
}
