package dataset

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/times"
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
}

// How long after its kick-off a match is taken to be going on, and to be about
// to begin: D51 sets the first.
const (
	longestMatch = 6 * time.Hour
	latestStart  = 3 * time.Hour
)

// sameFixture is how near the kick-offs of two matches of the same teams lie
// that are one fixture under two ids.
const sameFixture = 24 * time.Hour

// Odd gives the warnings of D51 that take more than one record, the time of day
// or the table. Seasons of teams must be resolved. resolve fills in the season and
// the kick-off of a match, each time the same; nil: the set holds them. A match
// whose kick-off stays open is passed over.
func (s *Set) Odd(now time.Time, stored Stored, resolve func(*Record[Match])) []Fault {
	o := &oddities{set: s, stored: stored, now: now}
	o.teams = make(map[sport.ID]*sport.Team, len(s.Teams))
	for _, t := range s.Teams {
		if !t.Deleted {
			o.teams[t.ID] = &t.Value
		}
	}
	all := make([]fixture, 0, s.Matches.Len()+len(stored.Matches))
	add := func(m *sport.Match, in int) {
		if !m.Kickoff.IsZero() {
			all = append(all, fixture{ids.Pack(m.HomeTeamID), ids.Pack(m.AwayTeamID), int32(in), m.Kickoff.UnixMilli()}) //nolint:gosec // matches are counted in millions
		}
	}
	for i := range stored.Matches {
		add(&stored.Matches[i], i-len(stored.Matches))
	}
	for i, m := range s.Matches.All() {
		if m.Deleted {
			continue
		}
		if resolve != nil {
			resolve(m)
		}
		o.entered(m)
		o.time(m)
		add(&m.Value.Base, i)
	}
	o.fixtures(all)
	o.numbers()
	return o.found
}

type oddities struct {
	set    *Set
	stored Stored
	now    time.Time
	teams  map[sport.ID]*sport.Team
	found  []Fault
}

func (o *oddities) warn(at Origin, field, format string, args ...any) {
	o.found = append(o.found, Fault{File: at.File, Line: at.Line, Field: field, Message: fmt.Sprintf(format, args...)})
}

// entered warns of a match of a team that is not entered in its competition and
// season.
func (o *oddities) entered(m *Record[Match]) {
	b := &m.Value.Base
	if b.CompetitionID == "" {
		return
	}
	for _, side := range []struct {
		field string
		id    sport.ID
	}{{"homeTeamId", b.HomeTeamID}, {"awayTeamId", b.AwayTeamID}} {
		t := o.teams[side.id]
		if t == nil && o.stored.Team != nil {
			t = o.stored.Team(side.id)
		}
		if t != nil && (t.CompetitionID != b.CompetitionID || t.Season != b.Season) {
			o.warn(m.Origin, side.field, "%s is not entered in season %d of %s",
				quoted(sport.KindTeam, o.set.Given(side.id)), b.Season, quoted(sport.KindCompetition, o.set.Given(b.CompetitionID)))
		}
	}
}

// time warns of a status that does not go with the kick-off.
func (o *oddities) time(m *Record[Match]) {
	b := &m.Value.Base
	if b.Kickoff.IsZero() {
		return
	}
	since := o.now.Sub(b.Kickoff)
	if m.Value.dayOnly && since > 0 {
		since = max(since-24*time.Hour, 0)
	}
	at := b.Kickoff.UTC().Format("2006-01-02T15:04Z")
	switch {
	case b.Status == sport.Finished && since < 0:
		o.warn(m.Origin, "status", "is finished, but the kick-off, %s, is still to come", at)
	case b.Status == sport.Upcoming && since > latestStart:
		o.warn(m.Origin, "status", "is upcoming, but the kick-off was at %s", at)
	case b.Status == sport.Live && since > longestMatch:
		o.warn(m.Origin, "status", "is live for more than %d hours: the kick-off was at %s", int(longestMatch.Hours()), at)
	}
}

// fixture is what distinguishes one fixture from another.
type fixture struct {
	home, away ids.Packed
	in         int32 // the set's matches, below 0: the stored ones, from their end
	kickoff    int64 // in milliseconds
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
		if in < 0 || a.home != b.home || a.away != b.away || b.kickoff-a.kickoff >= sameFixture.Milliseconds() {
			continue
		}
		var other sport.ID
		if as := int(min(a.in, b.in)); as < 0 {
			other = o.stored.Matches[len(o.stored.Matches)+as].ID
		} else {
			other = o.set.Matches.At(as).ID
		}
		o.warn(o.set.Matches.At(in).Origin, "id", "is the same fixture as %s: the same teams within a day",
			quoted(sport.KindMatch, o.set.Given(other)))
	}
}

