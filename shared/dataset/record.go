package dataset

import (
	"fmt"
	"slices"

	"touchline/shared/dataset/details"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/sheet"
	"touchline/shared/dataset/times"
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

// Append appends a record to dst as a line of its file, line end included. Reading the
// line gives the record again; defaults are left out, and nothing is checked. A record
// without a Key is written with its ID. References are written as they are, so a writer
// may put keys where Value has ids.
func Append[T Entity](dst []byte, rec *Record[T]) []byte {
	switch r := any(rec).(type) {
	case *organizationRecord:
		dst = jsonl.AppendRecord(dst, organizationFields, r, r.Deleted)
	case *Record[sport.Competition]:
		d := competitionDraft{*r, rules.Given{Rules: r.Value.Rules}, times.Written(r.Value.EndsAt), rules.Undated(r.Value.Withdrawals)}
		dst = jsonl.AppendRecord(dst, competitionFields, &d, r.Deleted)
	case *teamRecord:
		dst = jsonl.AppendRecord(dst, teamFields, r, r.Deleted)
	case *playerRecord:
		dst = jsonl.AppendRecord(dst, playerFields, r, r.Deleted)
	case *Record[Match]:
		d := matchDraft{Record: *r}
		d.Value.Base = r.Value.Full()
		if m := &d.Value.Base; !m.WinnerGiven && m.Winner == m.WonBy("") {
			m.Winner = "" // it follows
		}
		if local := r.Value.KickoffLocal; local != "" {
			d.kickoffLocal, d.Value.Base.KickoffTimeOpen = &local, false // as it says
			if d.Value.Base.CompetitionID == "" {
				d.zone = "UTC"
			}
		} else if at := times.Written(r.Value.Base.Kickoff); at != "" {
			d.kickoffAt = &at
		}
		dst = jsonl.AppendRecord(dst, matchFields, &d, r.Deleted)
	case *tableRecord:
		dst = jsonl.AppendRecord(dst, tableFields, r, r.Deleted)
	}
	return append(dst, '\n')
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
	// to a team may have meant; nil: none are known. It is called once.
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
	index   map[identity]place
	seasons map[ids.Packed][]*Record[sport.Competition]
	groups  map[ids.Packed]ids.Packed // a group's competition
	unread  [files.Kinds]bool         // kinds of which a file was not read to its end
	names   [files.Kinds][]string     // of the files: several sheets, or one
	parts   map[Origin]*parts         // of the records of matches
	// headings of the files that are sheets.
	headings map[string][]*sheet.Sheet
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
	return s.at(k, s.index[identity{Kind: k, ID: ids.Pack(id)}])
}

// at is where a place of a kind is; zero for none.
func (s *Set) at(k files.Kind, p place) Origin {
	if p.line == 0 {
		return Origin{}
	}
	return Origin{File: s.names[k][p.file], Line: int(p.line)}
}

// file is the number of a file of a kind.
func (s *Set) file(k files.Kind, name string) int { return max(0, slices.Index(s.names[k], name)) }

// Given is what the dataset calls the id of a record it holds or refers to: the
// operator's key, where it uses one.
func (s *Set) Given(id sport.ID) string { return s.ids.Given(id) }

// sportKinds are the kinds of the ids of records. A given table has none.
var sportKinds = [...]sport.Kind{
	files.Organizations: sport.KindOrganization,
	files.Competitions:  sport.KindCompetition,
	files.Teams:         sport.KindTeam,
	files.Players:       sport.KindPlayer,
	files.Matches:       sport.KindMatch,
}

// identity is what no two records of a dataset may share. Season and table are zero
// where a kind does not have them; a competition's season 0 means all of them.
type identity struct {
	Season int32
	Kind   files.Kind
	Table  uint8
	ID     ids.Packed
}

// place is the line of a record in a file of its kind, and what became of it: Unknown is
// one that was left out.
type place struct {
	line int32
	file int16
	is   Presence
}

// note notes the line of a record that is not in the set, or not yet.
func (s *Set) note(who identity, at Origin) {
	s.index[who] = place{line: int32(at.Line), file: int16(s.file(who.Kind, at.File))} //nolint:gosec // lines are counted in millions, sheets in hundreds
}
