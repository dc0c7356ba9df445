package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/since"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/file/owner"
	"touchline/shared/store/generation"
)

// local puts a backup in the place of the data of serve, with what was decided since.
func (r *RestoreCommand) local(ctx context.Context, c *terminal.Terminal) error {
	path := filepath.Join(r.DataDir, database.FileName)
	from, err := file.Open(r.File, file.Options{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("%s is not a backup that can be read: %w. Nothing was changed", r.File, err)
	}
	defer from.Close() //nolint:errcheck // only read
	says, err := check(ctx, from)
	if err != nil {
		return fmt.Errorf("%s: %w. Nothing was changed", r.File, err)
	}
	was, err := r.former(ctx, c, path)
	if err != nil {
		return err
	}
	defer was.free()
	next := path + file.Next
	report, err := r.prepare(ctx, c, from, was, next)
	if err != nil {
		_ = os.Remove(next) // by who opens the file next, else
		return fmt.Errorf("%w. Nothing was changed", err)
	}
	kept, err := replace(next, path, was.free)
	if err != nil {
		return err
	}
	c.Sayf("restored to %s: %s", path, says)
	if kept != "" {
		c.Sayf("what was there is kept as %s: `%s` brings it back", kept, database.Flags{Local: database.Local{DataDir: r.DataDir}}.Hint("restore "+terminal.Word(kept)))
	}
	if r.JSON {
		return c.JSON(map[string]any{"restored": path, "before": kept, "since": report})
	}
	return nil
}

// check reads everything in a backup, and says what there is. Data that this version can
// make nothing of are an error.
func check(ctx context.Context, from *file.File) (says string, err error) {
	report, err := from.Check(ctx)
	switch {
	case err != nil:
		return "", err
	case len(report.Damage) > 0:
		return "", fmt.Errorf("it is damaged: %s", report.Damage[0])
	}
	says = terminal.Counted(report.All(), "item")
	_, err = generation.Read(ctx, opened(from).Sports())
	if other, ok := errors.AsType[*generation.OtherError](err); ok && other.Upgradable() {
		return fmt.Sprintf("%s; its data are of layout %d, which are upgraded to %d, at the latest when serve starts", says, other.Open, generation.Layout), nil
	}
	if generation.IsEmpty(err) {
		err = nil
	}
	return says, err
}

// opened is a file as commands use one.
func opened(f *file.File) *database.Database {
	return &database.Database{File: &f.Database, Tables: database.FileTables(), Where: "the backup"}
}

// former is what a restore replaces.
type former struct {
	tables map[string]*file.File // those beside the data that stay as they are
	sports *store.Table          // nil: there are no data, or none that can be read
	file   *file.File            // nil: nothing is there, or it cannot be opened
	free   func()                // lets go of it, so that another process may have it
}

// former opens what is at path, which no process may have. Where it cannot be read in full
// that has to be allowed.
func (r *RestoreCommand) former(ctx context.Context, c *terminal.Terminal, path string) (was *former, err error) {
	was = &former{tables: map[string]*file.File{}, free: func() {}}
	if err = owner.ErrInUse; !database.IsServed(filepath.Dir(path)) { // a file that is there no more
		if _, missing := os.Stat(path); errors.Is(missing, fs.ErrNotExist) {
			c.Sayf("there are no data in %s: all is taken from the backup, its keys, too. Whether keys were ended since, or anybody was erased or hidden, cannot be known", r.DataDir)
			return was, file.Prepare(filepath.Dir(path))
		}
		was.file, err = file.Open(path, file.Options{})
	}
	switch {
	case errors.Is(err, owner.ErrInUse):
		return nil, fmt.Errorf("touchline serve, or another command, has the data in %s open: stop it first", r.DataDir)
	case err != nil && !errors.Is(err, file.ErrDamaged):
		return nil, err
	case err == nil:
		was.free = func() { _ = was.file.Close() }
		err = r.read(ctx, c, was)
	}
	if err != nil && ctx.Err() == nil && r.Unread {
		c.Sayf("note: what is there cannot be read in full (%v): for the rest the backup's is taken", err)
		return was, nil
	}
	if err != nil {
		was.free()
		return nil, fmt.Errorf("what is in %s cannot be read in full, so that who was erased or hidden since, and which keys were ended, is not known: %w. Nothing was changed: --unread goes on without", r.DataDir, err)
	}
	return was, nil
}

// read looks for what of the former data stays, as far as that can be read.
func (r *RestoreCommand) read(ctx context.Context, c *terminal.Terminal, was *former) error {
	report, err := was.file.Check(ctx)
	if err == nil && len(report.Damage) > 0 {
		err = fmt.Errorf("%w: %s", file.ErrDamaged, report.Damage[0])
	}
	d := opened(was.file)
	for _, name := range []string{file.KeysTable, file.NoncesTable, file.QuotasTable} {
		var failed error
		keep := true
		if name == file.KeysTable { // of which a damaged record costs itself alone
			all, listing := d.Keys().List(ctx)
			failed, keep = listing, len(all) > 0 && !r.Keys
		} else {
			failed = (&store.Table{DB: d.File, Name: name}).Scan(ctx, func(store.Item) error { return nil })
		}
		if failed == nil && keep {
			was.tables[name] = was.file
		}
		err = cmp.Or(err, failed)
	}
	state, failed := generation.Read(ctx, d.Sports())
	switch {
	case generation.IsEmpty(failed):
		return err
	case failed == nil:
		was.sports = d.Sports()
		if state.Moved > 0 { // what came after that is elsewhere
			failed = &generation.MovedError{Table: database.FileTables().Sports, To: state.Moved}
		} else {
			failed = finish(ctx, c, d)
		}
	}
	return cmp.Or(err, failed)
}

// finish ends a load that was interrupted: what it erases is not erased before.
func finish(ctx context.Context, c *terminal.Terminal, d *database.Database) error {
	if _, err := loader.StateOf(ctx, d.Sports()); !errors.Is(err, loader.ErrUnfinished) {
		return err
	}
	nothing, err := journal.Dataset[any](sport.KindPlayer, nil)
	if err == nil {
		p := c.Steps()
		defer p.End()
		_, err = d.Loader(p, 0).Load(ctx, nothing, loader.Options{})
	}
	return err
}

// prepare makes of a backup what is to take the place of the former data, beside them: nobody
// reads it until it has all that was decided since. It asks whether that is meant.
func (r *RestoreCommand) prepare(ctx context.Context, c *terminal.Terminal, from *file.File, was *former, next string) (report *since.Report, err error) {
	lines, err := r.keyLines(ctx, c, from, was)
	if err != nil {
		return nil, err
	}
	if _, err := from.CopyTo(ctx, next, was.tables); err != nil {
		return nil, err
	}
	made, err := file.Open(next, file.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, made.Close()) }()
	d := opened(made)
	if was.sports != nil {
		if report, err = r.take(ctx, c, was.sports, d); errors.Is(err, file.ErrDamaged) && r.Unread {
			report, err = nil, nil // as far as they could be read
		}
	}
	if err == nil {
		err = sayForeign(ctx, c, made.Keys())
	}
	if err == nil {
		err = r.ask(ctx, c, append(lines, costs(report)...))
	}
	return report, err
}

