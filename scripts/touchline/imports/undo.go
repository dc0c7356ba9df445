package imports

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
)

// LoadsCommand is `touchline loads`.
type LoadsCommand struct {
	Number int    `arg:"" optional:"" help:"Number of the load to show whole."`
	Last   int    `default:"20" placeholder:"N" help:"List this many (default: ${default}); 0: all that are kept."`
	Of     string `placeholder:"KEY" help:"Show what became of one record, such as a match, by your key or its id: who changed what, and when."`
	JSON   bool   `name:"json" help:"Print the loads as JSON, with their reports and changes."`
	database.Flags
}

// Help is shown below the flags.
func (LoadsCommand) Help() string {
	return `Lists the last imports that changed something, the newest first: when, by whom, and what they did. They are kept for 14 days, unless --keep-loads of 'import' or 'serve' said otherwise, and at most 5000 of them. With a number it shows that one with the records it changed, the first hundred of them, by their keys: names are not kept.

Examples:

    touchline loads
    touchline loads --of M101
    touchline loads --stack prod 42
`
}

// Run prints the loads.
func (l *LoadsCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	d, err := l.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	of := history.Range{From: l.Number, To: l.Number}
	if l.Number == 0 && l.Of == "" {
		of.Limit = max(l.Last, 0)
	}
	loads, err := loader.Loads(ctx, d.Sports(), of)
	if err != nil {
		return d.Explain(err)
	}
	if l.Number != 0 {
		return l.one(c, loads)
	}
	if l.Of != "" {
		return l.record(c, loads)
	}
	if l.JSON {
		return c.JSON(loads)
	}
	if len(loads) == 0 {
		c.Sayf("no import has changed anything yet")
	}
	for _, p := range loads {
		c.Printf("%s\n", terminal.Plain(summary(p)))
	}
	return nil
}

// changed is what a load did with a record.
type changed struct {
	Load   history.Past   `json:"load"` // without its report
	Change history.Change `json:"change"`
}

// record prints what the loads did with a record, the newest first.
func (l *LoadsCommand) record(c *terminal.Terminal, loads []history.Past) error {
	found, more := []changed{}, []string{}
	for _, p := range loads {
		if p.More > 0 {
			more = append(more, fmt.Sprint(p.Number))
		}
		for _, change := range p.Report.Changes {
			if change.Key == l.Of || change.ID == dataset.ID(change.Kind, l.Of) {
				load := p
				load.Report = nil
				found = append(found, changed{load, change})
			}
		}
	}
	if l.JSON {
		return c.JSON(found)
	}
	for _, f := range found {
		c.Printf("%s\n", terminal.Plain(strings.Join(slices.DeleteFunc([]string{
			fmt.Sprintf("%4d", f.Load.Number), f.Load.Began.Local().Format(time.DateTime), f.Load.By, f.Load.File, f.Load.Note,
		}, func(s string) bool { return s == "" }), "  ")))
		c.Printf("      %s\n", terminal.Plain(f.Change.String()))
	}
	if len(found) == 0 {
		c.Sayf("no import that is kept changed %s", l.Of)
	}
	if len(more) > 0 {
		c.Sayf("of the imports %s not all changes are kept", strings.Join(more, ", "))
	}
	return nil
}

// one prints a load with its changes.
func (l *LoadsCommand) one(c *terminal.Terminal, loads []history.Past) error {
	for _, p := range loads {
		if p.Number != l.Number {
			continue
		}
		if l.JSON {
			return c.JSON(p)
		}
		c.Printf("%s\n", terminal.Plain(summary(p)))
		if n := p.Report.Warnings.Count(); n > 0 {
			c.Printf("%d warnings\n", n)
		}
		printChanges(c, p.Report.Changes)
		if p.More > 0 {
			c.Printf("and %d more\n", p.More)
		}
		printCounts(c, p.Report)
		return nil
	}
	return fmt.Errorf("load %d is not kept: `%s` lists those that are", l.Number, l.Hint("loads"))
}

// summary is a load in one line.
func summary(p history.Past) string {
	text := fmt.Sprintf("%4d  %s  ", p.Number, p.Began.Local().Format(time.DateTime))
	if p.Undoes != 0 {
		text += fmt.Sprintf("undid load %d", p.Undoes)
	} else {
		sum := p.Report.Sum()
		text += fmt.Sprintf("%d created, %d changed, %d deleted", sum.Created, sum.Changed, sum.Deleted)
	}
	if n := p.Report.Returned; n > 0 {
		text += ", " + returned(n)
	}
	if p.By != "" {
		text += "  (" + p.By + ")"
	}
	if p.File != "" {
		text += "  " + p.File
	}
	if p.Note != "" {
		text += "  " + p.Note
	}
	return text
}

// UndoCommand is `touchline undo`.
type UndoCommand struct {
	Number *int          `arg:"" optional:"" help:"Number of the import, as 'touchline loads' lists it; by default the last, if that is not the first."`
	DryRun bool          `help:"Say what would change; change nothing."`
	Diff   bool          `help:"Show each record that changes, and what of it."`
	Note   string        `placeholder:"TEXT" help:"Why, for the list of loads: at most 100 characters."`
	Allow  *int          `name:"allow-deletes" placeholder:"N" help:"How many results may leave their season or get other teams, and teams leave a season in which they have results."`
	Wait   time.Duration `default:"15s" help:"How long to wait for an import to end (default: ${default})."`
	Yes    bool          `short:"y" help:"Do not ask. An undo that shows who was hidden needs it where nobody can be asked."`
	JSON   bool          `name:"json" help:"Print the report as JSON."`
	database.Flags
}

