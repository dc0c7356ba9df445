package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

type importCommand struct {
	Dir string `arg:"" optional:"" help:"Folder of the dataset, an archive of it (.zip, .tar.gz, .tgz), or - for an archive on standard input."`
	databaseFlags
	Replace  bool          `help:"Remove what the folder does not hold."`
	Allow    *int          `name:"allow-deletes" placeholder:"N" help:"How many records --replace may remove: needed where it would remove more than a fifth of a kind and more than 10 of its records, or all of a kind."`
	DryRun   bool          `help:"Check the dataset and say what would change; change nothing."`
	Diff     bool          `help:"Show each record that changes, and what of it."`
	Offline  bool          `help:"Check the dataset by itself, without a database."`
	Strict   bool          `help:"Refuse a dataset that there are warnings of."`
	Abandon  bool          `help:"Give up an import that was interrupted and cannot be finished; then load the folder, if one is named."`
	GoodPart bool          `help:"Leave faulty records out, and those that refer to them, and load the rest."`
	Wait     time.Duration `default:"15s" help:"How long to wait for another import to end (default: ${default})."`
	JSON     bool          `name:"json" help:"Print the report, or the faults, as JSON."`
	bucketFlags

	folder string // of the dataset, where an archive is unpacked
}

// Help is shown below the flags.
func (importCommand) Help() string {
	return `A faulty dataset changes nothing: every fault is printed with its file, line and field, and the exit code is 1. An import that was interrupted is finished by the next one; one that cannot be finished is given up with --abandon, and "touchline check --mend" puts right what it left half done.

With --bucket or --drop the dataset goes into the bucket of a deployment, whose function loads it: that needs no right to write to the table. Its memory bounds how much it takes at once (go doc ./shared/ingest): drop what is larger in parts. Interrupted while it waits for the report, the load goes on all the same.

Examples:

    touchline import austria
    touchline import --offline mydata
    touchline import --replace --dry-run --diff ./federation
    touchline import --stack prod --drop ./federation.zip
`
}

// Run loads the folder.
func (i *importCommand) Run(ctx context.Context, c *console) error {
	if i.Abandon && i.DryRun {
		return usagef("--abandon changes the database, --dry-run nothing: leave one of them out")
	}
	if i.Abandon && i.Dir == "" && !i.byBucket() {
		return i.abandon(ctx, c)
	}
	if i.Dir == "" {
		return usagef("expected \"<dir>\": name the folder of the dataset")
	}
	switch {
	case i.Offline && (i.Abandon || i.GoodPart || i.Diff || i.byBucket()):
		return usagef("--offline checks the dataset and uses no database: leave --abandon, --good-part, --diff, --bucket and --drop out")
	case i.Allow != nil && *i.Allow < 0:
		return usagef("--allow-deletes %d: want a number of at least 0", *i.Allow)
	case i.Replace && i.GoodPart && i.Allow == nil:
		return usagef("--replace with --good-part removes what is left out as faulty: say with --allow-deletes how many deletions are meant")
	}
	folder, remove, err := datasetFolder(c, i.Dir)
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		return i.faulty(c, faults)
	}
	if err != nil {
		return err
	}
	defer remove()
	i.folder = folder
	if i.Offline {
		return i.offline(ctx, c)
	}
	if i.byBucket() {
		return i.drop(ctx, c)
	}
	d, err := i.open(ctx, c)
	if err != nil {
		return err
	}
	if err := d.ensure(ctx); err != nil {
		return err
	}
	report, err := d.load(ctx, c, os.DirFS(i.folder), i.Wait, i.options())
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		return i.faulty(c, faults)
	}
	if refused, ok := errors.AsType[*loader.DeletionsError](err); ok {
		return i.guarded(c, refused)
	}
	if err != nil {
		if err = d.explain(err); ctx.Err() == nil && errors.As(err, new(*loader.BegunError)) {
			err = fmt.Errorf("%w; %s", err, partWritten)
		}
		return err
	}
	return i.loaded(c, report)
}

// partWritten is what to know about an import that ended early.
const partWritten = "part of the import is written: the next import finishes it first"

func (i *importCommand) options() loader.Options {
	return loader.Options{Replace: i.Replace, DryRun: i.DryRun, GoodPart: i.GoodPart, Abandon: i.Abandon, Strict: i.Strict, Diff: i.Diff, AllowDeletes: i.Allow}
}

// abandon gives up an import that was interrupted, and loads nothing.
func (i *importCommand) abandon(ctx context.Context, c *console) error {
	d, err := i.open(ctx, c)
	if err != nil {
		return err
	}
	p := shown{console: c}
	report, err := d.loader(&p, i.Wait).Abandon(ctx)
	p.end()
	if err != nil {
		return d.explain(err)
	}
	if i.JSON {
		return c.json(report)
	}
	c.printf("gave up an import that had been interrupted; what it wrote is still there: run %q\n", "touchline check --mend")
	return nil
}

