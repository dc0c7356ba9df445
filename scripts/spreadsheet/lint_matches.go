package spreadsheet

import (
	"cmp"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// game is what is compared of a match of a competition.
type game struct {
	at         int32 // its place in the set
	round      int32
	kickoff    int64 // in milliseconds
	home, away ids.Packed
	timed      bool // the kick-off is more than a date, and stands
	leg        bool
}

// never is the kick-off of a match that has none.
var never = time.Time{}.UnixMilli()

// matches warns of what the matches of a season say together.
func (l *linter) matches(resolve func(*dataset.Record[dataset.Match])) {
	unzoned, open, zones := map[season]bool{}, map[season]int{}, times.Zones{}
	for i, m := range l.set.Matches.All() {
		b, local := &m.Value.Base, m.Value.KickoffLocal != "" && !m.Value.DayOnly
		if m.Deleted || b.CompetitionID == "" {
			continue
		}
		if resolve != nil {
			resolve(m)
		}
		of := season{b.CompetitionID, b.Season}
		kickoff := b.Kickoff.UnixMilli()
		if year := b.Kickoff.Year(); b.Season > 0 && (year < b.Season-2 || year > b.Season+3) {
			kickoff = never // as is told of it by itself
		}
		l.games[of] = append(l.games[of], game{
			int32(i), int32(b.Round), kickoff, ids.Pack(b.HomeTeamID), ids.Pack(b.AwayTeamID), //nolint:gosec // 9 digits
			!m.Value.DayOnly && b.Status != sport.Postponed && kickoff != never, b.Leg > 0,
		})
		c := l.seasons[of]
		if c == nil {
			continue
		}
		if local && l.set.Unzoned[c] && !unzoned[of] {
			unzoned[of] = true
			l.warn(m.Origin, "kickoffLocal", "is taken as UTC, because %s gives no time zone: if that is meant, give UTC as its timezone", l.called(sport.KindCompetition, c.ID))
		}
		if b.Status == sport.Upcoming || b.Status == sport.Live {
			if open[of]++; c.Value.Completed && open[of] == 1 {
				l.warn(c.Origin, "completed", "is true, but %s is still to be played", l.called(sport.KindMatch, m.ID))
			}
		}
		if zone, err := zones.Load(c.Value.Timezone); err == nil && !m.Value.DayOnly && !b.Kickoff.IsZero() {
			l.night(m, c.Value.Timezone, b.Kickoff.In(zone))
		}
	}
	for of, games := range l.games {
		c := l.seasons[of]
		league := c != nil && c.Value.Type == sport.League && c.Value.Stage == sport.Regular
		told := l.meeting(games, func(g *game) int64 {
			if !g.timed {
				return 0
			}
			return g.kickoff
		}, "", "%s plays at the same time in %s", nil)
		if league {
			l.meeting(games, func(g *game) int64 { return int64(g.round) }, "round", "%s plays twice in this round, also in %s", told)
		}
		if league || c == nil { // one that is stored
			l.returns(games)
		}
		l.far(games)
	}
}

// night warns of a kick-off from just after midnight, which stands for a day alone, to
// dawn.
func (l *linter) night(m *dataset.Record[dataset.Match], zone string, at time.Time) {
	const dawn = 7
	if at.Hour() < dawn && (at.Hour() > 0 || at.Minute() > 0) {
		l.warn(m.Origin, "kickoffAt", "is at %s in the time zone of the competition, %s: is it meant for the afternoon, or is the time zone another?", at.Format("15:04"), zone)
	}
}

// meeting warns of a team that plays two matches of a season at one time, or in one round.
// Where many teams do, that is how the season is played; it needs no field then. told are
// the matches that were warned of, by their places.
func (l *linter) meeting(games []game, when func(*game) int64, field, text string, told map[int32]bool) map[int32]bool {
	type appearance struct {
		team ids.Packed
		when int64
	}
	seen, again, pairs := map[appearance]*game{}, map[int32]bool{}, [][2]*game{}
	teams := []ids.Packed{}
	for i := range games {
		g := &games[i]
		for _, team := range []ids.Packed{g.home, g.away} {
			at := appearance{team, when(g)}
			first := seen[at]
			switch {
			case at.when == 0:
			case first == nil:
				seen[at] = g
			case first.home != g.home || first.away != g.away: // else it is one fixture twice
				pairs, teams = append(pairs, [2]*game{first, g}), append(teams, team)
			}
		}
	}
	if field != "" && len(pairs) > max(2, len(games)/10) {
		return again
	}
	for i, p := range pairs {
		at := field
		if at == "" {
			at = map[bool]string{true: "homeTeamId", false: "awayTeamId"}[p[1].home == teams[i]]
		}
		if !told[p[1].at] && (field == "" || !again[p[1].at]) {
			l.warn(l.set.Matches.At(int(p[1].at)).Origin, at, text, l.called(sport.KindTeam, teams[i].ID()), l.called(sport.KindMatch, l.set.Matches.At(int(p[0].at)).ID))
		}
		again[p[1].at] = true
	}
	return again
}

// returns warns of two teams of a league that meet twice at one home, where the others
// meet at both: home and away are the other way round in one of them.
func (l *linter) returns(games []game) {
	type pairing [2]ids.Packed
	hosts, last := map[pairing]int{}, map[pairing]int32{}
	for _, g := range games {
		if !g.leg {
			hosts[pairing{g.home, g.away}]++
			last[pairing{g.home, g.away}] = g.at
		}
	}
	both, wrong := 0, []int32{}
	for p, n := range hosts {
		switch back := hosts[pairing{p[1], p[0]}]; {
		case n == 1 && back == 1:
			both++ // counted from each side
		case n == 2 && back == 0:
			wrong = append(wrong, last[p])
		}
	}
	if both < 4 || len(wrong) > max(1, both/20) {
		return
	}
	slices.Sort(wrong)
	for _, at := range wrong {
		m := l.set.Matches.At(int(at))
		l.warn(m.Origin, "homeTeamId", "%s is host of both matches against %s: are home and away the other way round in one of them?",
			l.called(sport.KindTeam, m.Value.Base.HomeTeamID), l.called(sport.KindTeam, m.Value.Base.AwayTeamID))
	}
}

// far warns of a few kick-offs that are months from those of the rest of the season.
func (l *linter) far(games []game) {
	const months, day = 90, 24 * 60 * 60 * 1000
	games = slices.DeleteFunc(games, func(g game) bool { return g.kickoff == never })
	few := max(1, len(games)/20)
	if len(games) < 4 {
		return
	}
	slices.SortFunc(games, func(a, b game) int { return cmp.Or(cmp.Compare(a.kickoff, b.kickoff), cmp.Compare(a.at, b.at)) })
	warn := func(some []game, days int64) {
		for _, g := range some {
			if days >= months {
				l.warn(l.set.Matches.At(int(g.at)).Origin, "kickoffAt", "is %d days from all other matches of the season: are year, month and day right?", days)
			}
		}
	}
	for i, n := 1, len(games)-1; i <= few; i, n = i+1, n-1 {
		warn(games[:i], (games[i].kickoff-games[i-1].kickoff)/day)
		warn(games[n:], (games[n].kickoff-games[n-1].kickoff)/day)
	}
}
