// Package imports has the commands that move data as a whole: import, loads,
// undo, export and check.
//
// Import takes a dataset from a folder, a file, a .zip or standard input. It loads
// it (package loader), or only checks it (--offline). Either way a faulty dataset changes
// nothing, and the report, the faults and the exit code are the same. Undo reverts the last load, export writes the dataset that is in
// the database, and check compares what was computed with what it was computed
// from.
package imports

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/store/generation"
)

// ImportCommand is `touchline import`.
type ImportCommand struct {
	Dir string `arg:"" optional:"" help:"Folder of the dataset, one of its files, a workbook, a .zip of it, or - for lines on standard input, with --as."`
	As  string `placeholder:"KIND" enum:",organizations,competitions,teams,players,matches,standings" default:"" help:"Standard input is NDJSON of this kind: organizations, competitions, teams, players, matches or standings."`
	database.Flags
	Replace  bool          `help:"Remove what the folder does not hold."`
	Allow    *int          `name:"allow-deletes" placeholder:"N" help:"How many records may be removed: with --replace needed where it would remove more than a fifth of a kind and more than 10 of its records, or all of a kind, and always where a result leaves its season or gets other teams, or a team leaves a season in which it has results: each counts as one."`
	Erased   []string      `name:"allow-erased" placeholder:"KEY" sep:"none" help:"Let a record that was erased come back; may be repeated."`
	DryRun   bool          `help:"Check the dataset and say what would change; change nothing."`
	Diff     bool          `help:"Show each record that changes, and what of it."`
	Offline  bool          `help:"Check the dataset by itself: a dry run into an empty database."`
	Strict   bool          `help:"Refuse a dataset that there are warnings of, that shows who was hidden, or, without --yes, that moves names between records."`
	Abandon  bool          `help:"Give up an import that was interrupted and cannot be finished; then load the folder, if one is named."`
	GoodPart bool          `help:"Leave faulty records out, and those that refer to them, and load the rest."`
	Note     string        `placeholder:"TEXT" help:"Why, for the list of loads: at most 100 characters."`
	Keep     *int          `name:"keep-loads" placeholder:"DAYS" help:"How many days loads are kept from now on, to list and to undo them, 1 to 3650 (default: as before, at first 14)."`
	Wait     time.Duration `default:"15s" help:"How long to wait for another import to end (default: ${default})."`
	Yes      bool          `short:"y" help:"Do not ask before an import that takes something away or shows who was hidden. Where nobody can be asked, one that shows who was hidden or moves names between records needs it."`
	JSON     bool          `name:"json" help:"Print the report, or the faults, as JSON."`
}

// Help is shown below the flags.
func (ImportCommand) Help() string {
	return `A faulty dataset changes nothing: every fault is printed with its file, line and field, and the exit code is 1. An import that was interrupted is finished by the next one; one that cannot be finished is given up with --abandon, and "touchline check --mend" puts right what it left half done.

Examples:

    touchline import austria
    touchline import --offline mydata
    touchline import --diff matches.csv
    touchline import --replace --dry-run --diff ./federation
    touchline import --stack prod ./federation.zip
    generate-fixtures | touchline import - --as matches
`
}

