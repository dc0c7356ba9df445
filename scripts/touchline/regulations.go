package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/near"
	"touchline/shared/regulations"
)

type regulationsCommand struct {
	Name   string `arg:"" optional:"" help:"An entry to show; without it they are listed."`
	Search string `short:"s" placeholder:"WORDS" help:"List those that have all of the words in name, competition, sport or source."`
	JSON   bool   `name:"json" help:"Print a JSON array, or the object of one entry."`
}

// Help is shown below the flags.
func (regulationsCommand) Help() string {
	return `Lists the competitions whose rules the loader knows, or shows the rules of one, with their source. A record of competitions.ndjson takes them with "rules": {"like": "NAME"}.

Examples:

    touchline regulations
    touchline regulations --search 'play-offs belgium'
    touchline regulations la-liga
`
}

// Run prints the catalogue, or an entry of it.
func (r *regulationsCommand) Run(c *terminal.Terminal) error {
	if r.Name == "" {
		return r.list(c)
	}
	if r.Search != "" {
		return terminal.Usagef("--search lists entries: leave %s out, or the words", r.Name)
	}
	entry, ok := regulations.Find(strings.ToLower(r.Name))
	if !ok {
		return terminal.Usagef("there are no regulations called %q%s", r.Name, meant(r.Name))
	}
	if r.JSON {
		return c.JSON(entry)
	}
	c.Printf("%s", inFull(entry))
	return nil
}

// meant suggests names for one that is not in the catalogue.
func meant(name string) string {
	if meant := near.Meant(name, regulations.Names()); meant != "" {
		return meant
	}
	found := found(strings.ReplaceAll(name, "-", " "))
	if len(found) == 0 {
		return "; without a name all are listed"
	}
	var names []string
	for _, entry := range found[:min(len(found), 5)] {
		names = append(names, entry.Name)
	}
	return "; there is " + strings.Join(names, ", ")
}

func (r *regulationsCommand) list(c *terminal.Terminal) error {
	entries := found(r.Search)
	if r.JSON {
		return c.JSON(entries)
	}
	if len(entries) == 0 {
		c.Sayf("no regulations with %q; without --search all are listed", r.Search)
		return nil
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tSPORT\tCOMPETITION") // Flush reports errors
	for _, entry := range entries {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", entry.Name, entry.Sport, entry.Competition)
	}
	return w.Flush()
}

// found returns the entries that contain all the words; never nil.
func found(words string) []regulations.Regulation {
	return slices.DeleteFunc(regulations.All(), func(r regulations.Regulation) bool {
		text := strings.ToLower(r.Name + " " + r.Competition + " " + r.Sport + " " + r.Source.Document)
		return slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool {
			return !strings.Contains(text, word)
		})
	})
}

// inFull is an entry in full.
func inFull(r regulations.Regulation) string {
	var b strings.Builder
	words := r.InWords()
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
	var rules bytes.Buffer
	if err := json.Indent(&rules, r.Rules, "  ", "  "); err != nil {
		panic(err) // a fault of the program, which a test finds
	}
	fmt.Fprintf(&b, "  %s\n", rules.String())
	return b.String()
}
