package integrity

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
)

// DeletionsError refuses a load that would remove more than may go without being
// asked for (D52), or more than was allowed. Nothing was changed.
type DeletionsError struct {
	Kinds   []KindDeletions `json:"kinds"` // those from which records would go
	Total   int             `json:"deletions"`
	Allowed *int            `json:"allowed,omitempty"` // Options.AllowDeletes
}

// KindDeletions are the deletions of a kind that a load would make.
type KindDeletions struct {
	Kind      string `json:"kind"` // as the file is named
	Deletions int    `json:"deletions"`
	Stored    int    `json:"stored"`          // records before the load
	Given     int    `json:"given,omitempty"` // records in the dataset, without deletions
}

// Error names the kinds and numbers.
func (e *DeletionsError) Error() string {
	texts := make([]string, len(e.Kinds))
	for i, k := range e.Kinds {
		texts[i] = fmt.Sprintf("%d of %d %s", k.Deletions, k.Stored, k.Kind)
		if k.Given == 0 {
			texts[i] += " (the dataset holds none)"
		}
	}
	message := "would remove " + strings.Join(texts, ", ")
	if e.Allowed != nil {
		return fmt.Sprintf("%s: %d in all, but %d are allowed", message, e.Total, *e.Allowed)
	}
	return message + ": more than may go without being asked for"
}

// The share and the number of a kind's records above which deletions must be
// asked for (D52): more than a fifth and more than ten.
const (
	guardedShare  = 5
	guardedNumber = 10
)

// Guard refuses the deletions of a full load that are likely an accident: more
// than allowed, where it says how many are.
func Guard(set *dataset.Set, c *history.Report, allowed *int) error {
	refused := &DeletionsError{Allowed: allowed}
	accident := false
	stay := []int{
		given(slices.All(set.Organizations)), given(slices.All(set.Competitions)), given(slices.All(set.Teams)),
		given(set.Players.All()), given(set.Matches.All()), given(slices.All(set.Standings)),
	}
	for i, k := range c.Kinds() {
		if k.Deleted == 0 {
			continue
		}
		stored := k.Deleted + k.Changed + k.Unchanged
		refused.Total += k.Deleted
		refused.Kinds = append(refused.Kinds, KindDeletions{Kind: k.Kind, Deletions: k.Deleted, Stored: stored, Given: stay[i]})
		accident = accident || stay[i] == 0 || k.Deleted > guardedNumber && k.Deleted*guardedShare > stored
	}
	if allowed != nil {
		accident = refused.Total > *allowed
	}
	if accident {
		return refused
	}
	return nil
}

// given counts the records of a kind that stay.
func given[T dataset.Entity](records iter.Seq2[int, *dataset.Record[T]]) int {
	n := 0
	for _, x := range records {
		if !x.Deleted {
			n++
		}
	}
	return n
}