// take brings what was decided since to the data of a backup.
func (r *RestoreCommand) take(ctx context.Context, c *terminal.Terminal, now *store.Table, d *database.Database) (*since.Report, error) {
	p := c.Steps()
	defer p.End()
	layout, err := d.UpgradableFrom(ctx)
	if err == nil && layout > 0 {
		u := d.Upgrader(p, 0)
		if _, err = u.Run(ctx); err == nil {
			_, err = u.Drop(ctx, layout)
		}
	}
	if err != nil {
		return nil, err
	}
	report, err := bring(ctx, now, d, p, r.ShowAgain, c.Now)
	p.End()
	if err == nil {
		sayTaken(c, report)
	}
	return report, err
}

// bring brings what was decided in a table to an older copy of it.
func bring(ctx context.Context, now *store.Table, copied *database.Database, p *terminal.Steps, showAgain bool, clock func() time.Time) (*since.Report, error) {
	s := &since.Since{
		Table: now, Copy: copied.Sports(), ShowAgain: showAgain, Now: clock,
		Load: func(ctx context.Context, files fs.FS) error {
			_, err := copied.Loader(p, time.Minute).Load(ctx, files, since.Options())
			return err
		},
	}
	return s.Take(ctx)
}

// replace puts a file in the place of the one at path, which it keeps under another name.
// Killed anywhere, either is at path, whole.
func replace(next, path string, free func()) (kept string, err error) {
	if runtime.GOOS == "windows" { // which replaces no open file
		free()
	}
	if kept = unusedName(path); kept != "" {
		err = os.Link(path, kept)
	}
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("keep what is at %s, and replace it: %w", path, err), os.Remove(next))
	}
	return kept, nil
}

// unusedName is a name for what is at path that no file has; empty: nothing is there.
func unusedName(path string) string {
	if _, err := os.Lstat(path); err != nil {
		return ""
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.before-%d", path, n)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
	}
}
