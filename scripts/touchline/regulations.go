package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/slips"
	"touchline/shared/regulations"
)

type regulationsCommand struct {
	Name string `arg:"" optional:"" help:"An entry to show; without it they are listed."`
	JSON bool   `name:"json" help:"Print the list as a JSON array, too; an entry always is JSON."`
}

func (regulationsCommand) Help() string {
	return `Lists the competitions whose rules the loader knows, or shows one: its rules as a dataset would write them, their source, and what to know about them. Below the list are those that it leaves out, and why. A record of competitions.ndjson takes the rules with "rules": {"like": "NAME"}.

Examples:

    touchline regulations
    touchline regulations la-liga
`
}

func (r *regulationsCommand) Run(c *terminal.Terminal) error {
	if r.Name != "" {
		entry, ok := regulations.Find(strings.ToLower(r.Name))
		if !ok {
			return terminal.Usagef("there are no regulations called %q%s; without a name all are listed, and below them those that are left out", r.Name, slips.DidYouMean(r.Name, regulations.Names()))
		}
		return c.JSON(entry)
	}
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
