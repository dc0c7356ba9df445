package webconsole

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// outcome is what a load, or the undo of one, did or would do, as pages show it.
type outcome struct {
	Report  *loader.Report
	Faults  *dataset.Faults
	Trouble string // why there is neither; or what keeps the load from being applied
	// Since are the records that keep a load from being undone (D72): changed after it.
	Since []history.Change
	// Brief leaves out what says nothing of one that a form has made: counts, files, lines.
	Brief bool
	Held  string // names what is held, of which it is the outcome
	Check string // of the check: what a form sends back, for what its page showed
	Stale bool   // the data have changed since the check
	// Of are the records by their lines, of a form that has several; nil: of one.
	Of []sport.ID
}

// About is what the record of a line is called; empty: the form has but one.
func (r outcome) About(line int) string {
	for _, c := range r.Changes() {
		if line > 0 && line <= len(r.Of) && c.ID == r.Of[line-1] {
			return c.Name
		}
	}
	return ""
}

// Rows are the counts by kind, for the kinds that the load concerns.
func (r outcome) Rows() []history.KindCounts {
	if r.Report == nil {
		return nil
	}
	return slices.DeleteFunc(r.Report.Kinds(), func(n history.KindCounts) bool { return *n.Counts == history.Counts{} })
}

// named bounds the records of a kind that the list of loads names.
const named = 3

// Summary says what the load did, a line for each kind. Records are named by the keys that
// are kept with the load.
func (r outcome) Summary() (all []string) {
	if r.Report == nil {
		return nil
	}
	kinds := []sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch, history.KindStandings}
	for i, n := range r.Report.Kinds() {
		for j, count := range []int{n.Created, n.Changed, n.Deleted} {
			if count == 0 {
				continue
			}
			text := parts.Counted(count, string(kinds[i]))
			if count > 1 {
				text = parts.Number(count) + " " + n.Kind
			}
			text += []string{" created", " changed", " deleted"}[j]
			op, left, before := []history.Op{history.Create, history.Update, history.Delete}[j], count, ": "
			for _, c := range r.Report.Changes {
				if c.Kind == kinds[i] && c.Op == op && left > count-named {
					text += before + cmp.Or(c.Key, string(c.ID))
					left, before = left-1, ", "
				}
			}
			if left > 0 && left < count {
				text += fmt.Sprintf(" and %d more", left)
			}
			all = append(all, text)
		}
	}
	return all
}

// Unmeant reports whether the load shows who was hidden, or moves names, so that a form asks
// whether that is meant.
func (r outcome) Unmeant() bool { return r.Report != nil && r.Report.Unmeant().Count() > 0 }

// meaning is a loader's Confirm, of a form that says that this is meant.
func meaning(r *http.Request) func(context.Context, *loader.Report) error {
	meant := r.PostFormValue("meant") != ""
	return func(_ context.Context, report *loader.Report) error {
		if unmeant := report.Unmeant(); unmeant.Count() > 0 && !meant {
			return &loader.UnmeantError{Faults: unmeant}
		}
		return nil
	}
}

// maxChanges bounds the number of changes on a page.
const maxChanges = 500

// Changes are the first records that differ.
func (r outcome) Changes() []history.Change {
	if r.Report == nil {
		return nil
	}
	return r.Report.Changes[:min(len(r.Report.Changes), maxChanges)]
}

// Applies reports whether there is something to apply.
func (r outcome) Applies() bool {
	return r.Report != nil && r.Trouble == "" && r.Report.Entries > 0
}

// outcomeOf describes the outcome of a load. False: the error is for the operator's terminal.
func outcomeOf(report *loader.Report, err error) (outcome, bool) {
	out := outcome{Report: report}
	if err == nil {
		return out, true
	}
	if errors.As(err, new(*loader.UnmeantError)) {
		out.Trouble = "Nothing was changed: it would show who is hidden, or move names, which was not said to be meant. Check it again."
		return out, true
	}
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		out.Faults = faults
		return out, true
	}
	if changed, ok := errors.AsType[*history.ChangedError](err); ok {
		out.Since = changed.Records
		out.Trouble = "Some of its records were changed since, so that an undo would take away later work."
		return out, true
	}
	if refused, ok := errors.AsType[*integrity.DeletionsError](err); ok {
		out.Trouble = fmt.Sprintf("The load %v. Where that is meant, say %d as the deletions that are meant, and upload it again.", err, refused.Total)
		return out, true
	}
	switch {
	case errors.Is(err, loader.ErrUnfinished):
		out.Trouble = "An earlier load was interrupted. It has to be finished first: run touchline import, or apply any load from the command line."
	case errors.As(err, new(*store.HeldError)):
		out.Trouble = "Another load is running: wait for its end."
	case errors.Is(err, loader.ErrGoodPartDeletes):
		out.Trouble = "Leaving out what is faulty and removing what the dataset does not hold go together only where you say how many deletions are meant."
	case errors.Is(err, loader.ErrChecked):
		out.Stale = true
	case errors.Is(err, loader.ErrNoLoad), errors.Is(err, history.ErrNoWayBack), errors.Is(err, history.ErrNotKept), errors.As(err, new(*history.UndoneError)), errors.As(err, new(*loader.UnreadableError)), errors.As(err, new(*loader.MemoryError)):
		out.Trouble = err.Error() + "."
	default:
		out.Trouble = "It failed: the terminal of the console says why."
		return out, false
	}
	return out, true
}

// touched are the loads that changed a record, the newest first, each reduced to what it
// did with that record. Unsure are the numbers of loads of which not all is kept: they
// may have changed it.
func touched(loads []history.Past, id sport.ID) (changed []history.Past, unsure []int) {
	for _, p := range loads {
		if p.More > 0 {
			unsure = append(unsure, p.Number)
		}
		report := *p.Report
		report.Changes = slices.DeleteFunc(slices.Clone(report.Changes), func(c history.Change) bool { return c.ID != id })
		if p.Report = &report; len(report.Changes) > 0 {
			changed = append(changed, p)
		}
	}
	return changed, unsure
}

// undone is the number of the load that took a load back; 0: none did.
func undone(loads []history.Past, number int) int {
	for _, p := range loads {
		if p.Undoes == number {
			return p.Number
		}
	}
	return 0
}
