package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/slips"
	"touchline/shared/regulations"
)

type regulationsCommand struct {
	Name   string `arg:"" optional:"" help:"An entry to show; without it they are listed."`
	Search string `short:"s" placeholder:"WORDS" help:"List those that have all of the words in name, competition, sport or source."`
	JSON   bool   `name:"json" help:"Print a JSON array, or the object of one entry."`
}

// Help is shown below the flags.
func (regulationsCommand) Help() string {
	return `Lists the competitions whose rules the loader knows, or shows the rules of one, with their source. Below the list are those that it leaves out, and why. A record of competitions.ndjson takes them with "rules": {"like": "NAME"}.

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
	words := strings.ReplaceAll(name, "-", " ")
	if out := leftOut(words); len(out) > 0 {
		return ": " + omission(out[0])
	}
	if meant := slips.DidYouMean(name, regulations.Names()); meant != "" {
		return meant
	}
	found := found(words)
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
	out := leftOut(r.Search)
	if len(entries) == 0 && len(out) == 0 {
		c.Sayf("no regulations with %q; without --search all are listed", r.Search)
		return nil
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	if len(entries) > 0 {
		_, _ = fmt.Fprintln(w, "NAME\tSPORT\tCOMPETITION") // Flush reports errors
	}
	for _, entry := range entries {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", entry.Name, entry.Sport, entry.Competition)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, o := range out {
		if i == 0 && len(entries) > 0 {
			c.Printf("\n")
		}
		c.Printf("%s\n", omission(o))
	}
	return nil
}

func omission(o regulations.Omission) string {
	return fmt.Sprintf("%s (%s) is left out: %s", o.Competition, o.Sport, o.Reason)
}

// leftOut returns what the catalogue leaves out, of what contains all the words.
func leftOut(words string) []regulations.Omission {
	return slices.DeleteFunc(regulations.LeftOut(), func(o regulations.Omission) bool {
		return !contains(o.Competition+" "+o.Sport, words)
	})
}

// contains reports whether a text contains all of some words, in any case.
func contains(text, words string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool { return !strings.Contains(text, word) })
}

// found returns the entries that contain all the words; never nil.
func found(words string) []regulations.Regulation {
	return slices.DeleteFunc(regulations.All(), func(r regulations.Regulation) bool {
		return !contains(r.Name+" "+r.Competition+" "+r.Sport+" "+r.Source.Document, words)
	})
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
