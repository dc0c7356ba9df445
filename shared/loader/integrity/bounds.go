package integrity

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// The bounds of a single line were checked when it was read; here are those of what
// adds up over lines and loads, found once everything is projected.

// Unfit notes, by their keys, records that the table cannot hold, and those whose response
// would be too long (D48).
func Unfit(set *dataset.Set, tooLarge, tooLong []store.Key, faults *dataset.Faults) {
	note := func(key store.Key, format string, args ...any) {
		o := originOf(set, key)
		faults.Add(dataset.Fault{File: o.File, Line: o.Line, Field: "id", Message: fmt.Sprintf(format, args...)})
	}
	for _, key := range tooLarge {
		note(key, "makes record %s %s larger than the table can hold", key.PK, key.SK)
	}
	for _, key := range tooLong {
		note(key, "makes a response with the teams of its season longer than %d bytes: they are too many for names and logos of this length", records.MaxResponse)
	}
}

// originOf is a line of the dataset that a record in the table comes from: its
// own, else one that refers to it; zero if there is neither.
func originOf(set *dataset.Set, key store.Key) dataset.Origin {
	switch kind, id := records.Partition(key.PK); kind {
	case 'O':
		return set.Origin(sport.KindOrganization, id)
	case 'C':
		return cmp.Or(
			firstOrigin(set.Competitions, func(r *dataset.Record[sport.Competition]) bool { return r.ID == id }),
			firstOrigin(set.Standings, func(r *dataset.Record[sport.GivenTable]) bool { return r.Value.CompetitionID == id }),
			firstOrigin(set.Teams, func(r *dataset.Record[sport.Team]) bool { return r.Value.CompetitionID == id }))
	case 'T':
		return set.Origin(sport.KindTeam, id)
	case 'P':
		return set.Origin(sport.KindPlayer, id)
	default:
		return set.Origin(sport.KindMatch, id)
	}
}

func firstOrigin[T dataset.Entity](all []*dataset.Record[T], matches func(*dataset.Record[T]) bool) dataset.Origin {
	if i := slices.IndexFunc(all, matches); i >= 0 {
		return all[i].Origin
	}
	return dataset.Origin{}
}

// DeletionsError refuses a load that would remove more than may go without being
// asked for (D52), or more than was allowed, and one that takes entries with results out of
// their season (D83), or results out of their table (D88). Nothing was changed.
type DeletionsError struct {
	Kinds   []KindDeletions `json:"kinds"`             // those from which records would go
	Moved   []history.Taken `json:"moved,omitempty"`   // entries and matches that would leave their table
	Total   int             `json:"deletions"`         // records that would go or leave
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
	var would []string
	if len(texts) > 0 {
		would = append(would, "would remove "+strings.Join(texts, ", "))
	}
	for _, m := range e.Moved {
		would = append(would, "would move "+m.Matches())
	}
	message := strings.Join(would, ", and ")
	if e.Allowed == nil && len(e.Moved) > 0 {
		return message + ": a next season needs entries and matches of its own, with other ids, or none"
	}
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

// Guard refuses the deletions of a full load that are likely an accident, and entries and
// matches that leave: more than allowed, where it says how many are. Without deletions it
// looks at what leaves alone.
func Guard(set *dataset.Set, c *history.Report, deletions bool, allowed *int) error {
	refused := &DeletionsError{Allowed: allowed, Moved: c.Moved}
	for _, m := range c.Moved {
		refused.Total += m.Records
	}
	accident := refused.Total > 0
	inSet := []int{
		given(slices.All(set.Organizations)), given(slices.All(set.Competitions)), given(slices.All(set.Teams)),
		given(set.Players.All()), given(set.Matches.All()), given(slices.All(set.Standings)),
	}
	for i, k := range c.Kinds() {
		if k.Deleted == 0 || !deletions {
			continue
		}
		stored := k.Deleted + k.Changed + k.Unchanged
		refused.Total += k.Deleted
		refused.Kinds = append(refused.Kinds, KindDeletions{Kind: k.Kind, Deletions: k.Deleted, Stored: stored, Given: inSet[i]})
		accident = accident || inSet[i] == 0 || k.Deleted > guardedNumber && k.Deleted*guardedShare > stored
	}
	if allowed != nil {
		accident = refused.Total > *allowed
	}
	if accident {
		return refused
	}
	return nil
}

// given counts the records of a kind in the dataset, without deletions.
func given[T dataset.Entity](records iter.Seq2[int, *dataset.Record[T]]) int {
	n := 0
	for _, x := range records {
		if !x.Deleted {
			n++
		}
	}
	return n
}