// Run loads the folder.
func (i *ImportCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	if i.Abandon && i.DryRun {
		return terminal.Usagef("--abandon changes the database, --dry-run nothing: leave one of them out")
	}
	if i.Keep != nil && (i.DryRun || i.Offline || i.Dir == "") {
		return terminal.Usagef("--keep-loads is for an import that is made")
	}
	if i.Abandon && i.Dir == "" {
		return i.abandon(ctx, c)
	}
	if i.Dir == "" {
		return terminal.Usagef("expected \"<dir>\": name the folder of the dataset")
	}
	switch {
	case i.Offline && (i.Abandon || i.Stack != ""):
		return terminal.Usagef("--offline checks the dataset and uses no database: leave --abandon and --stack out")
	case i.Keep != nil && (*i.Keep < 1 || *i.Keep > history.MostDays):
		return terminal.Usagef("--keep-loads must be from 1 to %d", history.MostDays)
	case i.Allow != nil && *i.Allow < 0:
		return terminal.Usagef("--allow-deletes %d: want a number of at least 0", *i.Allow)
	case i.Replace && i.GoodPart && i.Allow == nil:
		return terminal.Usagef("--replace with --good-part removes what is left out as faulty: say with --allow-deletes how many deletions are meant")
	}
	if (i.As != "") != (i.Dir == standardInput) {
		return terminal.Usagef("--as says of which kind the NDJSON on standard input is: name it with - and --as")
	}
	folder, done, err := datasetFolder(ctx, c, i.Dir, i.As)
	if err != nil {
		return err
	}
	defer done()
	if i.Offline {
		empty, err := os.MkdirTemp("", "touchline-offline-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(empty) }() // the system cleans up temporary files
		i.Flags, i.DryRun = database.Flags{Local: database.Local{DataDir: empty}}, true
	}
	d, err := i.OpenOrMake(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := i.keep(ctx, c, d); err != nil {
		return err
	}
	report, err := d.Load(ctx, c, folder, i.Wait, i.options(), i.confirm(c))
	if err == nil && report.Finished != nil { // before it, an interrupted one was in the way
		err = i.keep(ctx, c, d)
	}
	if refused, ok := errors.AsType[*loader.UnmeantError](err); ok {
		return unmeant(c, i.JSON, refused)
	}
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		return i.faulty(c, faults)
	}
	if refused, ok := errors.AsType[*integrity.DeletionsError](err); ok {
		return i.guarded(c, refused)
	}
	if err != nil {
		err = d.Explain(err)
		switch begun := errors.As(err, new(*loader.BegunError)); {
		case begun && ctx.Err() == nil:
			err = fmt.Errorf("%w; %s", err, PartWritten)
		case !begun && errors.As(err, new(*loader.MemoryError)):
			err = fmt.Errorf("%w: nothing was written", err)
		}
		return err
	}
	if err := i.loaded(c, report); err != nil || i.JSON || i.DryRun || report.Erased == 0 {
		return err
	}
	former, err := formerLayouts(ctx, d)
	for _, layout := range former {
		c.Printf("so do the data of layout %s, which an upgrade left behind: %s removes them\n", layout, d.Hint("upgrade --drop "+layout))
	}
	return err
}

// errRefused is the error of an import that a person did not want after all.
var errRefused = errors.New("nothing was changed")

// confirm says what an import takes away and whom it shows, before it does, and asks
// whether it is meant where a person is there to ask.
func (i *ImportCommand) confirm(c *terminal.Terminal) func(context.Context, *loader.Report) error {
	return confirm(c, i.JSON, i.Yes, func(r *loader.Report) {
		sayLines(c, "this import takes away:", losses(r))
		sayLines(c, "this import shows who was hidden:", shown(r))
	})
}

func sayLines(c *terminal.Terminal, title string, lines []string) {
	if len(lines) > 0 {
		c.Sayf("%s", title)
	}
	for _, line := range lines {
		c.Sayf("  %s", line)
	}
}

// confirm asks whether what is said of a load is meant. In JSON the report says it, and
// nobody is asked: what nobody has said is meant is refused then.
func confirm(c *terminal.Terminal, asJSON, yes bool, say func(*loader.Report)) func(context.Context, *loader.Report) error {
	return func(ctx context.Context, r *loader.Report) error {
		if !asJSON {
			say(r)
		}
		unmeant := r.Unmeant()
		switch asks := c.Asks() && !asJSON; {
		case yes, !asks && unmeant.Count() == 0:
			return nil
		case !asks:
			return &loader.UnmeantError{Faults: unmeant}
		}
		meant, err := c.Confirm(ctx, "go on?")
		if err == nil && !meant {
			err = errRefused
		}
		return err
	}
}

// errUnmeant says how to say that a load is meant which nobody could be asked about.
var errUnmeant = errors.New(`nothing was changed: nobody can be asked here whether that is meant; --yes says so, and whom a record shows its own "visibility": "public"`)

// unmeant is the error of a load that was refused since nobody could be asked, which confirm
// has said, but for JSON.
func unmeant(c *terminal.Terminal, asJSON bool, refused *loader.UnmeantError) error {
	if asJSON {
		if err := c.JSON(refused.Faults); err != nil {
			return err
		}
	}
	return errUnmeant
}

// shown says whom a load shows who was hidden (D74).
func shown(r *loader.Report) (lines []string) {
	for _, s := range r.Shown {
		line := fmt.Sprintf("%s: %d (%s)", s.Kind, s.Records, s.Named())
		if s.Said {
			line += ", as they say"
		}
		lines = append(lines, terminal.Plain(line))
	}
	return lines
}

// losses says what a load takes away, by kind and number.
func losses(r *loader.Report) []string {
	var lines []string
	for _, n := range r.Kinds() {
		if n.Deleted > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d deleted", n.Kind, n.Deleted))
		}
	}
	for _, l := range r.HiddenDeleted {
		lines = append(lines, fmt.Sprintf("%s: %d of those were hidden (%s), which nothing remembers", l.Kind, l.Records, l.Field))
	}
	for _, l := range r.Losses {
		lines = append(lines, fmt.Sprintf("%s: %s of %d", l.Kind, l.Field, l.Records))
	}
	for _, m := range r.Moved {
		lines = append(lines, terminal.Plain("results: "+m.Matches()))
	}
	for _, t := range r.Renamed {
		lines = append(lines, terminal.Plain(t.String()))
	}
	if r.Rescored > 0 {
		lines = append(lines, fmt.Sprintf("matches: the score of %d that are finished, for another", r.Rescored))
	}
	return lines
}

