package commit

import (
	"context"
	"fmt"
	"time"

	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// Conducted is what the head of a load says that Step Functions conducts (package
// conduct).
type Conducted struct {
	// Execution names the execution, for people and for who began it. Number counts
	// the executions of the load, from 1: only the steps of the last one go on.
	Execution string `dynamodbav:"e"`
	Number    int    `dynamodbav:"n"`
	// Task is what the steps are told, for who begins another execution.
	Task string `dynamodbav:"t,omitempty"`
	// Decided is the Number of the execution in which the load was decided; 0: nothing
	// of it is in the table.
	Decided int `dynamodbav:"d,omitempty"`
	// Stopped says that the load is being given up: no step begins to write.
	Stopped bool `dynamodbav:"s,omitempty"`
}

// ConductedError is the error of what has to wait for a load that Step Functions
// conducts.
type ConductedError struct {
	Execution string
}

// Error says what can be done.
func (e *ConductedError) Error() string {
	return fmt.Sprintf("a load by Step Functions is not finished (execution %s): wait for it; the message of its drop starts it again if it ends early. "+
		"To give it up, run an import with --abandon", e.Execution)
}

// Conducting is the error of what has to wait for a head's load, nil where that is
// not conducted.
func (h *Head) Conducting() error {
	if h == nil || h.Conducted == nil {
		return nil
	}
	return &ConductedError{h.Conducted.Execution}
}

// BucketLease is the key of the lease of a bucket of a conducted load. The step that writes
// the bucket holds it. It is where the journal's pieces would be, which such a load does
// not have, so it is removed as they are.
func BucketLease(id string, bucket int) store.Key { return records.JournalKey(id, bucket) }

// CheckIdle refuses while a step of a conducted load is writing. *store.HeldError
// says that one is. A step whose lease has run out loses it to the holder of the table's:
// otherwise it could wake, renew it and write on. It does not keep one from beginning:
// that is for the caller.
func CheckIdle(ctx context.Context, table *store.Table, lease *store.Lease) error {
	items, err := table.Query(ctx, store.Query{PK: records.JournalPK, Prefix: records.JournalPrefix, Consistent: true})
	if err != nil {
		return err
	}
	for _, item := range items {
		if held := store.HeldIn(item, lease.Now()); held != nil {
			return held
		}
		if store.HeldIn(item, time.Time{}) == nil {
			continue // it was given back
		}
		step := &store.Lease{DB: lease.DB, Table: lease.Table, Key: store.KeyOf(item), Holder: lease.Holder, Label: lease.Label, Now: lease.Now, Meter: lease.Meter}
		if _, err := step.Take(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Passed is the mark of the lease that says that the load has ended, or was given
// up; zero for a load that has no number.
func (h *Head) Passed(abandoned bool) history.Mark {
	if h.Number == 0 {
		return history.Mark{}
	}
	return history.Mark{Number: h.Number, ID: h.ID, Abandoned: abandoned, Kept: h.Past}
}

// Abandon gives up a load under the lease of the table: what it has written stays.
// A conducted load is first kept from writing more; *store.HeldError says that a
// step of it still writes.
func Abandon(ctx context.Context, table *store.Table, lease *store.Lease, head *Head) error {
	if head.Conducted != nil {
		head.Conducted.Stopped = true
		if err := head.Write(ctx, lease); err != nil {
			return err
		}
		if err := CheckIdle(ctx, table, lease); err != nil {
			return err
		}
	}
	if head.Conducted == nil || head.Conducted.Decided > 0 { // it has changed something
		if err := generation.End(ctx, table, 0, lease.Now()); err != nil {
			return err
		}
	}
	return End(ctx, table, lease, head, true)
}

// End removes the journal of a load that has ended, or was given up, and sets the
// mark of the lease.
func End(ctx context.Context, table *store.Table, lease *store.Lease, head *Head, abandoned bool) error {
	mark, err := head.Passed(abandoned).Item()
	if err != nil {
		return err
	}
	if err := Clear(ctx, table, lease, head, mark); err != nil {
		return err
	}
	return lease.Complete(ctx, mark)
}
