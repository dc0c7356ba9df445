// Package odd finds what is strange in a dataset but possible, where it takes more
// than one record, the time of day or the table to see it (D51). What a single line
// shows is found when it is read.
package odd

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// Stored is what the table holds, as far as it matters for the records of a set
// and is not replaced by them. The zero value is an empty table.
type Stored struct {
	// Team returns a stored team that is not in the set, nil if there isn't one.
	// It may be nil.
	Team    func(sport.ID) *sport.Team
	Players []sport.Player // of teams in which the set has players
	Matches []sport.Match  // of teams whose home matches the set has
	// Open are matches that are still to be played, one of each season that the set
	// says to be completed.
	Open []sport.Match
	// Competition returns a stored season of a competition, nil if there isn't one. It
	// may be nil.
	Competition func(id sport.ID, season int) *sport.Competition
}

// How long after its kick-off a match is taken to be going on, and to be about
// to begin: D51 sets the first.
const (
	longestMatch = 6 * time.Hour
	latestStart  = 3 * time.Hour
)

// Two matches of the same teams are one fixture under two ids if their kick-offs are as
// near as this. In a league nobody is host to the same team twice in a week.
const (
	sameFixture  = 24 * time.Hour
	sameInLeague = 7 * 24 * time.Hour
)

// Find gives the warnings of a set. Seasons of teams must be resolved. resolve fills in the season and
// the kick-off of a match, each time the same; nil: the set holds them. A match
// whose kick-off stays open is passed over.
func Find(s *dataset.Set, now time.Time, stored Stored, resolve func(*dataset.Record[dataset.Match])) []dataset.Fault {
	o := &oddities{set: s, stored: stored, now: now, open: map[season]*open{}, absent: map[absence]bool{}, scores: map[season]*scores{}, zones: map[string]*time.Location{}, playerIDs: newTwins(), matchIDs: newTwins(), seasons: map[season]*dataset.Record[sport.Competition]{}}
	for _, c := range s.Competitions {
		if !c.Deleted {
			o.seasons[season{c.ID, c.Value.Season}] = c
		}
	}
	o.teams = make(map[sport.ID]*sport.Team, len(s.Teams))
	for _, t := range s.Teams {
		if !t.Deleted {
			o.teams[t.ID] = &t.Value
		}
	}
	all := make([]fixture, 0, s.Matches.Len()+len(stored.Matches))
	add := func(m *sport.Match, in int, dayOnly bool) {
		if !m.Kickoff.IsZero() {
			played := m.Status != sport.Postponed
			f := fixture{ids.Pack(m.HomeTeamID), ids.Pack(m.AwayTeamID), int32(in), m.Kickoff.UnixMilli(), 0, played && !dayOnly, played && o.inLeague(m)} //nolint:gosec // matches are counted in millions
			if f.league {
				f.round = int32(m.Round) //nolint:gosec // 9 digits
			}
			all = append(all, f)
		}
	}
	for i := range stored.Matches {
		add(&stored.Matches[i], i-len(stored.Matches), false)
	}
	for i, m := range s.Matches.All() {
		o.matchIDs.add(folded(m.Key, m.Deleted), i)
		if m.Deleted {
			continue
		}
		local := m.Value.KickoffLocal != ""
		if resolve != nil {
			resolve(m)
		}
		o.entered(m)
		o.time(m)
		o.year(m)
		o.clock(m, local)
		o.count(m)
		o.goals(m)
		add(&m.Value.Base, i, m.Value.DayOnly)
	}
	o.fixtures(all)
	o.twice(all)
	o.returns(all)
	o.persons()
	o.same(true, func(p *sport.Player) string {
		if p.Number == 0 {
			return ""
		}
		return string(p.TeamID) + strconv.Itoa(p.Number)
	}, "number", "%[2]d is also the number of %[3]s in the team")
	o.same(true, nameIn, "name", "is also the name of %[1]s in the team")
	o.same(false, o.entry, "name", "and number %[2]d are also those of %[1]s in another team of the competition: is it one player, who has moved?")
	o.names()
	o.alike()
	o.styles()
	o.outliers()
	o.withdrawn()
	o.clubs()
	o.competitions()
	o.completed()
	return o.found
}

type oddities struct {
	set    *dataset.Set
	stored Stored
	now    time.Time
	teams  map[sport.ID]*sport.Team
	found  []dataset.Fault

	seasons map[season]*dataset.Record[sport.Competition] // of the set
	open    map[season]*open
	absent  map[absence]bool // that were told
	scores  map[season]*scores

	playerIDs, matchIDs *twins

	zones map[string]*time.Location
	spelt [writings]int // names of players
}

func (o *oddities) warn(at dataset.Origin, field, format string, args ...any) {
	o.found = append(o.found, dataset.Fault{File: at.File, Line: at.Line, Field: field, Message: fmt.Sprintf(format, args...)})
}