// PartWritten is the note about an import that ended early.
const PartWritten = "part of the import is written: the next import finishes it first"

func (i *ImportCommand) options() loader.Options {
	return loader.Options{Replace: i.Replace, DryRun: i.DryRun, GoodPart: i.GoodPart, Abandon: i.Abandon, Strict: i.Strict, Yes: i.Yes, Diff: i.Diff, AllowDeletes: i.Allow, AllowErased: i.Erased, Note: i.Note, File: fileName(i.Dir)}
}

// fileName is what the list of loads calls a folder or a file.
func fileName(name string) string {
	if name == standardInput {
		return "standard input"
	}
	if whole, err := filepath.Abs(name); err == nil {
		name = whole // of "."
	}
	return filepath.Base(name)
}

// keep says how many days loads are kept, before the load removes those that are too old.
func (i *ImportCommand) keep(ctx context.Context, c *terminal.Terminal, d *database.Database) error {
	if i.Keep == nil {
		return nil
	}
	p := c.Steps()
	defer p.End()
	if err := d.Loader(p, i.Wait).Keep(ctx, *i.Keep); err != nil {
		return d.Explain(err)
	}
	return nil
}

// abandon gives up an interrupted import, and loads nothing.
func (i *ImportCommand) abandon(ctx context.Context, c *terminal.Terminal) error {
	d, err := i.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	p := c.Steps()
	report, err := d.Loader(p, i.Wait).Abandon(ctx)
	p.End()
	if err != nil {
		return d.Explain(err)
	}
	if i.JSON {
		return c.JSON(report)
	}
	c.Printf("gave up an import that had been interrupted; what it wrote is still there: run %q\n", d.Hint("check --mend"))
	return nil
}

// faulty prints the faults of a dataset that was not loaded.
func (i *ImportCommand) faulty(c *terminal.Terminal, faults *dataset.Faults) error {
	if i.JSON {
		if err := c.JSON(faults); err != nil {
			return err
		}
	} else {
		c.Sayf("%v", faults)
		sayWarnings(c, faults.Warnings)
	}
	found := terminal.Counted(faults.Count(), "fault")
	switch {
	case i.GoodPart:
		return fmt.Errorf("%s in %s that --good-part does not leave out, nothing was changed: mend the dataset", found, i.Dir)
	case faults.OfFiles():
		return fmt.Errorf("%s in %s, nothing was changed: mend the dataset", found, i.Dir)
	}
	return fmt.Errorf("%s in %s, nothing was changed: mend the dataset, or load the rest with --good-part", found, i.Dir)
}

// guarded says how to allow deletions that were refused.
func (i *ImportCommand) guarded(c *terminal.Terminal, refused *integrity.DeletionsError) error {
	if i.JSON {
		if err := c.JSON(refused); err != nil {
			return err
		}
	}
	return fmt.Errorf("the import of %s %w; nothing was changed: complete the dataset, or say that they are meant with --allow-deletes %d", i.Dir, refused, refused.Total)
}

// loaded prints the report of a load.
func (i *ImportCommand) loaded(c *terminal.Terminal, report *loader.Report) error {
	if i.JSON {
		return c.JSON(report)
	}
	if report.Faults.Count() > 0 {
		c.Sayf("%v", report.Faults)
	}
	sayWarnings(c, report.Warnings)
	printChanges(c, report.Changes)
	i.printReport(c, report)
	return nil
}

// formerLayouts are those that the table has data of beside the open one.
func formerLayouts(ctx context.Context, d *database.Database) ([]string, error) {
	all, err := generation.List(ctx, d.Sports())
	var former []string
	for _, g := range all {
		if !g.Open {
			former = append(former, strconv.Itoa(g.Layout))
		}
	}
	return former, err
}