// Help is shown below the flags.
func (UndoCommand) Help() string {
	return `Takes an import back whole, the last one or that of a number: the records that it changed are what they were before, and so is everything that follows from them. It is refused where a record was changed since (the message names the first ten, --json all), where the import was too large for its way back to be kept, and where it named a record that was erased since. What it did to erased records stays. An undo is not undone: called again, it changes nothing.

Examples:

    touchline undo --dry-run --diff
    touchline undo 41
    touchline undo --stack prod
`
}

// undone is the output with --json.
type undone struct {
	Load   int            `json:"load"`             // number of the load that is reverted
	Report *loader.Report `json:"report,omitempty"` // none if it was reverted before
}

// Run reverts the last load.
func (u *UndoCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	if u.Number != nil && *u.Number < 1 {
		return terminal.Usagef("there is no load %d: the first is 1", *u.Number)
	}
	d, err := u.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	number, err := u.number(ctx, c, d)
	if err != nil {
		return err
	}
	p := c.Steps()
	l := d.Loader(p, u.Wait)
	l.Confirm = confirm(c, u.JSON, u.Yes, func(r *loader.Report) {
		p.End()
		sayLines(c, "this undo shows who was hidden:", shown(r))
	})
	report, past, err := l.Undo(ctx, loader.Options{DryRun: u.DryRun, Diff: u.Diff, Note: u.Note, Load: number, AllowDeletes: u.Allow, Yes: u.Yes})
	p.End()
	if already, ok := errors.AsType[*history.UndoneError](err); ok {
		if u.JSON {
			return c.JSON(undone{Load: already.Number})
		}
		c.Printf("%v: nothing to do\n", already)
		return nil
	}
	if err != nil {
		return u.explain(ctx, c, d, err)
	}
	if u.JSON {
		return c.JSON(undone{past.Number, report})
	}
	if report.Entries == 0 {
		c.Printf("load %d is undone already: nothing to do\n", past.Number)
	}
	if n := past.Report.Erased; n > 0 {
		c.Printf("what load %d erased stays erased: %s (`%s` lets one back)\n", past.Number, terminal.Counted(n, "record"), d.Hint("import --allow-erased KEY DATASET"))
	}
	if report.Entries == 0 {
		return nil
	}
	printChanges(c, report.Changes)
	printCounts(c, report)
	if u.DryRun {
		c.Printf("nothing was changed (--dry-run); the undo of load %d would write %s\n", past.Number, Entries(report.Entries))
		return nil
	}
	c.Printf("load %d of %s is undone; wrote %s\n", past.Number, past.Began.Local().Format(time.DateTime), Entries(report.Entries))
	return nil
}

// number is that of the load to undo; 0: the last, of which nobody can be asked. A person is
// asked whether it is that one. The first load, without which there are no data, has to be
// named.
func (u *UndoCommand) number(ctx context.Context, c *terminal.Terminal, d *database.Database) (int, error) {
	if u.Number != nil {
		return *u.Number, nil
	}
	if u.DryRun {
		return 0, nil
	}
	loads, err := loader.Loads(ctx, d.Sports(), history.Range{Limit: 1})
	switch {
	case err != nil || len(loads) == 0:
		return 0, d.Explain(err)
	case loads[0].Number == 1:
		return 0, fmt.Errorf("there is no load but the first, and without it no data: if that is meant, `%s` takes it back", d.Hint("undo 1"))
	case u.JSON || u.Yes || !c.Asks():
		return 0, nil
	}
	c.Sayf("%s", terminal.Plain(summary(loads[0])))
	meant, err := c.Confirm(ctx, "undo this one?")
	if err == nil && !meant {
		err = errRefused
	}
	return loads[0].Number, err
}

// explain says what to do about an undo that failed.
func (u *UndoCommand) explain(ctx context.Context, c *terminal.Terminal, d *database.Database, err error) error {
	if refused, ok := errors.AsType[*loader.UnmeantError](err); ok {
		return unmeant(c, u.JSON, refused)
	}
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		c.Sayf("%v", faults)
		return errors.New("the load cannot be undone, nothing was changed: records that came by other means refer to what it brought")
	}
	if changed, ok := errors.AsType[*history.ChangedError](err); ok {
		if u.JSON {
			if err := c.JSON(changed); err != nil {
				return err
			}
		}
		return fmt.Errorf("%w; nothing was changed: import what they should be, or undo the later loads first (`%s` lists them)", err, d.Hint("loads --of KEY"))
	}
	if refused, ok := errors.AsType[*integrity.DeletionsError](err); ok {
		return fmt.Errorf("the undo %w; nothing was changed: --allow-deletes %d says that they are meant", err, refused.Total)
	}
	if errors.Is(err, history.ErrNoWayBack) {
		return fmt.Errorf("%w; nothing was changed: import the dataset before it, with --replace", err)
	}
	if err = d.Explain(err); ctx.Err() == nil && errors.As(err, new(*loader.BegunError)) {
		err = fmt.Errorf("%w; part of the undo is written: run it again", err)
	}
	return err
}
