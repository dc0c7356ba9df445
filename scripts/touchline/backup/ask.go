package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/loader/history"
	"touchline/shared/loader/since"
	"touchline/shared/store/file"
)

// ask says what a restore takes back, and asks whether it is meant. Where nobody can be
// asked that has to be said.
func (r *RestoreCommand) ask(ctx context.Context, c *terminal.Terminal, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	c.Sayf("this restore takes back:")
	for _, line := range lines {
		c.Sayf("  %s", terminal.Plain(line))
	}
	switch {
	case r.Yes:
		return nil
	case !c.Asks():
		return errors.New("there is no terminal to ask whether that is meant: --yes says so")
	}
	meant, err := c.Confirm(ctx, "go on?")
	if err == nil && !meant {
		err = errors.New("it is not meant")
	}
	return err
}

// costs says what is lost with the data that a restore replaces, and what of them comes back.
func costs(report *since.Report) (lines []string) {
	if report == nil {
		return nil
	}
	if report.Lost > 0 {
		lines = append(lines, "loads since, which are lost: "+fmt.Sprint(report.Lost))
	}
	for _, p := range report.Loads {
		text := fmt.Sprintf("%6d  %s", p.Number, p.Began.Local().Format(time.DateTime))
		for _, word := range []string{p.By, p.File, p.Note} {
			if word != "" {
				text += "  " + word
			}
		}
		lines = append(lines, text)
	}
	for _, s := range report.Back {
		lines = append(lines, counted(s)+" deleted since, which come back")
	}
	return lines
}

func counted(s history.Shown) string {
	text := fmt.Sprintf("%s: %d", s.Kind, s.Records)
	if len(s.Keys) > 0 {
		text += " (" + s.Named() + ")"
	}
	return text
}

// sayTaken says what was decided since the backup and stays so.
func sayTaken(c *terminal.Terminal, report *since.Report) {
	if report.Erased > 0 {
		c.Sayf("erased since, and not brought back: %s", terminal.Counted(report.Erased, "record"))
	}
	for _, s := range report.Hidden {
		c.Sayf("hidden since, and hidden again: %s", terminal.Plain(counted(s)))
	}
}

// keyLines says what becomes of keys that differ: those of the backup are left out, or with
// --keys come back.
func (r *RestoreCommand) keyLines(ctx context.Context, c *terminal.Terminal, from *file.File, was *former) (lines []string, _ error) {
	if was.file == nil {
		return nil, nil
	}
	then, err := from.Keys().List(ctx)
	if err != nil {
		return nil, err
	}
	now, err := was.file.Keys().List(ctx)
	if err != nil && !r.Unread {
		return nil, err
	}
	add := func(text string, list []string) {
		if len(list) > 0 {
			lines = append(lines, text+strings.Join(list, ", "))
		}
	}
	if was.tables[file.KeysTable] != nil {
		add("keys of the backup that are not here, which are left out (--keys takes the backup's): ", lacking(then, now))
		return lines, nil
	}
	add("keys made since, which are lost: ", lacking(now, then))
	add("keys ended since, which work again: ", revived(now, then, c.Now()))
	return lines, nil
}

// lacking are the ids of the keys in list that others does not have.
func lacking(list, others []keys.Key) (ids []string) {
	for _, k := range list {
		if !slices.ContainsFunc(others, func(o keys.Key) bool { return o.ID == k.ID }) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// revived are the ids of keys that have ended, and had not before.
func revived(list, before []keys.Key, now time.Time) (ids []string) {
	for _, k := range before {
		if k.Valid(now) && slices.ContainsFunc(list, func(o keys.Key) bool { return o.ID == k.ID && !o.Valid(now) }) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}