// printChanges prints what happens to each record, one a line.
func printChanges(c *terminal.Terminal, changes []history.Change) {
	for _, change := range changes {
		c.Printf("%s\n", terminal.Plain(change.String()))
	}
}

// sayWarnings prints warnings, one a line.
func sayWarnings(c *terminal.Terminal, warnings *dataset.Warnings) {
	if warnings.Count() == 0 {
		return
	}
	for _, w := range warnings.List {
		c.Sayf("%s: %s", map[bool]string{true: "note", false: "warning"}[w.Note], w.Error())
	}
	if warnings.More > 0 {
		c.Sayf("and %d more", warnings.More)
	}
}

func (i *ImportCommand) printReport(c *terminal.Terminal, r *loader.Report) {
	if r.Finished != nil {
		c.Printf("an import that had been interrupted was finished first; it did this:\n")
		printCounts(c, r.Finished)
		c.Printf("this import:\n")
	}
	printCounts(c, r)
	for _, l := range r.Losses {
		c.Printf("%-14s %7d lose %s\n", l.Kind, l.Records, l.Field)
	}
	for _, m := range r.Moved {
		c.Printf("%s\n", terminal.Plain("moves "+m.Matches()))
	}
	for _, t := range r.Renamed {
		c.Printf("%s\n", terminal.Plain(t.String()))
	}
	if r.Rescored > 0 {
		c.Printf("%-14s %7d that are finished get another score\n", "matches", r.Rescored)
	}
	for _, line := range r.Tables {
		c.Printf("%s\n", terminal.Plain("table of "+line))
	}
	switch {
	case i.Offline:
		c.Printf("nothing was changed (--offline)\n")
	case i.DryRun:
		c.Printf("nothing was changed (--dry-run); the import would write %s\n", Entries(r.Entries))
	case r.Entries == 0 && r.Finished != nil:
		c.Printf("nothing more to change\n")
	case r.Entries == 0:
		c.Printf("nothing to change\n")
	default:
		c.Printf("wrote %s\n", Entries(r.Entries))
	}
	if n := r.Faults.Count(); n > 0 {
		c.Printf("%s: their records were left out (--good-part)\n", terminal.Counted(n, "fault"))
	}
	if n := r.Warnings.Count(); n > 0 {
		c.Printf("%s\n", terminal.Counted(n, "warning"))
	}
	if n := r.Returned; n > 0 {
		c.Printf("%s\n", returned(n))
	}
	if n := r.Told; n > 0 {
		c.Printf("%s of erased.ndjson: these records are refused from now on\n", terminal.Counted(n, "erasure"))
	}
	if n := r.Erased; n > 0 { // D64
		c.Printf("%s erased. Files that were loaded, exports, and backups made before still hold what is erased: see Erasure in operate.md, on AWS Data protection in infra/README.md\n", terminal.Counted(n, "record"))
	}
	switch n := len(r.Namesakes); {
	case n == 1:
		c.Printf("1 other player has this name: %s\n", terminal.Plain(r.Namesakes[0]))
	case n > 1:
		c.Printf("%d other players have the name of an erased one: %s\n", n, terminal.Plain(strings.Join(r.Namesakes, ", ")))
	}
}

// returned says that records were let back by --allow-erased (D69).
func returned(n int) string { return terminal.Counted(n, "erased record") + " let back" }

// Entries says how much a load writes. Some of it shares an item of the table.
func Entries(n int) string {
	return fmt.Sprintf("%d records, list entries and statistics to the table", n)
}

func printCounts(c *terminal.Terminal, r *loader.Report) {
	for _, n := range r.Kinds() {
		if *n.Counts != (history.Counts{}) {
			c.Printf("%-14s %7d created %7d changed %7d deleted %7d unchanged\n", n.Kind, n.Created, n.Changed, n.Deleted, n.Unchanged)
		}
	}
	for _, l := range r.StayHidden {
		c.Printf("%-14s %7d stay hidden, as %s does not say otherwise\n", l.Kind, l.Records, l.Field)
	}
	for _, l := range r.HiddenDeleted {
		c.Printf("%-14s %7d deleted that were hidden (%s): loaded again they are public, unless they say otherwise\n", l.Kind, l.Records, l.Field)
	}
	for _, s := range r.Shown {
		c.Printf("%-14s %7d shown that were hidden%s\n", s.Kind, s.Records, terminal.Plain(strings.TrimSuffix(": "+s.Named(), ": ")))
	}
}
