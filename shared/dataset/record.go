package dataset

import (
	"fmt"
	"slices"

	"touchline/shared/dataset/details"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// What is wrong or odd in a dataset, and where: see package jsonl.
type (
	Origin   = jsonl.Origin
	Fault    = jsonl.Fault
	Faults   = jsonl.Faults
	Warnings = jsonl.Warnings
)

// ID gives the id of what an operator calls key, as reading a dataset does: of
// its NFC form (D47). The same key gives the same id however it was typed.
func ID(kind sport.Kind, key string) sport.ID {
	return ids.Of(kind, key)
}

// Quoted names a record by what the operator calls it.
func Quoted(kind sport.Kind, given string) string {
	return fmt.Sprintf("%s %q", kind, given)
}

// Entity is what a record of one of the six files holds.
type Entity interface {
	sport.Organization | sport.Competition | sport.Team | sport.Player | Match | sport.GivenTable
}

// Record is one line of a dataset.
//
// A deletion has a Value that holds nothing but what identifies the record: the
// ID, for a competition the Season (0: all of them), for a given table the
// CompetitionID, the Season and the Table.
type Record[T Entity] struct {
	ID      sport.ID // of a given table: empty
	Key     string   // the id as the operator gives it: a key, or the ID itself
	Deleted bool
	Erased  bool // Deleted, and gone from the history too (D64)
	// Kept are fields of a stored record that a patch, or a row of CSV, leaves as they are:
	// of those that may have no effect (D84).
	Kept []string
	// Silent: the record is a season whose rules do not say hidePlayers, so that what is
	// stored of that stays. A visibility that is not said is empty in Value (D74).
	Silent bool
	Value  T
	Origin Origin
}

// Visibility is where a record's value has its visibility; nil: it is a given table.
func Visibility[T Entity](value *T) *sport.Visibility {
	switch v := any(value).(type) {
	case *sport.Organization:
		return &v.Visibility
	case *sport.Competition:
		return &v.Visibility
	case *sport.Team:
		return &v.Visibility
	case *sport.Player:
		return &v.Visibility
	case *Match:
		return &v.Base.Visibility
	}
	return nil
}

// Match is a match as the dataset gives it.
//
// Season is 0 where the record leaves it out (for a match in a competition:
// its current season).
type Match struct {
	// Base is the match without line-ups, events and statistics where it comes
	// from Read; Full gives them. Its Kickoff is zero while KickoffLocal is set.
	Base sport.Match
	// KickoffLocal is a kick-off without an offset, to be resolved in the time
	// zone of the competition; empty where Base.Kickoff is given. Encoding
	// prefers it.
	KickoffLocal string

	Details details.Packed // line-ups, events and statistics; zero: Base has what there is
}

// Full is the match with line-ups, events and statistics, as they are given. The caller
// may change what it gets.
func (m *Match) Full() sport.Match {
	full := m.Base
	m.Details.Unpack(&full)
	return full
}

// HasDetails reports whether the match has line-ups, events or statistics.
func (m *Match) HasDetails() bool { return len(m.Details) > 0 }

// Erasure is a line of erased.ndjson: a record was erased in a table of a federation, and
// is refused from then on where the line was loaded (D92).
type Erasure struct {
	Target            // its id as the table keeps it, a digest; Season 0: any of a competition, or another kind
	Day        string // YYYY-MM-DD
	Federation sport.ID
	Origin     Origin
}

// Set is a dataset that has been read: the records of each file in the order of
// their lines. Deletions are among them.
type Set struct {
	Organizations []*Record[sport.Organization]
	Competitions  []*Record[sport.Competition] // one a season
	Teams         []*Record[sport.Team]        // Season 0: the competition's current one
	Players       Records[sport.Player]
	Matches       Records[Match]
	Standings     []*Record[sport.GivenTable]
	// Warnings are those of Read (D51); never nil.
	Warnings *Warnings
	// Erased are the records that are erased (D64).
	Erased []Target
	// Erasures are those that the dataset tells of.
	Erasures []Erasure
	// Versions are those of the data that workbooks were exported from, by their names.
	Versions map[string]string
	// Hiding are the organizations, seasons and teams that were left out for a fault, and say
	// that they hide something, with their lines.
	Hiding map[Target]Origin
	// StoredTeams are the keys and the names of stored teams, for hints of what a reference
	// to a team may have meant; nil: none are known. It may be called often.
	StoredTeams func() (keys, names []string)
	// StoredKey is what a stored record is called, or its id; nil: no key is known. A row of
	// CSV is completed by what is stored, which refers by ids.
	StoredKey func(sport.ID) string
	// Left are faults, unless it is said that Gone matches are meant: a season's rows without
	// ids no longer give so many that are stored, and others of them are new.
	Left []Fault
	Gone int
	// Unzoned are the seasons whose lines give no time zone, which is UTC then.
	Unzoned map[*sport.Competition]bool
	// Across are those whose lines say acrossGroups themselves.
	Across map[*sport.Competition]bool

	ids     *ids.Table
	index   map[Identity]place
	seasons map[ids.Packed][]*Record[sport.Competition]
	groups  map[ids.Packed]ids.Packed // a group's competition
	unread  [files.Kinds]bool         // kinds of which a file was not read to its end
	names   [files.Kinds][]string     // of the files: several sheets, or one
	placed  func(Fault) Fault
	// faultyCompetitions have a record that was left out.
	faultyCompetitions map[ids.Packed]struct{}
}

// Len is the number of records, deletions included.
func (s *Set) Len() int {
	return len(s.Organizations) + len(s.Competitions) + len(s.Teams) + s.Players.Len() + s.Matches.Len() + len(s.Standings)
}

// Release drops the players and the matches, which are most of a large set, once
// they are not needed any more. Origin still knows them.
func (s *Set) Release() {
	s.Players, s.Matches = Records[sport.Player]{}, Records[Match]{}
}

// Origin is where the record of an organization, team, player or match is; zero
// if the set does not hold it.
func (s *Set) Origin(kind sport.Kind, id sport.ID) Origin {
	k, ok := kindOf(kind)
	if !ok {
		return Origin{}
	}
	return s.at(k, s.index[Identity{Kind: k, ID: ids.Pack(id)}])
}

// at is where a place of a kind is; zero for none.
func (s *Set) at(k files.Kind, p place) Origin {
	if p.line == 0 {
		return Origin{}
	}
	return Origin{File: s.names[k][p.file], Line: int(p.line)}
}

// Placed is a fault where its field stands: in a sheet at its heading.
func (s *Set) Placed(f Fault) Fault { return s.placed(f) }

// file is the number of a file of a kind.
func (s *Set) file(k files.Kind, name string) int { return max(0, slices.Index(s.names[k], name)) }

// Given is what the dataset calls the id of a record it holds or refers to: the
// operator's key, where it uses one.
func (s *Set) Given(id sport.ID) string { return s.ids.Given(id) }