// shirt is a player's number in a team.
type shirt struct {
	team   ids.Packed
	number int32
	in     int32 // the set's players, below 0: the stored ones, from their end
}

// numbers warns of a shirt number that two active players of a team have.
func (o *oddities) numbers() {
	all := make([]shirt, 0, o.set.Players.Len()+len(o.stored.Players))
	add := func(p *sport.Player, in int) {
		if p.Number > 0 && p.Status == sport.Active {
			all = append(all, shirt{ids.Pack(p.TeamID), int32(p.Number), int32(in)}) //nolint:gosec // 9 digits, and players are counted in millions
		}
	}
	for i := range o.stored.Players {
		add(&o.stored.Players[i], i-len(o.stored.Players))
	}
	for i, p := range o.set.Players.All() {
		if !p.Deleted {
			add(&p.Value, i)
		}
	}
	slices.SortFunc(all, func(a, b shirt) int {
		return cmp.Or(bytes.Compare(a.team[:], b.team[:]), cmp.Compare(a.number, b.number), cmp.Compare(a.in, b.in))
	})
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if a.team != b.team || a.number != b.number || b.in < 0 {
			continue
		}
		var other sport.ID
		if a.in < 0 {
			other = o.stored.Players[len(o.stored.Players)+int(a.in)].ID
		} else {
			other = o.set.Players.At(int(a.in)).ID
		}
		o.warn(o.set.Players.At(int(b.in)).Origin, "number", "%d is also the number of %s in the team",
			b.number, quoted(sport.KindPlayer, o.set.Given(other)))
	}
}

// Settle resolves what depends on competitions that the set itself holds: the
// season of a team or match that names none, and kick-offs without an offset.
// It is for checking a folder without a table; what depends on a competition
// that is not in the set stays as it is. The faults are those of kick-offs.
// resolve does for a match what Settle has done for the teams: see Odd.
func (s *Set) Settle() (resolve func(*Record[Match]), faults, warnings []Fault) {
	for _, t := range s.Teams {
		if v := &t.Value; !t.Deleted && v.CompetitionID != "" && v.Season == 0 {
			v.Season = s.currentSeason(v.CompetitionID)
		}
	}
	var zones times.Zones
	for _, m := range s.Matches.All() {
		at := Fault{File: m.Origin.File, Line: m.Origin.Line, Field: "kickoffLocal"}
		shown, err := s.settle(m, &zones)
		if err != nil {
			at.Message = err.Error()
			faults = append(faults, at)
		} else if at.Message = shown.Warning(); at.Message != "" {
			warnings = append(warnings, at)
		}
	}
	return func(m *Record[Match]) { _, _ = s.settle(m, &zones) }, faults, warnings
}

// settle resolves a match. The error is that of its kick-off.
func (s *Set) settle(m *Record[Match], zones *times.Zones) (shown times.Shown, err error) {
	b := &m.Value.Base
	if m.Deleted || b.CompetitionID == "" {
		return shown, nil
	}
	if b.Season == 0 {
		b.Season = s.currentSeason(b.CompetitionID)
	}
	c := s.season(b.CompetitionID, b.Season)
	if c == nil || m.Value.KickoffLocal == "" {
		return shown, nil
	}
	kickoff, shown, err := zones.Kickoff(m.Value.KickoffLocal, c.Timezone)
	if err == nil {
		b.Kickoff, m.Value.KickoffLocal = kickoff, ""
	}
	return shown, err
}

// season returns the set's record of a season, nil if there isn't one.
func (s *Set) season(id sport.ID, year int) *sport.Competition {
	for _, c := range s.seasons[ids.Pack(id)] {
		if c.Value.Season == year {
			return &c.Value
		}
	}
	return nil
}

// currentSeason is the season that is called current, else the highest of those
// that are not called otherwise, else the highest; 0: the set holds none.
func (s *Set) currentSeason(id sport.ID) int {
	best, rank := 0, -1
	for _, c := range s.seasons[ids.Pack(id)] {
		r := 1
		if current := c.Value.Current; current != nil {
			r = 0
			if *current {
				r = 2
			}
		}
		if r > rank || r == rank && c.Value.Season > best {
			best, rank = c.Value.Season, r
		}
	}
	return best
}
