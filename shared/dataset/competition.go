package dataset

import (
	"fmt"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// competitionDraft is a competition while its line is read: what depends on
// fields that may come later waits as text.
type competitionDraft struct {
	Record[sport.Competition]
	endsAt      string
	withdrawals rules.Withdrawals
}

// competitionFields is the record of competitions.ndjson.
var competitionFields = []jsonl.Field[competitionDraft]{
	jsonl.Identifying("id", func(l *jsonl.Line, d *competitionDraft) { d.ID, d.Key = l.ID(sport.KindCompetition) }),
	jsonl.Narrowing("season", func(l *jsonl.Line, d *competitionDraft) { d.Value.Season = season(l) }),
	jsonl.Optional("current", func(l *jsonl.Line, d *competitionDraft) { current := l.Bool(); d.Value.Current = &current }),
	jsonl.Required("name", func(l *jsonl.Line, d *competitionDraft) { d.Value.Name = l.Text(jsonl.MaxName) }),
	jsonl.Optional("logo", func(l *jsonl.Line, d *competitionDraft) { d.Value.Logo = l.URL() }),
	jsonl.Optional("type", func(l *jsonl.Line, d *competitionDraft) { d.Value.Type = jsonl.Enum(l, competitionTypes) }),
	jsonl.Optional("stage", func(l *jsonl.Line, d *competitionDraft) { d.Value.Stage = jsonl.Enum(l, stages) }),
	jsonl.Optional("timezone", func(l *jsonl.Line, d *competitionDraft) { d.Value.Timezone = l.Text(jsonl.MaxName) }),
	jsonl.Required("organizationId", func(l *jsonl.Line, d *competitionDraft) { d.Value.OrganizationID = l.Ref(sport.KindOrganization) }),
	jsonl.Optional("gender", func(l *jsonl.Line, d *competitionDraft) { d.Value.Gender = jsonl.Enum(l, genders) }),
	jsonl.Optional("completed", func(l *jsonl.Line, d *competitionDraft) { d.Value.Completed = l.Bool() }),
	jsonl.Optional("endsAt", func(l *jsonl.Line, d *competitionDraft) { d.endsAt = l.Text(jsonl.MaxName) }),
	jsonl.Optional("visibility", func(l *jsonl.Line, d *competitionDraft) { d.Value.Visibility = jsonl.Enum(l, visibilities) }),
	jsonl.Optional("parentId", func(l *jsonl.Line, d *competitionDraft) { d.Value.ParentID = l.Ref(sport.KindCompetition) }),
	jsonl.Optional("format", func(l *jsonl.Line, d *competitionDraft) { d.Value.Format = jsonl.Enum(l, formats) }),
	jsonl.Optional("groups", readGroups),
	jsonl.Optional("rules", func(l *jsonl.Line, d *competitionDraft) { d.Value.Rules = rules.Read(l) }),
	jsonl.Optional("withdrawals", func(l *jsonl.Line, d *competitionDraft) { d.withdrawals.Read(l) }),
	jsonl.Deletion("deleted", func(l *jsonl.Line, d *competitionDraft) { d.Deleted = l.Bool() }),
	jsonl.Deletion("erase", func(l *jsonl.Line, d *competitionDraft) { d.erase(l) }),
}

var groupFields = []jsonl.Field[sport.Group]{
	jsonl.Required("id", func(l *jsonl.Line, g *sport.Group) {
		id, key := l.ID(sport.KindGroup)
		if g.ID = id; key != string(id) {
			g.Key = key
		}
	}),
	jsonl.Required("name", func(l *jsonl.Line, g *sport.Group) { g.Name = l.Text(jsonl.MaxName) }),
	jsonl.Required("order", func(l *jsonl.Line, g *sport.Group) { g.Order = l.Integer(-jsonl.MaxInt, jsonl.MaxInt) }),
}

// maxGroups bounds the groups of a competition's season (D47).
const maxGroups = 1000

// MaxTeams bounds the teams of a competition's season (D47). Read counts those
// of the dataset; whoever knows the stored ones has to count them, too.
const MaxTeams = 10_000

func readGroups(l *jsonl.Line, d *competitionDraft) {
	first := map[sport.ID]bool{}
	l.List(maxGroups, func(int) {
		var g sport.Group
		jsonl.Object(l, groupFields, &g)
		if g.ID != "" && first[g.ID] {
			l.Faultf("id", "%s is in the list already", Quoted(sport.KindGroup, l.Given(g.ID)))
		}
		first[g.ID] = true
		d.Value.Groups = append(d.Value.Groups, g)
	})
}

func readCompetition(r *reader) {
	l := r.line
	d := &competitionDraft{Record: Record[sport.Competition]{Origin: l.Origin(), Value: sport.Competition{
		Type: sport.League, Stage: sport.Regular, Timezone: "UTC", Visibility: sport.Public, Rules: rules.Default(),
	}}}
	jsonl.Record(l, competitionFields, d, &d.Deleted)
	if d.Deleted {
		d.Value = sport.Competition{Season: d.Value.Season}
	} else if !l.Broken() {
		checkCompetition(r, d)
	}
	d.Value.ID = d.ID
	r.claimSeason(d)
	rec := d.Record
	enter(r, (*list[sport.Competition])(&r.set.Competitions), &rec, seasonOf(d.ID, d.Value.Season))
	if r.blank {
		return
	}
	if l.Faults() == 0 {
		r.set.hold(&rec)
	} else if d.ID != "" {
		r.set.faultyCompetitions[ids.Pack(d.ID)] = struct{}{}
	}
}

// checkCompetition checks what one field alone does not show.
func checkCompetition(r *reader, d *competitionDraft) {
	l, c := r.line, &d.Value
	loc, err := r.zones.Load(c.Timezone)
	if err != nil {
		l.Fault("timezone", "must be an IANA time zone, such as Europe/Vienna"+jsonl.NotGiven(c.Timezone))
	} else {
		c.Withdrawals = d.withdrawals.In(l, loc)
		if d.endsAt != "" {
			if c.EndsAt, err = times.ParseEnd(d.endsAt, loc); err != nil {
				l.Fault("endsAt", err.Error()+jsonl.NotGiven(d.endsAt))
			}
		}
	}
	if c.ParentID != "" {
		switch {
		case c.ParentID == d.ID:
			l.Fault("parentId", "is the competition itself")
		case c.Stage == sport.Regular:
			l.Fault("parentId", "needs the stage playoff or playout")
		}
	}
	rules.Check(l, c)
	r.claimGroups(d)
	if c.Current != nil && *c.Current && d.ID != "" {
		if at := r.current.Claim(d.ID, l.Origin().Line); at != 0 {
			l.Faultf("current", "season on line %d is the current one already", at)
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
		owner, taken := r.set.groups[ids.Pack(g.ID)]
		if taken && owner != ids.Pack(d.ID) {
			r.line.Faultf(fmt.Sprintf("groups[%d].id", i), "%s is a group of %s already",
				Quoted(sport.KindGroup, r.set.Given(g.ID)), Quoted(sport.KindCompetition, r.set.Given(owner.ID())))
			continue
		}
		r.set.groups[ids.Pack(g.ID)] = ids.Pack(d.ID)
	}
}

// seasonOf identifies a season of a competition, or with season 0 all of them.
func seasonOf(id sport.ID, season int) identity {
	return identity{Kind: files.Competitions, ID: ids.Pack(id), Season: int32(season)} //nolint:gosec // 9 digits
}

// claimSeason refuses a second record of one season, and a record together with
// the deletion of all seasons.
func (r *reader) claimSeason(d *competitionDraft) {
	if d.ID == "" || d.Value.Season == 0 && (!d.Deleted || r.line.Faults() > 0) {
		return
	}
	what := Quoted(sport.KindCompetition, r.set.Given(d.ID))
	at, season := r.seen.Claim(d.ID, r.line.Origin().Line), d.Value.Season
	if before, taken := r.set.index.At(seasonOf(d.ID, 0)); taken && season != 0 {
		r.line.Faultf("id", "%s is deleted with all its seasons on line %d", what, before.Line)
	} else if season == 0 && at != 0 {
		r.line.Faultf("id", "%s has a record on line %d, but this line deletes all its seasons", what, at)
	}
	if season != 0 {
		what = fmt.Sprintf("season %d of %s", season, what)
	}
	r.claimAs(seasonOf(d.ID, season), "season", what)
}