// faulty prints the faults of a dataset that was not loaded.
func (i *importCommand) faulty(c *console, faults *dataset.Faults) error {
	if i.JSON {
		if err := c.json(faults); err != nil {
			return err
		}
	} else {
		c.sayf("%v", faults)
		sayWarnings(c, faults.Warnings)
	}
	found := counted(faults.Count(), "fault")
	switch {
	case i.GoodPart:
		return fmt.Errorf("%s in %s that --good-part does not leave out, nothing was changed: mend the dataset", found, i.Dir)
	case faults.OfFiles():
		return fmt.Errorf("%s in %s, nothing was changed: mend the dataset", found, i.Dir)
	}
	return fmt.Errorf("%s in %s, nothing was changed: mend the dataset, or load the rest with --good-part", found, i.Dir)
}

// guarded says how deletions that were refused are asked for.
func (i *importCommand) guarded(c *console, refused *loader.DeletionsError) error {
	if i.JSON {
		if err := c.json(refused); err != nil {
			return err
		}
	}
	return fmt.Errorf("the import of %s %w; nothing was changed: complete the dataset, or say that they are meant with --allow-deletes %d", i.Dir, refused, refused.Total)
}

// loaded prints the report of a load.
func (i *importCommand) loaded(c *console, report *loader.Report) error {
	if i.JSON {
		return c.json(report)
	}
	if report.Faults.Count() > 0 {
		c.sayf("%v", report.Faults)
	}
	sayWarnings(c, report.Warnings)
	printChanges(c, report.Changes)
	printReport(c, report, i.DryRun)
	return nil
}

// printChanges prints what becomes of each record, one a line.
func printChanges(c *console, changes []history.Change) {
	colours := map[history.Op]string{history.Create: green, history.Update: yellow, history.Delete: red}
	for _, change := range changes {
		c.printf("%s\n", c.colour(colours[change.Op], plain(change.String())))
	}
}

// sayWarnings prints warnings, one a line.
func sayWarnings(c *console, warnings *dataset.Warnings) {
	if warnings.Count() == 0 {
		return
	}
	for line := range strings.Lines(warnings.String()) {
		c.sayf("warning: %s", strings.TrimSuffix(line, "\n"))
	}
}

// counted is a number of things in words: "1 fault", "2 faults".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// load brings a dataset into the database and shows its progress.
func (d *database) load(ctx context.Context, c *console, files fs.FS, patience time.Duration, o loader.Options) (*loader.Report, error) {
	p := shown{console: c}
	defer p.end()
	report, err := d.loader(&p, patience).Load(ctx, files, o)
	if held, ok := errors.AsType[*store.HeldError](err); ok {
		return nil, fmt.Errorf("another import is running (%s): wait for its end, or give it longer with --wait", held.Label)
	}
	return report, err
}

// loader is a loader into the database that shows its progress.
func (d *database) loader(p *shown, patience time.Duration) *loader.Loader {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	return &loader.Loader{
		Table: d.sports(),
		Lease: &store.Lease{
			DB: d.client, Table: d.tables.Sports, Key: records.LockKey(), Holder: uuid.NewString(),
			Label: fmt.Sprintf("touchline on %s, process %d", host, os.Getpid()), Now: time.Now,
		},
		Progress: p.say,
		Patience: patience,
		Now:      p.console.Now,
	}
}

// shown is the progress of one thing after another.
type shown struct {
	console *console
	what    string
	bar     *progress
}

// say shows how far a thing is; all is 0 where it is not known.
func (s *shown) say(what string, done, all int) {
	if what != s.what || s.bar == nil {
		s.end()
		s.what, s.bar = what, s.console.progress(what, all)
	}
	s.bar.at(done)
}

func (s *shown) end() {
	if s.bar != nil {
		s.bar.end()
	}
}

func printReport(c *console, r *loader.Report, dry bool) {
	if r.Finished != nil {
		c.printf("an import that had been interrupted was finished first; it did this:\n")
		printCounts(c, r.Finished)
		c.printf("this import:\n")
	}
	printCounts(c, r)
	switch {
	case dry:
		c.printf("nothing was changed (--dry-run); the import would write %s\n", items(r.Entries))
	case r.Entries == 0 && r.Finished != nil:
		c.printf("nothing more to change\n")
	case r.Entries == 0:
		c.printf("nothing to change\n")
	default:
		c.printf("wrote %s\n", items(r.Entries))
	}
	if n := r.Faults.Count(); n > 0 {
		c.printf("%s: their records were left out (--good-part)\n", counted(n, "fault"))
	}
	if n := r.Warnings.Count(); n > 0 {
		c.printf("%s\n", counted(n, "warning"))
	}
}

// items is what a load writes, in words: records, and for each the places in
// which it is listed or counted.
func items(entries int) string {
	return counted(entries, "item") + " to the table, for records and the lists and statistics that show them"
}

func printCounts(c *console, r *loader.Report) {
	for _, row := range []struct {
		name   string
		counts loader.Counts
	}{
		{"organizations", r.Organizations}, {"competitions", r.Competitions}, {"teams", r.Teams},
		{"players", r.Players}, {"matches", r.Matches}, {"standings", r.Standings},
	} {
		if n := row.counts; n != (loader.Counts{}) {
			c.printf("%-14s %7d created %7d changed %7d deleted %7d unchanged\n", row.name, n.Created, n.Changed, n.Deleted, n.Unchanged)
		}
	}
}
