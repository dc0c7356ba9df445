package odd

import (
	"cmp"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// farAhead is how many years from now nobody fixes a kick-off.
const farAhead = 3

// year warns of a kick-off that is not near its season, or years away: a wrong digit.
// A season is named by the year in which it starts (D33); qualifying for it may have
// begun before, and it may end a year late.
func (o *oddities) year(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.Kickoff.IsZero() {
		return
	}
	year, season := b.Kickoff.Year(), b.Season
	switch {
	case season != 0 && (year < season-2 || year > season+3):
		o.warn(m.Origin, "kickoffAt", "is in %d, but the season is %d", year, season)
	case year > o.now.Year()+farAhead:
		o.warn(m.Origin, "kickoffAt", "is in %d, years ahead", year)
	case season == 0 && year < 1950:
		o.warn(m.Origin, "kickoffAt", "is in %d", year)
	}
}

// matchAt is the id of a match by its place: see fixture.
func (o *oddities) matchAt(in int) sport.ID {
	if in < 0 {
		return o.stored.Matches[len(o.stored.Matches)+in].ID
	}
	return o.set.Matches.At(in).ID
}

// names warns of two teams of one name in a competition and season, and of one that may
// be another with an ending.
func (o *oddities) names() {
	type entry struct {
		competition sport.ID
		season      int
		name        string
	}
	entryOf := func(t *sport.Team, name string) entry {
		return entry{t.CompetitionID, t.Season, plain(name)}
	}
	seen, short := make(map[entry]sport.ID, len(o.set.Teams)), make(map[entry]sport.ID, len(o.set.Teams))
	var entered []*dataset.Record[sport.Team]
	longer := 0
	for _, t := range o.set.Teams {
		if !t.Deleted {
			o.called(t)
		}
		if t.Deleted || t.Value.CompetitionID == "" || t.Value.Status != sport.Active {
			continue
		}
		if c := o.season(season{t.Value.CompetitionID, t.Value.Season}); c != nil && c.Gender != "" && t.Value.Gender != "" && c.Gender != t.Value.Gender {
			o.warn(t.Origin, "gender", "is %s, but that of the competition is %s", t.Value.Gender, c.Gender)
		}
		e := entryOf(&t.Value, t.Value.Name)
		if first, twice := seen[e]; twice {
			o.warn(t.Origin, "name", "is also the name of %s in the competition", dataset.Quoted(sport.KindTeam, o.set.Given(first)))
			continue
		}
		if first, twice := short[entryOf(&t.Value, t.Value.ShortName)]; twice {
			o.warn(t.Origin, "shortName", "is also that of %s in the competition", dataset.Quoted(sport.KindTeam, o.set.Given(first)))
		}
		longer += cmp.Compare(len(t.Value.ShortName), len(t.Value.Name))
		seen[e], short[entryOf(&t.Value, t.Value.ShortName)] = t.ID, t.ID
		entered = append(entered, t)
	}
	if longer > 0 {
		o.warn(entered[0].Origin, "shortName", "is longer than the name, and so are most: are the columns the other way round?")
	}
	o.entries(entered)
	for _, t := range entered {
		o.suffix(t, func(name string) sport.ID { return seen[entryOf(&t.Value, name)] })
	}
}

// entries warns of the teams of a season that are all of one club, and of one without a
// group where the others have one.
func (o *oddities) entries(all []*dataset.Record[sport.Team]) {
	const enough = 4
	of, grouped, clubs := map[season]int{}, map[season]int{}, map[season]map[sport.ID]int{}
	for _, t := range all {
		in := season{t.Value.CompetitionID, t.Value.Season}
		if of[in]++; t.Value.GroupID != "" {
			grouped[in]++
		}
		if clubs[in] == nil {
			clubs[in] = map[sport.ID]int{}
		}
		clubs[in][t.Value.OrganizationID]++
	}
	for _, t := range all {
		in := season{t.Value.CompetitionID, t.Value.Season}
		if t.Value.GroupID == "" && 2*grouped[in] > of[in] {
			o.warn(t.Origin, "group", "is missing: the other teams of the competition have one")
		}
		id := t.Value.OrganizationID
		if id == "" || of[in] < enough || clubs[in][id] != of[in] {
			continue
		}
		delete(clubs, in) // looked at once
		if slices.ContainsFunc(o.set.Organizations, func(x *dataset.Record[sport.Organization]) bool { return x.ID == id && x.Value.Type == sport.Club }) {
			o.warn(t.Origin, "organizationId", "is %s for all %d teams of the competition: was it copied down?", dataset.Quoted(sport.KindOrganization, o.set.Given(id)), of[in])
		}
	}
}

// nobody is what plans of fixtures call the opponent of a team that rests.
var nobody = []string{"bye", "rest", "spielfrei", "freilos", "exempt", "libre", "descansa", "riposo", "vrij"}

// called warns of what is no name of a team.
func (o *oddities) called(t *dataset.Record[sport.Team]) {
	name := t.Value.Name
	message := other(name)
	switch {
	case slips.IsDate(name):
		o.warn(t.Origin, "name", "is %q: has a spreadsheet made a date of it?", name)
	case slices.Contains(nobody, plain(name)):
		o.warn(t.Origin, "name", "is %q, which is no team: one that rests has no match", name)
	case message != "":
		o.warn(t.Origin, "name", "%s", message)
	}
	if slips.IsDate(t.Value.ShortName) {
		o.warn(t.Origin, "shortName", "is %q: has a spreadsheet made a date of it?", t.Value.ShortName)
	}
}

// clubs warns of clubs that belong to nobody, unless they hold competitions themselves,
// and of two of one name below one organization.
func (o *oddities) clubs() {
	owners, named := map[sport.ID]bool{}, map[string]sport.ID{}
	for _, c := range o.set.Competitions {
		owners[c.Value.OrganizationID] = true
	}
	for _, x := range o.set.Organizations {
		if x.Deleted {
			continue
		}
		if message := other(x.Value.Name); message != "" {
			o.warn(x.Origin, "name", "%s", message)
		}
		if x.Value.Type != sport.Club {
			continue
		}
		if len(x.Value.Parents()) == 0 && !owners[x.ID] {
			o.warn(x.Origin, "parentId", "is missing: the club belongs to no federation or association")
		}
		name := string(x.Value.ParentID) + plain(x.Value.Name)
		if first, twice := named[name]; twice {
			o.warn(x.Origin, "name", "is also the name of %s", dataset.Quoted(sport.KindOrganization, o.set.Given(first)))
		}
		named[name] = x.ID
	}
}

// open counts matches of seasons that are still to be played.
type open struct {
	matches int
	first   *dataset.Record[dataset.Match]
}

// count notes a match that is still to be played.
func (o *oddities) count(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.CompetitionID == "" || b.Status != sport.Upcoming && b.Status != sport.Live {
		return
	}
	in := season{b.CompetitionID, b.Season}
	if o.open[in] == nil {
		o.open[in] = &open{first: m}
	}
	o.open[in].matches++
}

// season is a competition's.
type season struct {
	competition sport.ID
	year        int
}

// completed warns of a season that is completed while its matches are still to be
// played: of the set, or stored.
func (o *oddities) completed() {
	for _, m := range o.stored.Open {
		if c := o.seasons[season{m.CompetitionID, m.Season}]; c != nil && c.Value.Completed {
			o.warn(c.Origin, "completed", "is true, but %s is still to be played", dataset.Quoted(sport.KindMatch, o.set.Given(m.ID)))
			delete(o.open, season{m.CompetitionID, m.Season})
		}
	}
	for in, left := range o.open {
		c := o.seasons[in]
		match := dataset.Quoted(sport.KindMatch, o.set.Given(left.first.ID))
		switch {
		case c != nil && c.Value.Completed && left.matches == 1:
			o.warn(c.Origin, "completed", "is true, but %s is still to be played", match)
		case c != nil && c.Value.Completed:
			o.warn(c.Origin, "completed", "is true, but %d matches are still to be played, such as %s", left.matches, match)
		case c == nil:
			if x := o.season(in); x != nil && x.Completed {
				o.warn(left.first.Origin, "status", "is %s, but the competition is completed", left.first.Value.Base.Status)
			}
		}
	}
}
