package dataset

import (
	"fmt"
	"strconv"

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
var matchFields = []field[matchDraft]{
	{"id", identifying, func(l *line, d *matchDraft) { d.ID, d.Key = l.id(sport.KindMatch) }},
	{"competitionId", optional, func(l *line, d *matchDraft) { d.Value.Base.CompetitionID = l.ref(sport.KindCompetition) }},
	{"season", optional, func(l *line, d *matchDraft) { d.Value.Base.Season = l.season() }},
	{"status", required, func(l *line, d *matchDraft) { d.Value.Base.Status = enum(l, matchStatuses) }},
	{"kickoffAt", optional, func(l *line, d *matchDraft) { d.timed, d.kickoffAt = true, l.text(maxName) }},
	{"kickoffLocal", optional, func(l *line, d *matchDraft) { d.timed, d.kickoffLocal = true, l.text(maxName) }},
	{"homeTeamId", required, func(l *line, d *matchDraft) { d.Value.Base.HomeTeamID = l.ref(sport.KindTeam) }},
	{"awayTeamId", required, func(l *line, d *matchDraft) { d.Value.Base.AwayTeamID = l.ref(sport.KindTeam) }},
	{"score", optional, func(l *line, d *matchDraft) { d.Value.Base.Score = readScore(l) }},
	{"penalties", optional, func(l *line, d *matchDraft) { d.Value.Base.Penalties = readScore(l) }},
	{"extraTime", optional, func(l *line, d *matchDraft) { d.Value.Base.ExtraTime = l.truth() }},
	{"leg", optional, func(l *line, d *matchDraft) { d.Value.Base.Leg = l.integer(1, 2) }},
	{"twoLegs", optional, func(l *line, d *matchDraft) { d.Value.Base.TwoLegs = l.truth() }},
	{"winner", optional, func(l *line, d *matchDraft) { d.Value.Base.Winner = enum(l, winners) }},
	{"round", optional, func(l *line, d *matchDraft) { d.Value.Base.Round = l.count() }},
	{"group", optional, func(l *line, d *matchDraft) { d.Value.Base.GroupID = l.ref(sport.KindGroup) }},
	{"visibility", optional, func(l *line, d *matchDraft) { d.Value.Base.Visibility = enum(l, visibilities) }},
	{"lineups", optional, func(l *line, d *matchDraft) { d.Value.Base.Lineups = readLineups(l) }},
	{"events", optional, func(l *line, d *matchDraft) { d.Value.Base.Events = readEvents(l) }},
	{"statistics", optional, func(l *line, d *matchDraft) { d.Value.Base.Statistics = readStatistics(l) }},
	{"deleted", deletion, func(l *line, d *matchDraft) { d.Deleted = l.truth() }},
}

var scoreFields = []field[sport.Score]{
	{"home", required, func(l *line, s *sport.Score) { s.Home = l.goals() }},
	{"away", required, func(l *line, s *sport.Score) { s.Away = l.goals() }},
}

func readScore(l *line) *sport.Score {
	s := &sport.Score{}
	object(l, scoreFields, s)
	return s
}

func readMatch(r *reader) {
	l := &r.line
	d := &matchDraft{Record: Record[Match]{Origin: l.origin}}
	d.Value.Base.Visibility = sport.Public
	record(l, matchFields, d, &d.Deleted)
	if d.Deleted {
		d.Value = Match{}
	} else if !l.broken {
		checkMatch(l, d)
		r.claimEvents(d)
	}
	d.Value.Base.ID, d.Value.key = d.ID, d.Key
	who := identity{kind: matches, id: binaryOf(d.ID)}
	r.claim(who, sport.KindMatch, d.ID)
	rec := d.Record
	if l.faults == 0 {
		rec.Value.pack(r.set.words)
	}
	enter(r, &r.set.Matches, &rec, who)
}

// checkMatch judges what one field alone does not show, and derives the kick-off
// and the winner (D44). A winner none is one that is not given.
func checkMatch(l *line, d *matchDraft) {
	m := &d.Value.Base
	if m.HomeTeamID != "" && m.HomeTeamID == m.AwayTeamID {
		l.fault("awayTeamId", "is the home team")
	}
	if m.GroupID != "" && m.CompetitionID == "" && l.faults == 0 {
		l.fault("group", "needs a competitionId")
	}
	if m.Status == sport.Finished && m.Score == nil {
		l.fault("score", "is missing, but the match is finished")
	}
	checkKickoff(l, d)
	if m.Status == sport.Upcoming {
		checkUpcoming(l, m)
	}
	checkGoals(l, m)
	if m.Winner == sport.WinnerNone {
		m.Winner = ""
	}
	m.Winner = standings.MatchWinner(m.Status, m.Score, m.Penalties, m.Winner)
}

// checkUpcoming refuses what a match that has not begun cannot have (D50). What
// answers say of it anyway, 0:0 and no winner, may be given.
func checkUpcoming(l *line, m *sport.Match) {
	const message = "must be left out: the match is upcoming"
	if m.Score != nil && *m.Score != (sport.Score{}) {
		l.fault("score", message)
	}
	if m.Penalties != nil {
		l.fault("penalties", message)
	}
	if len(m.Events) > 0 {
		l.fault("events", message)
	}
	if m.Winner != "" && m.Winner != sport.WinnerNone {
		l.fault("winner", message)
	}
	m.Score = nil
}

// checkGoals warns of goals that do not add up to the score (D51). Without any
// goal among the events there is nothing to add up: they are not recorded.
func checkGoals(l *line, m *sport.Match) {
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
		l.warn("events", fmt.Sprintf("the goals add up to %d:%d, but the score is %d:%d", goals.Home, goals.Away, m.Score.Home, m.Score.Away))
	}
}

