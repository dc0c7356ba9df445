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
	Path    string   `arg:"" help:"Workbook to write, which ends in .xlsx; or a folder for CSV, which must be empty or not there yet, or a .zip."`
	Kinds   []string `arg:"" optional:"" name:"kind" help:"Kinds of records, such as teams matches; by default all."`
	Example bool     `help:"Write a whole season as an example, in place of forms: a league, play-offs in series, a relegation round, and the next season."`
	JSON    bool     `name:"json" help:"Print the kinds that were written, as JSON."`
}

func (templateCommand) Help() string {
	return `Writes empty forms to fill in: a sheet for each kind of record, with a column for every field and a row or two as an example, which you replace. In a workbook, cells of fields with a set of values have a list to choose from.

Examples:

    touchline template liga.xlsx
    touchline template matchday teams matches
    touchline template --example season.xlsx
`
}

func (t *templateCommand) Run(c *terminal.Terminal) error {
	var kinds []files.Kind
	if t.Example && len(t.Kinds) > 0 {
		return terminal.Usagef("--example has a sheet of each kind that it needs: leave %s out", strings.Join(t.Kinds, " "))
	}
	for _, name := range t.Kinds {
		k := files.Of(strings.ToLower(name) + ".csv")
		if k == files.Any {
			return terminal.Usagef("%s is no kind of record: want organizations, competitions, teams, players, matches or standings", name)
		}
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if kinds == nil {
		kinds = spreadsheet.Kinds()
	}
	target, err := export.NewTarget(t.Path)
	if err != nil {
		return err
	}
	defer target.Drop()
	asBook, what := files.IsBook(filepath.Base(t.Path)), "replace the examples, and check it"
	if t.Example {
		kinds = slices.DeleteFunc(kinds, func(k files.Kind) bool { return k == files.Standings }) // tables are computed
		what = "look at it, and check it"
	}
	if err := spreadsheet.Template(target.Create, asBook, !t.Example, kinds, c.Now()); err != nil {
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
	c.Printf("wrote %s: %s with: touchline import --offline %s\n", t.Path, what, terminal.Word(t.Path))
	return nil
}
