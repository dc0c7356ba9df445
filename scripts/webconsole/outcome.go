package webconsole

import (
	"context"
	"errors"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/history"
	"touchline/shared/store"
)

// result is the outcome of a load, or what it would be.
type result struct {
	Report  *loader.Report
	Faults  *dataset.Faults
	Trouble string // why there is neither; or what keeps the load from being applied
}

// Rows are the counts by kind, for the kinds that the load concerns.
func (r result) Rows() []commit.KindCounts {
	if r.Report == nil {
		return nil
	}
	return slices.DeleteFunc(r.Report.Kinds(), func(n commit.KindCounts) bool { return *n.Counts == loader.Counts{} })
}

// maxChanges bounds the number of changes on a page.
const maxChanges = 500

// Changes are the first records that differ.
func (r result) Changes() []history.Change {
	if r.Report == nil {
		return nil
	}
	return r.Report.Changes[:min(len(r.Report.Changes), maxChanges)]
}

// Applies reports whether there is something to apply.
func (r result) Applies() bool {
	return r.Report != nil && r.Trouble == "" && r.Report.Entries > 0
}

// resultOf describes the outcome of a load.
func (s *Server) resultOf(ctx context.Context, report *loader.Report, err error) result {
	out := result{Report: report}
	if err == nil {
		return out
	}
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		out.Faults = faults
		return out
	}
	switch {
	case errors.As(err, new(*loader.DeletionsError)):
		out.Trouble = "The load " + err.Error() + ". Say how many deletions are meant, and upload it again."
	case errors.Is(err, loader.ErrUnfinished):
		out.Trouble = "An earlier load was interrupted. It has to be finished first: run touchline import, or apply any load from the command line."
	case errors.As(err, new(*store.HeldError)):
		out.Trouble = "Another load is running: wait for its end."
	case errors.As(err, new(*loader.ConductedError)):
		out.Trouble = "Step Functions conducts a load of this table: wait for its end, or give it up with touchline import --abandon."
	case errors.Is(err, loader.ErrGoodPartDeletes):
		out.Trouble = "Leaving out what is faulty and removing what the dataset does not hold go together only where you say how many deletions are meant."
	case errors.Is(err, loader.ErrNoLoad), errors.Is(err, loader.ErrNoWayBack), errors.As(err, new(*loader.ChangedError)), errors.As(err, new(*loader.UndoneError)), errors.As(err, new(*loader.UnreadableError)):
		out.Trouble = err.Error() + "."
	default:
		if ctx.Err() == nil {
			s.options.Report(err)
		}
		out.Trouble = "It failed: the terminal of the console says why."
	}
	return out
}