func checkKickoff(l *line, d *matchDraft) {
	m := &d.Value.Base
	var err error
	switch at, local := d.kickoffAt, d.kickoffLocal; {
	case at != "" && local != "":
		l.fault("kickoffLocal", "cannot stand beside kickoffAt")
	case at != "":
		if m.Kickoff, err = parseInstant(at); err != nil {
			l.fault("kickoffAt", err.Error()+notGiven(at))
		}
	case local != "":
		st, err := parseLocal(local)
		if err != nil {
			l.fault("kickoffLocal", err.Error()+notGiven(local))
		} else if m.CompetitionID == "" {
			m.Kickoff, d.Value.dayOnly = st.wall, st.dateOnly
		} else {
			d.Value.KickoffLocal, d.Value.dayOnly = local, st.dateOnly
		}
	case !d.timed:
		l.fault("kickoffAt", "is missing, and so is kickoffLocal")
	}
}

// eventID is the id of an event that gives none: that of the key `<the match's
// id as given>/<its order>` (dataset.md). Order counts from 1.
func eventID(matchKey string, order int) sport.ID {
	return sport.IDFor(sport.KindEvent, matchKey+"/"+strconv.Itoa(order))
}

// nameEvents fills in the ids of events that have none.
func nameEvents(matchKey string, events []sport.Event) {
	for i := range events {
		if events[i].ID == "" {
			events[i].ID = eventID(matchKey, i+1)
		}
	}
}

// claimEvents refuses an event's id that another event of the dataset has. Ids
// that are derived are unique among themselves and are compared within the match
// only.
func (r *reader) claimEvents(d *matchDraft) {
	var derived map[sport.ID]int
	for i, e := range d.Value.Base.Events {
		if e.ID == "" {
			continue
		}
		if derived == nil {
			derived = map[sport.ID]int{}
			for j, other := range d.Value.Base.Events {
				if other.ID == "" && d.Key != "" {
					derived[eventID(d.Key, j+1)] = j
				}
			}
		}
		field := fmt.Sprintf("events[%d].id", i)
		if j, taken := derived[e.ID]; taken {
			r.line.faultf(field, "is the id of events[%d] already", j)
		} else if at, taken := r.events[binaryOf(e.ID)]; taken {
			r.line.faultf(field, "is the id of an event on line %d already", at)
		} else {
			r.events[binaryOf(e.ID)] = int32(r.line.origin.Line) //nolint:gosec // lines are counted in millions
		}
	}
}
