package dataset

import (
	"cmp"
	"fmt"
	"slices"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/parts"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// matchDraft is a match while its line is read.
type matchDraft struct {
	Record[Match]
	timed        bool // a kick-off was given, right or wrong
	kickoffAt    string
	kickoffLocal string
}

// matchFields is the record of matches.ndjson.
var matchFields = []jsonl.Field[matchDraft]{
	jsonl.Identifying("id", func(l *jsonl.Line, d *matchDraft) { d.ID, d.Key = l.ID(sport.KindMatch) }),
	jsonl.Optional("competitionId", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.CompetitionID = l.Ref(sport.KindCompetition) }),
	jsonl.Optional("season", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Season = season(l) }),
	jsonl.Required("status", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Status = jsonl.Enum(l, matchStatuses) }),
	jsonl.Optional("kickoffAt", func(l *jsonl.Line, d *matchDraft) { d.timed, d.kickoffAt = true, l.Text(jsonl.MaxName) }),
	jsonl.Optional("kickoffLocal", func(l *jsonl.Line, d *matchDraft) { d.timed, d.kickoffLocal = true, l.Text(jsonl.MaxName) }),
	jsonl.Required("homeTeamId", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.HomeTeamID = l.Ref(sport.KindTeam) }),
	jsonl.Required("awayTeamId", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.AwayTeamID = l.Ref(sport.KindTeam) }),
	jsonl.Optional("score", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Score = readScore(l) }),
	jsonl.Optional("penalties", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Penalties = readScore(l) }),
	jsonl.Optional("extraTime", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.ExtraTime = l.Bool() }),
	jsonl.Optional("leg", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Leg = l.Integer(1, 2) }),
	jsonl.Optional("twoLegs", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.TwoLegs = l.Bool() }),
	jsonl.Optional("winner", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Winner = jsonl.Enum(l, winners) }),
	jsonl.Optional("points", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Points = readPoints(l) }),
	jsonl.Optional("setPoints", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.SetPoints = readScore(l) }),
	jsonl.Optional("tieWinner", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.TieWinner = jsonl.Enum(l, sides) }),
	jsonl.Optional("round", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Round = l.Count() }),
	jsonl.Optional("group", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.GroupID = l.Ref(sport.KindGroup) }),
	jsonl.Optional("visibility", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Visibility = jsonl.Enum(l, visibilities) }),
	jsonl.Optional("lineups", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Lineups = parts.ReadLineups(l) }),
	jsonl.Optional("events", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Events = parts.ReadEvents(l) }),
	jsonl.Optional("statistics", func(l *jsonl.Line, d *matchDraft) { d.Value.Base.Statistics = parts.ReadStatistics(l) }),
	jsonl.Deletion("deleted", func(l *jsonl.Line, d *matchDraft) { d.Deleted = l.Bool() }),
	jsonl.Deletion("erase", func(l *jsonl.Line, d *matchDraft) { d.erase(l) }),
}

var scoreFields = []jsonl.Field[sport.Score]{
	jsonl.Required("home", func(l *jsonl.Line, s *sport.Score) { s.Home = goals(l) }),
	jsonl.Required("away", func(l *jsonl.Line, s *sport.Score) { s.Away = goals(l) }),
}

// goals reads one side of a score (D47).
func goals(l *jsonl.Line) int { return l.Integer(0, rules.MaxGoals) }

func readScore(l *jsonl.Line) *sport.Score {
	s := &sport.Score{}
	jsonl.Object(l, scoreFields, s)
	return s
}

// pointsFields are the points given for a match, which may be below 0.
var pointsFields = []jsonl.Field[sport.Score]{
	jsonl.Required("home", func(l *jsonl.Line, s *sport.Score) { s.Home = l.Integer(-rules.MaxPoints, rules.MaxPoints) }),
	jsonl.Required("away", func(l *jsonl.Line, s *sport.Score) { s.Away = l.Integer(-rules.MaxPoints, rules.MaxPoints) }),
}

func readPoints(l *jsonl.Line) *sport.Score {
	s := &sport.Score{}
	jsonl.Object(l, pointsFields, s)
	return s
}

func readMatch(r *reader) {
	l := r.line
	d := &matchDraft{Record: Record[Match]{Origin: l.Origin()}}
	d.Value.Base.Visibility = sport.Public
	jsonl.Record(l, matchFields, d, &d.Deleted)
	if d.Deleted {
		d.Value = Match{}
	} else if !l.Broken() {
		checkMatch(l, d)
		r.claimEvents(d)
	}
	d.Value.Base.ID = d.ID
	who := identity{Kind: files.Matches, ID: ids.Pack(d.ID)}
	r.claim(who, sport.KindMatch, d.ID)
	rec := d.Record
	if l.Faults() == 0 {
		rec.Value.OtherSport = parts.OtherSport(&rec.Value.Base)
		rec.Value.pack(r.set.words)
	}
	enter(r, &r.set.Matches, &rec, who)
}

// checkMatch checks what one field alone does not show, and derives the
// kick-off and the winner (D44). The winner "none" of a match that is not finished is
// the one that it has.
func checkMatch(l *jsonl.Line, d *matchDraft) {
	m := &d.Value.Base
	if m.HomeTeamID != "" && m.HomeTeamID == m.AwayTeamID {
		l.Fault("awayTeamId", "is the home team")
	}
	if m.GroupID != "" && m.CompetitionID == "" && l.Faults() == 0 {
		l.Fault("group", "needs a competitionId")
	}
	if m.Status == sport.Finished && m.Score == nil {
		l.Fault("score", "is missing, but the match is finished")
	}
	checkKickoff(l, d)
	if m.Status == sport.Upcoming {
		checkUpcoming(l, m)
	}
	checkGoals(l, m)
	checkEqual(l, m)
	m.Winner = standings.MatchWinner(m.Status, m.Score, m.Penalties, m.Winner)
	checkRuling(l, m)
}

