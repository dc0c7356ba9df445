package history

import (
	"context"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// How long loads are kept, in days, where nobody has said it, and at most.
const (
	DefaultDays = 14
	MostDays    = 3650
)

// The bounds of what is kept: the oldest loads go first where there are more, or where
// they take more bytes together.
const (
	Most      = 5000
	MostBytes = 64 << 20
)

// removedLoads is how many of those that are too old one load removes: each load adds one,
// so that the rest goes with the next ones.
const removedLoads = 16

// Kept says which loads are kept. It lies in the [Mark], so that a load reads nothing to
// find out that none is too old.
type Kept struct {
	Days  int   `dynamodbav:"d,omitempty"` // how long; 0: DefaultDays
	First int   `dynamodbav:"f,omitempty"` // the number of the oldest
	Since int64 `dynamodbav:"t,omitempty"` // when that began, in ms since 1970; 0: not known
	Bytes int   `dynamodbav:"s,omitempty"` // of all
}

// Add adds a load, and gives the writes that remove older ones. It changes how long
// loads are kept, unless days is 0.
func (k Kept) Add(ctx context.Context, table *store.Table, p *Past, days int) (Kept, []store.Write, error) {
	if days > 0 {
		k.Days = days
	}
	if k.Days == 0 {
		k.Days = DefaultDays
	}
	if p.Number == 1 {
		k.First, k.Since = 1, p.Millis
	}
	k.Bytes += p.Size
	if !k.full(p) {
		return k, nil, nil
	}
	last := min(p.Number-1, k.First+removedLoads-1)
	items, err := table.Query(ctx, store.Query{
		PK: records.JournalPK, From: records.LoadKey(k.First).SK, To: records.LoadKey(last).SK, Consistent: true,
	})
	if err != nil {
		return k, nil, err
	}
	return k.without(items, last, p)
}

// full reports whether the oldest load is one too many, or may be.
func (k Kept) full(p *Past) bool {
	old := p.Millis - int64(k.Days)*(24*time.Hour).Milliseconds()
	return k.Since < old || p.Number-k.First >= Most || k.Bytes > MostBytes
}

// without removes the first of the items that are too much, and what lies beside them.
// They are those of the loads up to the last.
func (k Kept) without(items []store.Item, last int, p *Past) (Kept, []store.Write, error) {
	var writes []store.Write
	k.First, k.Since = last+1, 0 // where nothing is left up to there
	for _, item := range items {
		old, err := store.Decode[Past](item)
		if err != nil {
			return k, nil, err
		}
		k.First, k.Since = old.Number, old.Millis
		if !k.full(p) {
			return k, writes, nil
		}
		writes = append(writes, store.Write{Key: records.LoadKey(old.Number)})
		for n := range old.Pieces {
			writes = append(writes, store.Write{Key: records.UndoKey(old.Number, n)})
		}
		k.Bytes -= old.Size
		k.First, k.Since = old.Number+1, 0 // the next load looks how old that is
	}
	if k.First >= p.Number {
		k.First, k.Since, k.Bytes = p.Number, p.Millis, p.Size
	}
	return k, writes, nil
}
