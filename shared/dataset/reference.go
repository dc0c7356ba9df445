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
	From Origin // the record that refers

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

// called is what a message calls a record: what the dataset does, or else the table.
func (s *Set) called(id sport.ID) string {
	given := s.Given(id)
	if given == string(id) && s.StoredKey != nil {
		return s.StoredKey(id)
	}
	return given
}

// fault is the fault of a reference whose target is not there.
func (r Reference) fault(h *hints) Fault {
	message := Quoted(r.Kind, r.set.called(r.ID))
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
		message += Quoted(sport.KindCompetition, r.set.called(r.Competition)) + h.hint(r)
	case r.Kind == sport.KindCompetition && r.Season != 0:
		message = fmt.Sprintf("season %d of %s does not exist", r.Season, message) + h.hint(r)
	default:
		message += " does not exist" + h.hint(r)
	}
	return Fault{File: r.From.File, Line: r.From.Line, Field: r.Field(), Message: message}
}

// References yields every reference of the set's records, in the order of the
// files and lines; records that are deletions have none.
func (s *Set) References() iter.Seq[Reference] {
	return func(yield func(Reference) bool) {
		v := &visit{set: s, yield: yield}
		_ = each(v, slices.All(s.Organizations), v.organization) &&
			each(v, slices.All(s.Competitions), v.competition) &&
			each(v, slices.All(s.Teams), v.team) &&
			each(v, s.Players.All(), v.player) &&
			each(v, s.Matches.All(), v.match) &&
			each(v, slices.All(s.Standings), v.table)
	}
}

// visit walks over the references of records, until yield wants no more.
type visit struct {
	set   *Set
	from  Origin
	yield func(Reference) bool
	done  bool
}

// each visits the records of one kind; false when yield wants no more.
func each[T Entity](v *visit, records iter.Seq2[int, *Record[T]], refs func(*T)) bool {
	for _, rec := range records {
		if rec.Deleted {
			continue
		}
		v.from = rec.Origin
		if refs(&rec.Value); v.done {
			return false
		}
	}
	return true
}

// ref yields one reference; it yields nothing for an empty id.
func (v *visit) ref(t Target, list string, index int, name string) {
	if t.ID != "" && !v.done {
		v.done = !v.yield(Reference{Target: t, From: v.from, set: v.set, list: list, index: index, name: name})
	}
}

func (v *visit) organization(o *sport.Organization) {
	v.ref(Target{Kind: sport.KindOrganization, ID: o.ParentID}, "", 0, "parentId")
	for i, id := range o.AdditionalParentIDs {
		v.ref(Target{Kind: sport.KindOrganization, ID: id}, "additionalParentIds", i, "")
	}
}

func (v *visit) competition(c *sport.Competition) {
	v.ref(Target{Kind: sport.KindOrganization, ID: c.OrganizationID}, "", 0, "organizationId")
	v.ref(Target{Kind: sport.KindCompetition, ID: c.ParentID}, "", 0, "parentId")
	for i := range c.Withdrawals {
		v.ref(Target{Kind: sport.KindTeam, ID: c.Withdrawals[i].TeamID}, "withdrawals", i, "teamId")
	}
}

func (v *visit) team(t *sport.Team) {
	v.ref(Target{Kind: sport.KindOrganization, ID: t.OrganizationID}, "", 0, "organizationId")
	v.inCompetition(t.CompetitionID, t.Season, t.GroupID)
}

// inCompetition yields the references of what is part of a competition.
func (v *visit) inCompetition(id sport.ID, season int, group sport.ID) {
	v.ref(Target{Kind: sport.KindCompetition, ID: id, Season: season}, "", 0, "competitionId")
	v.ref(Target{Kind: sport.KindGroup, ID: group, Competition: id, Season: season}, "", 0, "group")
}

func (v *visit) player(p *sport.Player) {
	v.ref(Target{Kind: sport.KindTeam, ID: p.TeamID}, "", 0, "teamId")
}

func (v *visit) match(m *Match) {
	b := m.Full()
	v.inCompetition(b.CompetitionID, b.Season, b.GroupID)
	v.ref(Target{Kind: sport.KindTeam, ID: b.HomeTeamID}, "", 0, "homeTeamId")
	v.ref(Target{Kind: sport.KindTeam, ID: b.AwayTeamID}, "", 0, "awayTeamId")
	if b.Lineups != nil {
		for _, entries := range details.EntriesOf(b.Lineups) {
			for j, e := range entries.List {
				v.ref(Target{Kind: sport.KindPlayer, ID: e.PlayerID}, entries.Field, j, "playerId")
			}
		}
	}
	for i, e := range b.Events {
		v.ref(Target{Kind: sport.KindPlayer, ID: e.PlayerID}, "events", i, "playerId")
		v.ref(Target{Kind: sport.KindPlayer, ID: e.AssistID}, "events", i, "assistId")
		v.ref(Target{Kind: sport.KindPlayer, ID: e.PlayerInID}, "events", i, "playerInId")
		v.ref(Target{Kind: sport.KindPlayer, ID: e.PlayerOutID}, "events", i, "playerOutId")
	}
}

func (v *visit) table(t *sport.GivenTable) {
	v.ref(Target{Kind: sport.KindCompetition, ID: t.CompetitionID, Season: t.Season}, "", 0, "competitionId")
	child := t.Table != sport.TableRegular
	for i, row := range t.Rows {
		v.ref(Target{Kind: sport.KindTeam, ID: row.TeamID}, "rows", i, "teamId")
		v.ref(Target{Kind: sport.KindGroup, ID: row.GroupID, Competition: t.CompetitionID, Season: t.Season, Child: child},
			"rows", i, "group")
	}
}