// entered warns of the first match of a team in a competition and season in which it is
// not entered.
func (o *oddities) entered(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.CompetitionID == "" {
		if b.Round > 0 {
			o.warn(m.Origin, "competitionId", "is missing, which makes the match a friendly, but it has a round: which competition is it of?")
		}
		return
	}
	for _, side := range []struct {
		field string
		id    sport.ID
	}{{"homeTeamId", b.HomeTeamID}, {"awayTeamId", b.AwayTeamID}} {
		if t := o.team(side.id); t != nil && (t.CompetitionID != b.CompetitionID || t.Season != b.Season) {
			if who := (absence{season{b.CompetitionID, b.Season}, side.id}); !o.absent[who] {
				o.absent[who] = true
				o.warn(m.Origin, side.field, "%s is not entered in season %d of %s",
					dataset.Quoted(sport.KindTeam, o.set.Given(side.id)), b.Season, dataset.Quoted(sport.KindCompetition, o.set.Given(b.CompetitionID)))
			}
		} else if t != nil && t.GroupID != "" && b.GroupID != "" && t.GroupID != b.GroupID {
			o.warn(m.Origin, "group", "is not that of %s", dataset.Quoted(sport.KindTeam, o.set.Given(side.id)))
		}
	}
}

// absence is a team that plays in a season in which it is not entered.
type absence struct {
	season
	team sport.ID
}

// time warns of a status that does not go with the kick-off.
func (o *oddities) time(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.Kickoff.IsZero() {
		return
	}
	since := o.now.Sub(b.Kickoff)
	if m.Value.DayOnly && since > 0 {
		since = max(since-24*time.Hour, 0)
	}
	at := o.local(b.Kickoff, o.season(season{b.CompetitionID, b.Season}))
	switch {
	case b.Status == sport.Finished && since < 0:
		o.warn(m.Origin, "status", "is finished, but the kick-off, %s, is still to come", at)
	case b.Status == sport.Upcoming && since > latestStart:
		o.warn(m.Origin, "status", "is upcoming, but the kick-off was at %s", at)
	case b.Status == sport.Live && since < -latestStart:
		o.warn(m.Origin, "status", "is live, but the kick-off, %s, is still to come", at)
	case b.Status == sport.Live && since > longestMatch:
		o.warn(m.Origin, "status", "is live for more than %d hours: the kick-off was at %s", int(longestMatch.Hours()), at)
	}
}

// local is a time as the clocks of a competition show it, of which nil has UTC.
func (o *oddities) local(t time.Time, c *sport.Competition) string {
	if c == nil || c.Timezone == "" || c.Timezone == "UTC" {
		return t.UTC().Format("2006-01-02T15:04Z")
	}
	return t.In(o.zone(c.Timezone)).Format("2006-01-02 15:04 ") + "(" + c.Timezone + ")"
}

// fixture is what distinguishes one fixture from another.
type fixture struct {
	home, away ids.Packed
	in         int32 // the set's matches, below 0: the stored ones, from their end
	kickoff    int64 // in milliseconds
	round      int32 // of a league
	timed      bool  // the match is played at that time
	league     bool  // in a league
}

// team is a team of the set, or else stored; nil if there isn't one.
func (o *oddities) team(id sport.ID) *sport.Team {
	if t := o.teams[id]; t != nil || o.stored.Team == nil {
		return t
	}
	return o.stored.Team(id)
}

// inLeague reports whether a match is one of a league, in which each pair meets once at
// each side's home, as a rule months apart.
func (o *oddities) inLeague(m *sport.Match) bool {
	if m.CompetitionID == "" || m.Leg != 0 {
		return false
	}
	c := o.season(season{m.CompetitionID, m.Season})
	return c != nil && c.Type == sport.League && c.Stage == sport.Regular
}

// season is a competition's season, of the set or else stored; nil if there isn't one.
func (o *oddities) season(s season) *sport.Competition {
	if c := o.seasons[s]; c != nil {
		return &c.Value
	}
	if o.stored.Competition == nil {
		return nil
	}
	return o.stored.Competition(s.competition, s.year)
}

// fixtures warns of one fixture under two ids: the same teams, the same one at
// home, within a day.
func (o *oddities) fixtures(all []fixture) {
	slices.SortFunc(all, func(a, b fixture) int {
		return cmp.Or(bytes.Compare(a.home[:], b.home[:]), bytes.Compare(a.away[:], b.away[:]), cmp.Compare(a.kickoff, b.kickoff), cmp.Compare(a.in, b.in))
	})
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		in := int(max(a.in, b.in)) // the later line is the one to look at
		limit, within := sameFixture, "a day"
		if b.kickoff-a.kickoff >= sameFixture.Milliseconds() && a.league && b.league {
			limit, within = sameInLeague, "a week"
		}
		if in < 0 || a.home != b.home || a.away != b.away || b.kickoff-a.kickoff >= limit.Milliseconds() {
			continue
		}
		o.warn(o.set.Matches.At(in).Origin, "id", "is the same fixture as %s: the same teams within %s",
			dataset.Quoted(sport.KindMatch, o.set.Given(o.matchAt(int(min(a.in, b.in))))), within)
	}
}
