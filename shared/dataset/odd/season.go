package odd

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// appearance is a team in a match.
type appearance struct {
	team ids.Packed
	when int64
	in   int32 // as in fixture
}

// twice warns of a team that plays twice at one time; and in a round of a league, or on a
// day, unless many do: then it is how the league plays. Of two matches with the same
// teams fixtures warns, and a time that is not known does not count.
func (o *oddities) twice(all []fixture) {
	at, told := map[int32]*fixture{}, map[int32]bool{}
	for _, of := range []struct {
		field, text string // no field: the side's
		counts      func(*fixture) bool
		when        func(*fixture) int64
	}{
		{"", "%s plays at the same time in %s", func(f *fixture) bool { return f.timed }, func(f *fixture) int64 { return f.kickoff }},
		{"round", "%s plays twice in this round, also in %s", func(f *fixture) bool { return f.round > 0 }, func(f *fixture) int64 { return int64(f.round) }},
		{"kickoffAt", "%s plays twice on this day, also in %s", func(f *fixture) bool { return f.league }, func(f *fixture) int64 { return f.kickoff / day }},
	} {
		playing := make([]appearance, 0, 2*len(all))
		for i := range all {
			if f := &all[i]; of.counts(f) {
				playing = append(playing, appearance{f.home, of.when(f), f.in}, appearance{f.away, of.when(f), f.in})
			}
		}
		for in, pairs := range o.meeting(playing) {
			if s := o.scores[in]; of.field != "" && s != nil && len(pairs) > max(2, s.matches/10) {
				continue
			}
			if len(at) == 0 { // few datasets need it
				for i := range all {
					at[all[i].in] = &all[i]
				}
			}
			for _, p := range pairs {
				x, y := at[p[0].in], at[p[1].in]
				if x.home == y.home && x.away == y.away || of.field != "" && told[y.in] {
					continue
				}
				told[y.in] = true
				field := cmp.Or(of.field, map[bool]string{true: "homeTeamId", false: "awayTeamId"}[y.home == p[1].team])
				o.warn(o.set.Matches.At(int(y.in)).Origin, field, of.text, dataset.Quoted(sport.KindTeam, o.set.Given(p[1].team.ID())), dataset.Quoted(sport.KindMatch, o.set.Given(o.matchAt(int(x.in)))))
			}
		}
	}
}

// meeting are the two appearances of a team at one time, by the season of the second,
// which is in the set.
func (o *oddities) meeting(playing []appearance) map[season][][2]appearance {
	slices.SortFunc(playing, func(a, b appearance) int {
		return cmp.Or(bytes.Compare(a.team[:], b.team[:]), cmp.Compare(a.when, b.when), cmp.Compare(a.in, b.in))
	})
	found := map[season][][2]appearance{}
	for i := 1; i < len(playing); i++ {
		if a, b := playing[i-1], playing[i]; b.in >= 0 && a.team == b.team && a.when == b.when {
			m := &o.set.Matches.At(int(b.in)).Value.Base
			in := season{m.CompetitionID, m.Season}
			found[in] = append(found[in], [2]appearance{a, b})
		}
	}
	return found
}

// scores are what the matches of a season have in common.
type scores struct {
	matches      int
	sides        int  // that have goals
	most, rounds peak // of goals, and of numbers of rounds
	fewest       int  // goals of a side that has some
	nothings     some // of 0:0
	finished     some
	alike        int // finished ones with the score of the first
	first        sport.Score
	utc          bool
	last         sport.Score // of the finished match before
	rising       int         // finished matches in a row, each with a goal more for both
	roundless    some
	late, summer some // after the end of the competition, with the summer's offset in winter
	kickoffs     []moment
	file         string
}

// some are matches that have something in common.
type some struct {
	n     int
	first dataset.Origin
}

func (s *some) add(at dataset.Origin) {
	if s.n++; s.n == 1 {
		s.first = at
	}
}

// more ends the message on the first of them.
func (s *some) more() string {
	if s.n == 1 {
		return ""
	}
	return fmt.Sprintf(" (in %d matches)", s.n)
}

// peak is the highest of some numbers, and the one next to it.
type peak struct {
	most, next int
	of         dataset.Origin
	field      string
}

func (p *peak) add(at dataset.Origin, field string, n int) {
	if n > p.most {
		*p = peak{n, p.most, at, field}
	} else {
		p.next = max(p.next, n)
	}
}

// moment is a kick-off of a match of the set.
type moment struct {
	ms          int64
	line, round int32 // of the match
}

