package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/generation"
)

// local puts a backup in the place of the data of serve.
func (r *RestoreCommand) local(ctx context.Context, c *terminal.Terminal) error {
	path := filepath.Join(r.DataDir, database.FileName)
	from, err := file.Open(r.File, file.Options{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("%s is not a backup that can be read: %w. Nothing was changed", r.File, err)
	}
	defer from.Close() //nolint:errcheck // only read
	after, err := check(ctx, from)
	if err == nil {
		err = sayForeign(ctx, c, from.Keys())
	}
	if err != nil {
		return fmt.Errorf("%s: %w. Nothing was changed", r.File, err)
	}
	free, err := unused(path)
	if errors.Is(err, file.ErrInUse) {
		return fmt.Errorf("touchline serve, or another command, has the data in %s open: stop it first", r.DataDir)
	} else if err != nil {
		return err
	}
	defer free()
	kept, err := replace(ctx, from, path, free)
	if err != nil {
		return err
	}
	c.Sayf("restored to %s: %s", path, after)
	if kept != "" {
		c.Sayf("what was there is kept as %s: `%s` brings it back", kept, database.Flags{Local: database.Local{DataDir: r.DataDir}}.Hint("restore "+terminal.Word(kept)))
	}
	if r.JSON {
		return c.JSON(map[string]string{"restored": path, "before": kept})
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
	_, err = generation.Read(ctx, &store.Table{DB: &from.Database, Name: database.FileTables().Sports})
	if other, ok := errors.AsType[*generation.OtherError](err); ok && other.Upgradable() {
		return fmt.Sprintf("%s; its data are of layout %d, which serve upgrades to %d when it starts", says, other.Open, generation.Layout), nil
	}
	if generation.IsEmpty(err) {
		err = nil
	}
	return says, err
}

// unused makes sure that no process has the data at path, until free is called. What is
// there may be damaged, or nothing.
func unused(path string) (free func(), err error) {
	if err := database.Unused(filepath.Dir(path)); err != nil { // it may have a file that is there no more
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return func() {}, file.Prepare(filepath.Dir(path))
	}
	there, err := file.Open(path, file.Options{})
	if errors.Is(err, file.ErrDamaged) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = there.Close() }, nil
}

// replace puts a copy of the backup in the place of what is at path, which it keeps
// under another name. Killed anywhere, either is at path, whole.
func replace(ctx context.Context, from *file.File, path string, free func()) (kept string, err error) {
	next := path + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) { // of one that was killed
		return "", err
	}
	if _, err := from.CopyTo(ctx, next); err != nil {
		return "", err
	}
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
