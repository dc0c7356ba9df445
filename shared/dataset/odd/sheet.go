package odd

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
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

// appearance is a team in a match.
type appearance struct {
	team    ids.Packed
	kickoff int64
	in      int32 // as in fixture
}

// twice warns of a team that plays twice at one time. Of two matches with the same teams
// fixtures warns, and a time that is not known does not count.
func (o *oddities) twice(all []fixture) {
	playing := make([]appearance, 0, 2*len(all))
	teams := map[int32]fixture{}
	for _, f := range all {
		if f.timed {
			playing = append(playing, appearance{f.home, f.kickoff, f.in}, appearance{f.away, f.kickoff, f.in})
		}
	}
	slices.SortFunc(playing, func(a, b appearance) int {
		return cmp.Or(bytes.Compare(a.team[:], b.team[:]), cmp.Compare(a.kickoff, b.kickoff), cmp.Compare(a.in, b.in))
	})
	for i := 1; i < len(playing); i++ {
		a, b := playing[i-1], playing[i]
		if a.team != b.team || a.kickoff != b.kickoff || b.in < 0 {
			continue
		}
		if len(teams) == 0 {
			for _, f := range all {
				teams[f.in] = f
			}
		}
		if x, y := teams[a.in], teams[b.in]; x.home == y.home && x.away == y.away {
			continue
		}
		m := o.set.Matches.At(int(b.in))
		side, team := "homeTeamId", m.Value.Base.HomeTeamID
		if ids.Pack(team) != b.team {
			side, team = "awayTeamId", m.Value.Base.AwayTeamID
		}
		o.warn(m.Origin, side, "%s plays at the same time in %s", dataset.Quoted(sport.KindTeam, o.set.Given(team)),
			dataset.Quoted(sport.KindMatch, o.set.Given(o.matchAt(int(a.in)))))
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
		return entry{t.CompetitionID, t.Season, strings.ToLower(strings.Join(strings.Fields(name), " "))}
	}
	seen := make(map[entry]sport.ID, len(o.set.Teams))
	var entered []*dataset.Record[sport.Team]
	for _, t := range o.set.Teams {
		if t.Deleted || t.Value.CompetitionID == "" || t.Value.Status != sport.Active {
			continue
		}
		e := entryOf(&t.Value, t.Value.Name)
		if first, twice := seen[e]; twice {
			o.warn(t.Origin, "name", "is also the name of %s in the competition", dataset.Quoted(sport.KindTeam, o.set.Given(first)))
			continue
		}
		seen[e] = t.ID
		entered = append(entered, t)
	}
	for _, t := range entered {
		o.suffix(t, func(name string) sport.ID { return seen[entryOf(&t.Value, name)] })
	}
}

// clubs warns of clubs that belong to nobody, unless they hold competitions themselves.
func (o *oddities) clubs() {
	owners := map[sport.ID]bool{}
	for _, c := range o.set.Competitions {
		owners[c.Value.OrganizationID] = true
	}
	for _, x := range o.set.Organizations {
		if !x.Deleted && x.Value.Type == sport.Club && len(x.Value.Parents()) == 0 && !owners[x.ID] {
			o.warn(x.Origin, "parentId", "is missing: the club belongs to no federation or association")
		}
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