func (o *oddities) scoresOf(in season) *scores {
	s := o.scores[in]
	if s == nil {
		s = &scores{fewest: 1000}
		o.scores[in] = s
	}
	return s
}

// goals notes score, round and kick-off of a match.
func (o *oddities) goals(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.CompetitionID == "" {
		return
	}
	s := o.scoresOf(season{b.CompetitionID, b.Season})
	s.matches++
	s.file = m.Origin.File
	s.rounds.add(m.Origin, "round", b.Round)
	if b.Round == 0 {
		s.roundless.add(m.Origin)
	}
	if year := b.Kickoff.Year(); !b.Kickoff.IsZero() && year >= b.Season-2 && year <= b.Season+3 {
		s.kickoffs = append(s.kickoffs, moment{b.Kickoff.UnixMilli(), int32(m.Origin.Line), int32(b.Round)}) //nolint:gosec // 9 digits
	}
	if b.Score == nil {
		return
	}
	s.sides += 2
	s.most.add(m.Origin, "score.home", b.Score.Home)
	s.most.add(m.Origin, "score.away", b.Score.Away)
	_, _, ruled := b.Ruling()
	played := b.Status == sport.Finished && b.Points == nil && !ruled
	if played {
		if s.finished.add(m.Origin); s.finished.n == 1 {
			s.first = *b.Score
		}
		if *b.Score == s.first {
			s.alike++
		}
		if next := (sport.Score{Home: s.last.Home + 1, Away: s.last.Away + 1}); s.finished.n == 1 || *b.Score != next {
			s.rising = 0
		}
		if s.rising, s.last = s.rising+1, *b.Score; s.rising == copied {
			o.warn(m.Origin, "score", "is the last of %d in a row, each a goal more for both sides: were they dragged down?", copied)
		}
	}
	switch {
	case *b.Score != sport.Score{}:
		s.fewest = min(s.fewest, b.Score.Home, b.Score.Away)
	case played:
		s.nothings.add(m.Origin)
	}
}

// copied is how many matches that all have one score were likely not played so.
const copied = 4

// outliers warns of numbers that are far from all others of their season: a digit too
// many, a result that was not entered, a day and a month the wrong way round.
func (o *oddities) outliers() {
	const enough, many, times = 8, 20, 3
	for in, s := range o.scores {
		if p := s.most; s.sides >= enough && p.most >= many && p.most > times*p.next {
			o.warn(p.of, p.field, "is %d, while no other in the competition is above %d", p.most, p.next)
		}
		if p := s.rounds; s.matches >= enough/2 && p.most >= many && p.most > times*p.next && p.next > 0 {
			o.warn(p.of, p.field, "is %d, while no other in the competition is above %d", p.most, p.next)
		}
		if s.sides >= enough && s.fewest >= enough && s.fewest < 1000 && s.nothings.n > 0 {
			o.warn(s.nothings.first, "score", "is 0:0 (in %d finished matches), while no side of another has less than %d: was it played? A winner says that it was not", s.nothings.n, s.fewest)
		}
		if s.finished.n >= copied && s.alike == s.finished.n {
			o.warn(s.finished.first, "score", "is %d:%d, as in all %d finished matches of the competition: was it copied down?", s.first.Home, s.first.Away, s.alike)
		}
		if few := max(1, s.matches/50); s.matches >= enough/2 && s.roundless.n > 0 && s.roundless.n <= few {
			o.warn(s.roundless.first, "round", "is missing (in %d of %d matches): the others of the competition have one", s.roundless.n, s.matches)
		}
		zone := time.UTC
		if c := o.season(in); c != nil {
			zone = o.zone(c.Timezone)
			o.hours(s, c, zone)
		}
		o.far(s, zone)
		o.misnamed(in, s)
	}
}

// misnamed warns of a league's season that is not called by the year in which it starts
// (D33): all of its matches are before that year, or long after it.
func (o *oddities) misnamed(in season, s *scores) {
	c := o.seasons[in]
	if c == nil || c.Value.Type != sport.League || len(s.kickoffs) < copied {
		return
	}
	first, last := time.UnixMilli(s.kickoffs[0].ms).UTC(), time.UnixMilli(s.kickoffs[len(s.kickoffs)-1].ms).UTC() // far has sorted them
	if late := time.Date(in.year+1, time.August, 1, 0, 0, 0, 0, time.UTC); last.Year() < in.year || first.After(late) {
		o.warn(c.Origin, "season", "is %d, but its matches are from %s to %s: a season is called by the year in which it starts", in.year, first.Format(time.DateOnly), last.Format(time.DateOnly))
	}
}
