package main

import (
	"path/filepath"
	"slices"
	"strings"

	"touchline/scripts/spreadsheet"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/files"
	"touchline/shared/loader/export"
)

type templateCommand struct {
	Path  string   `arg:"" help:"Workbook to write, which ends in .xlsx; or a folder for CSV, which must be empty or not there yet, or a .zip."`
	Kinds []string `arg:"" optional:"" name:"kind" help:"Kinds of records, such as teams matches; by default all."`
	JSON  bool     `name:"json" help:"Print the kinds that were written, as JSON."`
}

// Help is shown below the flags.
func (templateCommand) Help() string {
	return `Writes empty forms to fill in: a sheet for each kind of record, with a column for every field and a row or two as an example, which you replace. In a workbook, cells of fields with a set of values have a list to choose from.

Examples:

    touchline template liga.xlsx
    touchline template matchday teams matches
`
}

// Run writes the forms.
func (t *templateCommand) Run(c *terminal.Terminal) error {
	kinds := spreadsheet.Kinds()
	if len(t.Kinds) > 0 {
		kinds = nil
	}
	for _, name := range t.Kinds {
		i := slices.IndexFunc(spreadsheet.Kinds(), func(k files.Kind) bool { return k.String() == strings.ToLower(name) })
		if i < 0 {
			return terminal.Usagef("%s is no kind of record: want organizations, competitions, teams, players, matches or standings", name)
		}
		if k := spreadsheet.Kinds()[i]; !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	target, err := export.NewTarget(t.Path, false)
	if err != nil {
		return err
	}
	defer target.Drop()
	if err := spreadsheet.Template(target.Create, files.IsBook(filepath.Base(t.Path)), kinds, c.Now()); err != nil {
		return err
	}
	if err := target.Keep(); err != nil {
		return err
	}
	if t.JSON {
		names := []string{}
		for _, k := range kinds {
			names = append(names, k.String())
		}
		return c.JSON(names)
	}
	c.Printf("wrote %s: replace the examples, and check it with: touchline import --offline %s\n", t.Path, terminal.Word(t.Path))
	return nil
}
