package format

import (
	"cmp"
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// competitionDraft is a competition while its line is read: what depends on
// fields that may come later waits as text.
type competitionDraft struct {
	dataset.Record[sport.Competition]
	rules       rules.Given
	endsAt      string
	withdrawals []rules.Withdrawal
}

// competitionFields is the record of competitions.ndjson.
var competitionFields = []jsonl.Field[competitionDraft]{
	jsonl.ID("id", sport.KindCompetition, func(d *competitionDraft) (*sport.ID, *string) { return &d.ID, &d.Key }),
	jsonl.Narrowing("season", season, func(d *competitionDraft) *int { return &d.Value.Season }),
	jsonl.Optional("current", jsonl.Pointer(jsonl.Bool()), func(d *competitionDraft) **bool { return &d.Value.Current }),
	jsonl.Required("name", jsonl.Text(jsonl.MaxName), func(d *competitionDraft) *string { return &d.Value.Name }),
	jsonl.Optional("logo", jsonl.URL(), func(d *competitionDraft) *string { return &d.Value.Logo }),
	jsonl.Optional("type", jsonl.Default(jsonl.OneOf(sport.CompetitionTypes()), sport.League), func(d *competitionDraft) *sport.CompetitionType { return &d.Value.Type }),
	jsonl.Optional("stage", jsonl.Default(jsonl.OneOf(sport.Stages()), sport.Regular), func(d *competitionDraft) *sport.Stage { return &d.Value.Stage }),
	jsonl.Optional("timezone", jsonl.Default(jsonl.Text(jsonl.MaxName), "UTC"), func(d *competitionDraft) *string { return &d.Value.Timezone }),
	jsonl.Required("organizationId", jsonl.Ref(sport.KindOrganization), func(d *competitionDraft) *sport.ID { return &d.Value.OrganizationID }),
	jsonl.Optional("gender", gender, func(d *competitionDraft) *sport.Gender { return &d.Value.Gender }),
	jsonl.Optional("completed", jsonl.Bool(), func(d *competitionDraft) *bool { return &d.Value.Completed }),
	jsonl.Optional("endsAt", jsonl.Text(jsonl.MaxName), func(d *competitionDraft) *string { return &d.endsAt }),
	jsonl.Optional("visibility", visibility, func(d *competitionDraft) *sport.Visibility { return &d.Value.Visibility }),
	jsonl.Optional("parentId", jsonl.Ref(sport.KindCompetition), func(d *competitionDraft) *sport.ID { return &d.Value.ParentID }),
	jsonl.Optional("format", jsonl.OneOf(sport.Formats()), func(d *competitionDraft) *sport.Format { return &d.Value.Format }),
	jsonl.Optional("groups", jsonl.ListOf(maxGroups, jsonl.Struct(groupFields), checkGroup), func(d *competitionDraft) *[]sport.Group { return &d.Value.Groups }),
	jsonl.Optional("rules", rules.Value, func(d *competitionDraft) *rules.Given { return &d.rules }),
	jsonl.Optional("withdrawals", rules.Withdrawals, func(d *competitionDraft) *[]rules.Withdrawal { return &d.withdrawals }),
	jsonl.Deletion("deleted", func(d *competitionDraft) *bool { return &d.Deleted }),
	jsonl.Deletion("erase", func(d *competitionDraft) *bool { return &d.Erased }),
}

var groupFields = []jsonl.Field[sport.Group]{
	jsonl.ID("id", sport.KindGroup, func(g *sport.Group) (*sport.ID, *string) { return &g.ID, &g.Key }),
	jsonl.Required("name", jsonl.Text(jsonl.MaxName), func(g *sport.Group) *string { return &g.Name }),
	jsonl.Required("order", jsonl.Integer(-jsonl.MaxInt, jsonl.MaxInt), func(g *sport.Group) *int { return &g.Order }),
}

// maxGroups bounds the groups of a competition's season (D47).
const maxGroups = 1000

// MaxTeams bounds the teams of a competition's season (D47). Read counts those
// of the dataset; whoever knows the stored ones has to count them, too.
const MaxTeams = 10_000

func checkGroup(l *jsonl.Line, before []sport.Group, g *sport.Group) {
	if g.Key == string(g.ID) {
		g.Key = ""
	}
	if g.ID != "" && slices.ContainsFunc(before, func(o sport.Group) bool { return o.ID == g.ID }) {
		l.Faultf("id", "%s is in the list already", dataset.Quoted(sport.KindGroup, l.Given(g.ID)))
	}
}

func readCompetition(r *reader) {
	l := r.line
	d := &competitionDraft{
		Record: dataset.Record[sport.Competition]{Origin: l.Origin(), Value: sport.Competition{Type: sport.League, Stage: sport.Regular}},
		rules:  rules.Given{Rules: rules.Default()},
	}
	jsonl.ReadRecord(l, competitionFields, d, &d.Deleted)
	d.Value.Rules, d.Silent = d.rules.Rules, !d.rules.Said
	unzoned := d.Value.Timezone == ""
	d.Value.Timezone = cmp.Or(d.Value.Timezone, "UTC")
	if d.Deleted {
		d.Value, d.Silent = sport.Competition{Season: d.Value.Season}, false
	} else if !l.Broken() {
		checkCompetition(r, d)
	}
	d.Value.ID = d.ID
	r.claimSeason(d)
	rec := d.Record
	if unzoned {
		r.set.Unzoned[&rec.Value] = true
	}
	if rec.Value.Rules.AcrossGroups { // which a regulation may say, too
		_, rules := r.given()
		r.set.Across[&rec.Value] = rules.Of("acrossGroups").Kind() == 't'
	}
	enter(r, &rec)
}

// checkCompetition checks what one field alone does not show.
func checkCompetition(r *reader, d *competitionDraft) {
	l, c := r.line, &d.Value
	if of := &c.Rules; l.Faults() == 0 && of.Win <= max(of.Draw, of.Loss) {
		l.Warnf("rules.win", "is %d, no more than a draw (%d) or a loss (%d) counts: are the columns in order?", of.Win, of.Draw, of.Loss)
	}
	loc, err := r.zones.Load(c.Timezone)
	if err != nil {
		l.Fault("timezone", "must be an IANA time zone, such as Europe/Vienna"+jsonl.NotGiven(c.Timezone))
	} else {
		c.Withdrawals = rules.Dated(l, loc, d.withdrawals)
		if d.endsAt != "" {
			if c.EndsAt, err = times.ParseEnd(d.endsAt, loc); err != nil {
				l.Fault("endsAt", err.Error()+jsonl.NotGiven(d.endsAt)+times.Advice(d.endsAt))
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
		if owner := r.set.ClaimGroup(g.ID, d.ID); owner != d.ID {
			r.line.Faultf(fmt.Sprintf("groups[%d].id", i), "%s is a group of %s already",
				dataset.Quoted(sport.KindGroup, r.set.Given(g.ID)), dataset.Quoted(sport.KindCompetition, r.set.Given(owner)))
		}
	}
}

// claimSeason refuses a second record of one season, and a record together with
// the deletion of all seasons.
func (r *reader) claimSeason(d *competitionDraft) {
	if d.ID == "" || d.Value.Season == 0 && (!d.Deleted || r.line.Faults() > 0) {
		return
	}
	what := dataset.Quoted(sport.KindCompetition, r.set.Given(d.ID))
	at, season := r.seen.Claim(d.ID, r.line.Origin().Line), d.Value.Season
	if before := r.set.Line(dataset.SeasonOf(d.ID, 0)); before.Line > 0 && season != 0 {
		r.line.Faultf("id", "%s is deleted with all its seasons on line %d", what, before.Line)
	} else if season == 0 && at != 0 {
		r.line.Faultf("id", "%s has a record on line %d, but this line deletes all its seasons", what, at)
	}
	if season != 0 {
		what = fmt.Sprintf("season %d of %s", season, what)
	}
	r.claim(dataset.SeasonOf(d.ID, season), "season", what)
}
