package commit

import (
	"touchline/shared/dataset"
	"touchline/shared/loader/history"
)

// Counts say what a load does with the records of a kind.
type Counts struct {
	Created   int `json:"created" dynamodbav:"c,omitempty"`
	Changed   int `json:"changed" dynamodbav:"u,omitempty"`
	Deleted   int `json:"deleted" dynamodbav:"d,omitempty"`
	Unchanged int `json:"unchanged" dynamodbav:"s,omitempty"`
}

func (c *Counts) Add(stored, deleted, same bool) {
	switch {
	case same:
		c.Unchanged++
	case deleted:
		c.Deleted++
	case stored:
		c.Changed++
	default:
		c.Created++
	}
}

// Report is what a load did, or would do.
type Report struct {
	Organizations Counts `json:"organizations"`
	Competitions  Counts `json:"competitions"` // seasons
	Teams         Counts `json:"teams"`
	Players       Counts `json:"players"`
	Matches       Counts `json:"matches"`
	Standings     Counts `json:"standings"` // tables given
	// Finished is what an earlier load has done that had been interrupted and
	// was finished first; nil if there was none.
	Finished *Report `json:"finished,omitempty"`
	// Entries are the list entries and items written.
	Entries int  `json:"entries"`
	DryRun  bool `json:"dryRun,omitempty"` // nothing was written
	// Changes are the records that differ, where they were asked for
	// (loader.Options.Diff). They are not kept in a journal.
	Changes []history.Change `json:"changes,omitempty" dynamodbav:"-"`
	// Faults are those of the records left out (GoodPart).
	Faults *dataset.Faults `json:"faults,omitempty"`
	// Warnings are about what is odd in the dataset but possible (D51).
	Warnings *dataset.Warnings `json:"warnings,omitempty"`
}

// Join adds the counts of another part of the same load.
func (r *Report) Join(part *Report) {
	for _, kind := range []struct{ to, of *Counts }{
		{&r.Organizations, &part.Organizations}, {&r.Competitions, &part.Competitions}, {&r.Teams, &part.Teams},
		{&r.Players, &part.Players}, {&r.Matches, &part.Matches}, {&r.Standings, &part.Standings},
	} {
		kind.to.Created += kind.of.Created
		kind.to.Changed += kind.of.Changed
		kind.to.Deleted += kind.of.Deleted
		kind.to.Unchanged += kind.of.Unchanged
	}
	r.Entries += part.Entries
}
