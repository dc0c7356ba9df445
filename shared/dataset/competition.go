package dataset

import (
	"fmt"
	"slices"

	"touchline/shared/sport"
)

// competitionDraft is a competition while its line is read: what depends on
// fields that may come later waits as text.
type competitionDraft struct {
	Record[sport.Competition]
	endsAt string
}

// competitionFields is the record of competitions.ndjson.
var competitionFields = []field[competitionDraft]{
	{"id", identifying, func(l *line, d *competitionDraft) { d.ID, d.Key = l.id(sport.KindCompetition) }},
	{"season", narrowing, func(l *line, d *competitionDraft) { d.Value.Season = l.season() }},
	{"current", optional, func(l *line, d *competitionDraft) { current := l.truth(); d.Value.Current = &current }},
	{"name", required, func(l *line, d *competitionDraft) { d.Value.Name = l.text(maxName) }},
	{"logo", optional, func(l *line, d *competitionDraft) { d.Value.Logo = l.url() }},
	{"type", optional, func(l *line, d *competitionDraft) { d.Value.Type = enum(l, competitionTypes) }},
	{"stage", optional, func(l *line, d *competitionDraft) { d.Value.Stage = enum(l, stages) }},
	{"timezone", optional, func(l *line, d *competitionDraft) { d.Value.Timezone = l.text(maxName) }},
	{"organizationId", required, func(l *line, d *competitionDraft) { d.Value.OrganizationID = l.ref(sport.KindOrganization) }},
	{"gender", optional, func(l *line, d *competitionDraft) { d.Value.Gender = enum(l, genders) }},
	{"completed", optional, func(l *line, d *competitionDraft) { d.Value.Completed = l.truth() }},
	{"endsAt", optional, func(l *line, d *competitionDraft) { d.endsAt = l.text(maxName) }},
	{"visibility", optional, func(l *line, d *competitionDraft) { d.Value.Visibility = enum(l, visibilities) }},
	{"parentId", optional, func(l *line, d *competitionDraft) { d.Value.ParentID = l.ref(sport.KindCompetition) }},
	{"format", optional, func(l *line, d *competitionDraft) { d.Value.Format = enum(l, formats) }},
	{"groups", optional, readGroups},
	{"rules", optional, func(l *line, d *competitionDraft) { readRules(l, &d.Value.Rules) }},
	{"deleted", deletion, func(l *line, d *competitionDraft) { d.Deleted = l.truth() }},
}

var groupFields = []field[sport.Group]{
	{"id", required, func(l *line, g *sport.Group) { g.ID = l.ref(sport.KindGroup) }},
	{"name", required, func(l *line, g *sport.Group) { g.Name = l.text(maxName) }},
	{"order", required, func(l *line, g *sport.Group) { g.Order = l.integer(-maxInt, maxInt) }},
}

var ruleFields = []field[sport.Rules]{
	{"win", optional, func(l *line, r *sport.Rules) { r.Win = l.integer(-maxRule, maxRule) }},
	{"draw", optional, func(l *line, r *sport.Rules) { r.Draw = l.integer(-maxRule, maxRule) }},
	{"loss", optional, func(l *line, r *sport.Rules) { r.Loss = l.integer(-maxRule, maxRule) }},
	{"tieBreakers", optional, readTieBreakers},
}

// maxGroups bounds the groups of a competition's season (D47).
const maxGroups = 1000

// MaxTeams bounds the teams of a competition's season (D47). Read counts those
// of the dataset; whoever knows the stored ones has to count them, too.
const MaxTeams = 10_000

// maxRule bounds the points of one match: a thousand is more than any rule
// gives, and ten thousand matches of it stay a number.
const maxRule = 1000

// defaultRules are D28's.
func defaultRules() sport.Rules {
	return sport.Rules{Win: 3, Draw: 1, Loss: 0, TieBreakers: sport.DefaultTieBreakers()}
}

func readGroups(l *line, d *competitionDraft) {
	first := map[sport.ID]bool{}
	list(l, maxGroups, func(int) {
		var g sport.Group
		object(l, groupFields, &g)
		if g.ID != "" && first[g.ID] {
			l.faultf("id", "%s is in the list already", quoted(sport.KindGroup, l.names.given(g.ID)))
		}
		first[g.ID] = true
		d.Value.Groups = append(d.Value.Groups, g)
	})
}

func readRules(l *line, r *sport.Rules) { object(l, ruleFields, r) }