// checkRuling warns of a winner, a score and points of which not all are likely to be
// meant (D59). A match that was not played has 0:0 or the score that it was awarded.
func checkRuling(l *jsonl.Line, m *sport.Match) {
	if m.Status != sport.Finished || m.Score == nil {
		return
	}
	home, away, ruled := m.Ruling()
	if ruled && *m.Score != (sport.Score{}) {
		l.Warn("winner", fmt.Sprintf("is %s, but the score is %d:%d: it counts as a ruling", m.Winner, m.Score.Home, m.Score.Away))
	}
	if m.Points == nil {
		return
	}
	p := *m.Points
	won := cmp.Compare(p.Home, p.Away)
	as := map[[2]int]string{{1, -1}: "won by the home team", {-1, 1}: "won by the away team", {0, 0}: "drawn", {-1, -1}: "lost by both"}[[2]int{home, away}]
	switch lead := (home - away) / 2; {
	case lead != 0 && won == -lead, // the loser has more
		home == 0 && min(p.Home, p.Away) <= 0 && max(p.Home, p.Away) > 0, // a draw that only one gains from
		home < 0 && away < 0 && max(p.Home, p.Away) > 0:
		l.Warn("points", fmt.Sprintf("are %d:%d, but the match counts as %s: a winner says who won by a ruling", p.Home, p.Away, as))
	}
}

// checkUpcoming refuses what a match that has not begun cannot have (D50). The
// values that responses show for it, 0:0 and no winner, may be given.
func checkUpcoming(l *jsonl.Line, m *sport.Match) {
	const message = "must be left out: the match is upcoming"
	if m.Score != nil && *m.Score != (sport.Score{}) {
		l.Fault("score", message)
	}
	if m.Penalties != nil {
		l.Fault("penalties", message)
	}
	if len(m.Events) > 0 {
		l.Fault("events", message)
	}
	if m.Winner != "" && m.Winner != sport.WinnerNone {
		l.Fault("winner", message)
	}
	if m.Points != nil {
		l.Fault("points", message)
	}
	if m.SetPoints != nil {
		l.Fault("setPoints", message)
	}
	if m.TieWinner != "" {
		l.Fault("tieWinner", message)
	}
	m.Score = nil
}

// checkGoals warns of goals that do not add up to the score (D51). Without any
// goal among the events there is nothing to add up: they are not recorded.
func checkGoals(l *jsonl.Line, m *sport.Match) {
	var goals sport.Score
	for _, e := range m.Events {
		switch {
		case e.Type != sport.EventGoal:
		case e.Side == sport.SideHome:
			goals.Home++
		case e.Side == sport.SideAway:
			goals.Away++
		}
	}
	if goals != (sport.Score{}) && m.Score != nil && goals != *m.Score {
		l.Warn("events", fmt.Sprintf("the goals add up to %d:%d, but the score is %d:%d", goals.Home, goals.Away, m.Score.Home, m.Score.Away))
	}
}

// checkEqual warns of events of a live match that only their order tells apart: while
// more come, one may get the id of another (D58).
func checkEqual(l *jsonl.Line, m *sport.Match) {
	if m.Status != sport.Live {
		return
	}
	if first, second, ok := parts.EqualEvents(m.Events); ok {
		l.Warn("events", fmt.Sprintf("events[%d] and events[%d] say the same and have no id: give them ids, so that each keeps its own", first, second))
	}
}

func checkKickoff(l *jsonl.Line, d *matchDraft) {
	m := &d.Value.Base
	var err error
	switch at, local := d.kickoffAt, d.kickoffLocal; {
	case at != "" && local != "":
		l.Fault("kickoffLocal", "must not be given together with kickoffAt")
	case at != "":
		if m.Kickoff, err = times.ParseInstant(at); err != nil {
			l.Fault("kickoffAt", err.Error()+jsonl.NotGiven(at))
		}
	case local != "":
		wall, dateOnly, err := times.ParseLocal(local)
		if err != nil {
			l.Fault("kickoffLocal", err.Error()+jsonl.NotGiven(local))
		} else if m.CompetitionID == "" {
			m.Kickoff, d.Value.DayOnly = wall, dateOnly
		} else {
			d.Value.KickoffLocal, d.Value.DayOnly = local, dateOnly
		}
	case !d.timed:
		l.Fault("kickoffAt", "is missing, and so is kickoffLocal")
	}
}

// claimEvents refuses an event's id that another event of the dataset has. Ids
// that are derived are unique among themselves and are compared within the match
// only.
func (r *reader) claimEvents(d *matchDraft) {
	var derived map[sport.ID]int
	events := d.Value.Base.Events
	for i, e := range events {
		if e.ID == "" {
			continue
		}
		if derived == nil {
			derived = map[sport.ID]int{}
			named := slices.Clone(events)
			parts.Complete(d.Key, sport.Halves(), named)
			for j := range events {
				if events[j].ID == "" && d.Key != "" {
					derived[named[j].ID] = j
				}
			}
		}
		field := fmt.Sprintf("events[%d].id", i)
		if j, taken := derived[e.ID]; taken {
			r.line.Faultf(field, "is the id of events[%d] already", j)
		} else if at := r.events.Claim(e.ID, r.line.Origin().Line); at != 0 {
			r.line.Faultf(field, "is the id of an event on line %d already", at)
		}
	}
}
