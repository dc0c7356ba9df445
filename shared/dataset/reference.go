package dataset

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"touchline/shared/dataset/details"
	"touchline/shared/sport"
)

// Target is what a reference points to.
type Target struct {
	Kind sport.Kind
	ID   sport.ID
	// Season of a competition, where the reference is to a season: 0 is any.
	// Of a group, the season of Competition that must have it: 0 is any.
	Season int
	// Competition is the one a group must belong to; empty for other kinds.
	Competition sport.ID
	// Child says that a group may belong to a child of Competition instead: in
	// a given playoff or playout table.
	Child bool
}

// Reference is a field of a record that names another record.
type Reference struct {
	Target
	From Origin    // the record that refers
	At   *sport.ID // the field, in the record or in its unpacked details

	set   *Set
	list  string // the list that the field is in, empty: none
	index int    // in the list
	name  string // of the field, empty: the list's element is the reference
}

// Field is the path to the field, such as events[2].assistId.
func (r Reference) Field() string {
	switch {
	case r.list == "":
		return r.name
	case r.name == "":
		return r.list + "[" + strconv.Itoa(r.index) + "]"
	}
	return r.list + "[" + strconv.Itoa(r.index) + "]." + r.name
}

// Given is what the dataset calls the target: the operator's key, where it ever
// uses one, else the id.
func (r Reference) Given() string { return r.set.Given(r.ID) }

// Called is what a message calls a record: what the dataset does, or else the table.
func (s *Set) Called(id sport.ID) string {
	given := s.Given(id)
	if given == string(id) && s.StoredKey != nil {
		return s.StoredKey(id)
	}
	return given
}

// fault is the fault of a reference whose target is not there.
func (r Reference) fault(h *hints) Fault {
	message := Quoted(r.Kind, r.set.Called(r.ID))
	switch {
	case r.set.deletes(r.Target):
		message += " is deleted by this dataset"
	case r.set.faulty(r.Target):
		message += " is left out"
	case r.Kind == sport.KindGroup:
		message += " is not a group of "
		if r.Season != 0 {
			message += fmt.Sprintf("season %d of ", r.Season)
		}
		message += Quoted(sport.KindCompetition, r.set.Called(r.Competition)) + h.hint(r)
	case r.Kind == sport.KindCompetition && r.Season != 0:
		message = fmt.Sprintf("season %d of %s does not exist", r.Season, message) + h.hint(r)
	default:
		message += " does not exist" + h.hint(r)
	}
	return r.set.Placed(Fault{File: r.From.File, Line: r.From.Line, Field: r.Field(), Message: message})
}

// References yields every reference of the set's records, in the order of the
// files and lines; records that are deletions have none.
func (s *Set) References() iter.Seq[Reference] {
	return func(yield func(Reference) bool) {
		v := &visit{set: s, yield: yield}
		_ = each(v, slices.All(s.Organizations)) && each(v, slices.All(s.Competitions)) && each(v, slices.All(s.Teams)) &&
			each(v, s.Players.All()) && each(v, s.Matches.All()) && each(v, slices.All(s.Standings))
	}
}

// ReferencesOf yields the references of a record, such as a *sport.Team.
func ReferencesOf(record any) iter.Seq[Reference] {
	return func(yield func(Reference) bool) { (&visit{yield: yield}).record(record) }
}

// visit walks over the references of records, until yield wants no more.
type visit struct {
	set   *Set
	from  Origin
	yield func(Reference) bool
	done  bool
}

// each visits the records of one kind; false when yield wants no more.
func each[T Entity](v *visit, records iter.Seq2[int, *Record[T]]) bool {
	for _, rec := range records {
		if rec.Deleted {
			continue
		}
		v.from = rec.Origin
		if v.record(&rec.Value); v.done {
			return false
		}
	}
	return true
}

// ref yields one reference, to what t says and the field holds; nothing for an empty id.
func (v *visit) ref(t Target, at *sport.ID, list string, index int, name string) {
	if t.ID = *at; t.ID != "" && !v.done {
		v.done = !v.yield(Reference{Target: t, From: v.from, At: at, set: v.set, list: list, index: index, name: name})
	}
}

// plain yields a reference that is not in a list, and names no more than a kind.
func (v *visit) plain(kind sport.Kind, at *sport.ID, name string) {
	v.ref(Target{Kind: kind}, at, "", 0, name)
}

func (v *visit) record(record any) {
	switch r := record.(type) {
	case *sport.Organization:
		v.plain(sport.KindOrganization, &r.ParentID, "parentId")
		for i := range r.AdditionalParentIDs {
			v.ref(Target{Kind: sport.KindOrganization}, &r.AdditionalParentIDs[i], "additionalParentIds", i, "")
		}
	case *sport.Competition:
		v.plain(sport.KindOrganization, &r.OrganizationID, "organizationId")
		v.plain(sport.KindCompetition, &r.ParentID, "parentId")
		for i := range r.Withdrawals {
			v.ref(Target{Kind: sport.KindTeam}, &r.Withdrawals[i].TeamID, "withdrawals", i, "teamId")
		}
	case *sport.Team:
		v.plain(sport.KindOrganization, &r.OrganizationID, "organizationId")
		v.inCompetition(&r.CompetitionID, r.Season, &r.GroupID)
	case *sport.Player:
		v.plain(sport.KindTeam, &r.TeamID, "teamId")
	case *Match:
		v.match(r)
	case *sport.GivenTable:
		v.table(r)
	}
}

// inCompetition yields the references of what is part of a competition.
func (v *visit) inCompetition(id *sport.ID, season int, group *sport.ID) {
	in := *id // the visitor may change it
	v.ref(Target{Kind: sport.KindCompetition, Season: season}, id, "", 0, "competitionId")
	v.ref(Target{Kind: sport.KindGroup, Competition: in, Season: season}, group, "", 0, "group")
}

func (v *visit) match(m *Match) {
	b := &m.Base
	if m.HasDetails() {
		b = new(m.Full())
	}
	v.inCompetition(&b.CompetitionID, b.Season, &b.GroupID)
	v.plain(sport.KindTeam, &b.HomeTeamID, "homeTeamId")
	v.plain(sport.KindTeam, &b.AwayTeamID, "awayTeamId")
	if b.Lineups != nil {
		for _, entries := range details.EntriesOf(b.Lineups) {
			for i := range entries.List {
				v.ref(Target{Kind: sport.KindPlayer}, &entries.List[i].PlayerID, entries.Field, i, "playerId")
			}
		}
	}
	for i := range b.Events {
		e := &b.Events[i]
		for _, f := range []struct {
			name string
			at   *sport.ID
		}{{"playerId", &e.PlayerID}, {"assistId", &e.AssistID}, {"playerInId", &e.PlayerInID}, {"playerOutId", &e.PlayerOutID}} {
			v.ref(Target{Kind: sport.KindPlayer}, f.at, "events", i, f.name)
		}
	}
}

func (v *visit) table(t *sport.GivenTable) {
	in, child := t.CompetitionID, t.Table != sport.TableRegular
	v.ref(Target{Kind: sport.KindCompetition, Season: t.Season}, &t.CompetitionID, "", 0, "competitionId")
	for i := range t.Rows {
		row := &t.Rows[i]
		v.ref(Target{Kind: sport.KindTeam}, &row.TeamID, "rows", i, "teamId")
		v.ref(Target{Kind: sport.KindGroup, Competition: in, Season: t.Season, Child: child}, &row.GroupID, "rows", i, "group")
	}
}