// readTieBreakers reads the criteria in their order. An empty list leaves the
// order to the name, as what is left level after any list (dataset.md).
func readTieBreakers(l *line, r *sport.Rules) {
	r.TieBreakers = nil
	list(l, len(tieBreakers), func(int) {
		t := enum(l, tieBreakers)
		if t != "" && slices.Contains(r.TieBreakers, t) {
			l.faultf("", "%q is in the list already", t)
		}
		r.TieBreakers = append(r.TieBreakers, t)
	})
	if len(r.TieBreakers) == 0 {
		r.TieBreakers = []sport.TieBreaker{sport.ByName}
	}
}

func readCompetition(r *reader) {
	l := &r.line
	d := &competitionDraft{Record: Record[sport.Competition]{Origin: l.origin, Value: sport.Competition{
		Type: sport.League, Stage: sport.Regular, Timezone: "UTC", Visibility: sport.Public, Rules: defaultRules(),
	}}}
	record(l, competitionFields, d, &d.Deleted)
	if d.Deleted {
		d.Value = sport.Competition{Season: d.Value.Season}
	} else if !l.broken {
		checkCompetition(r, d)
	}
	d.Value.ID = d.ID
	r.claimSeason(d)
	rec := d.Record
	enter(r, &r.set.Competitions, &rec, seasonOf(d.ID, d.Value.Season))
	if l.faults == 0 {
		r.set.hold(&rec)
	} else if d.ID != "" {
		r.set.faultyCompetitions[binaryOf(d.ID)] = struct{}{}
	}
}

// checkCompetition judges what one field alone does not show.
func checkCompetition(r *reader, d *competitionDraft) {
	l, c := &r.line, &d.Value
	loc, err := r.zones.load(c.Timezone)
	if err != nil {
		l.fault("timezone", "must be an IANA time zone, such as Europe/Vienna"+notGiven(c.Timezone))
	} else if d.endsAt != "" {
		if c.EndsAt, err = parseEnd(d.endsAt, loc); err != nil {
			l.fault("endsAt", err.Error()+notGiven(d.endsAt))
		}
	}
	if c.ParentID != "" {
		switch {
		case c.ParentID == d.ID:
			l.fault("parentId", "is the competition itself")
		case c.Stage == sport.Regular:
			l.fault("parentId", "needs the stage playoff or playout")
		}
	}
	r.claimGroups(d)
	if c.Current != nil && *c.Current && d.ID != "" {
		if at, twice := r.current[binaryOf(d.ID)]; twice {
			l.faultf("current", "season on line %d is the current one already", at)
		} else {
			r.current[binaryOf(d.ID)] = l.origin.Line
		}
	}
}

// claimGroups refuses groups that another competition has; the seasons of one
// competition may share theirs.
func (r *reader) claimGroups(d *competitionDraft) {
	if d.ID == "" {
		return
	}
	for i, g := range d.Value.Groups {
		if g.ID == "" {
			continue
		}
		owner, taken := r.set.groups[binaryOf(g.ID)]
		if taken && owner != binaryOf(d.ID) {
			r.line.faultf(fmt.Sprintf("groups[%d].id", i), "%s is a group of %s already",
				quoted(sport.KindGroup, r.set.Given(g.ID)), quoted(sport.KindCompetition, r.set.Given(owner.id())))
			continue
		}
		r.set.groups[binaryOf(g.ID)] = binaryOf(d.ID)
	}
}

// seasonOf identifies a season of a competition, or with season 0 all of them.
func seasonOf(id sport.ID, season int) identity {
	return identity{kind: competitions, id: binaryOf(id), season: int32(season)} //nolint:gosec // 9 digits
}

// claimSeason refuses a second record of one season, and a record beside the
// deletion of all seasons.
func (r *reader) claimSeason(d *competitionDraft) {
	if d.ID == "" || d.Value.Season == 0 && (!d.Deleted || r.line.faults > 0) {
		return
	}
	what := quoted(sport.KindCompetition, r.set.Given(d.ID))
	at, season := r.seen[binaryOf(d.ID)], d.Value.Season
	if before, taken := r.set.index[seasonOf(d.ID, 0)]; taken && season != 0 {
		r.line.faultf("id", "%s is deleted with all its seasons on line %d", what, before.line)
	} else if season == 0 && at != 0 {
		r.line.faultf("id", "%s has a record on line %d, but this line deletes all its seasons", what, at)
	}
	if at == 0 {
		r.seen[binaryOf(d.ID)] = r.line.origin.Line
	}
	if season != 0 {
		what = fmt.Sprintf("season %d of %s", season, what)
	}
	r.claimAs(seasonOf(d.ID, season), "season", what)
}
