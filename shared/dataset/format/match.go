package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/details"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/results"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// matchDraft is a match while its line is read.
type matchDraft struct {
	dataset.Record[dataset.Match]
	kickoffAt, kickoffLocal *string // nil: not given; empty: wrong
	zone                    string  // of kickoffLocal; empty: the competition's
	sets                    []sport.Score
}

// matchFields is the record of matches.ndjson.
var matchFields = []jsonl.Field[matchDraft]{
	jsonl.ID("id", sport.KindMatch, func(d *matchDraft) (*sport.ID, *string) { return &d.ID, &d.Key }),
	jsonl.Optional("competitionId", jsonl.Ref(sport.KindCompetition), func(d *matchDraft) *sport.ID { return &d.Value.Base.CompetitionID }),
	jsonl.Optional("season", season, func(d *matchDraft) *int { return &d.Value.Base.Season }),
	jsonl.Required("status", jsonl.OneOf(sport.MatchStatuses()), func(d *matchDraft) *sport.MatchStatus { return &d.Value.Base.Status }),
	jsonl.Optional("kickoffAt", jsonl.Pointer(jsonl.Text(jsonl.MaxName)), func(d *matchDraft) **string { return &d.kickoffAt }),
	jsonl.Optional("kickoffLocal", jsonl.Pointer(jsonl.Text(jsonl.MaxName)), func(d *matchDraft) **string { return &d.kickoffLocal }),
	jsonl.Optional("timezone", jsonl.Text(jsonl.MaxName), func(d *matchDraft) *string { return &d.zone }),
	jsonl.Optional("kickoffTimeOpen", jsonl.Bool(), func(d *matchDraft) *bool { return &d.Value.Base.KickoffTimeOpen }),
	jsonl.Required("homeTeamId", jsonl.Ref(sport.KindTeam), func(d *matchDraft) *sport.ID { return &d.Value.Base.HomeTeamID }),
	jsonl.Required("awayTeamId", jsonl.Ref(sport.KindTeam), func(d *matchDraft) *sport.ID { return &d.Value.Base.AwayTeamID }),
	jsonl.Optional("score", score, func(d *matchDraft) **sport.Score { return &d.Value.Base.Score }),
	jsonl.Optional("penalties", score, func(d *matchDraft) **sport.Score { return &d.Value.Base.Penalties }),
	jsonl.Optional("extraTime", jsonl.Bool(), func(d *matchDraft) *bool { return &d.Value.Base.ExtraTime }),
	jsonl.Optional("leg", jsonl.Integer(1, rules.MaxBestOf), func(d *matchDraft) *int { return &d.Value.Base.Leg }),
	jsonl.Optional("twoLegs", jsonl.Bool(), func(d *matchDraft) *bool { return &d.Value.Base.TwoLegs }),
	jsonl.Optional("winner", jsonl.OneOf(sport.Winners()), func(d *matchDraft) *sport.Winner { return &d.Value.Base.Winner }),
	jsonl.Optional("points", points, func(d *matchDraft) **sport.Score { return &d.Value.Base.Points }),
	jsonl.Optional("setPoints", score, func(d *matchDraft) **sport.Score { return &d.Value.Base.SetPoints }),
	jsonl.Optional("sets", sets, func(d *matchDraft) *[]sport.Score { return &d.sets }),
	jsonl.Optional("tieWinner", jsonl.OneOf(sport.Sides()), func(d *matchDraft) *sport.Side { return &d.Value.Base.TieWinner }),
	jsonl.Optional("round", jsonl.Count(), func(d *matchDraft) *int { return &d.Value.Base.Round }),
	jsonl.Optional("group", jsonl.Ref(sport.KindGroup), func(d *matchDraft) *sport.ID { return &d.Value.Base.GroupID }),
	jsonl.Optional("visibility", visibility, func(d *matchDraft) *sport.Visibility { return &d.Value.Base.Visibility }),
	jsonl.Optional("lineups", details.Lineups, func(d *matchDraft) **sport.Lineups { return &d.Value.Base.Lineups }),
	jsonl.Optional("events", details.Events, func(d *matchDraft) *[]sport.Event { return &d.Value.Base.Events }),
	jsonl.Optional("statistics", details.Statistics, func(d *matchDraft) **sport.MatchStatistics { return &d.Value.Base.Statistics }),
	jsonl.Deletion("deleted", func(d *matchDraft) *bool { return &d.Deleted }),
	jsonl.Deletion("erase", func(d *matchDraft) *bool { return &d.Erased }),
}

// The points given for a match may be below 0.
var (
	score  = pair(0, rules.MaxGoals)
	points = pair(-rules.MaxPoints, rules.MaxPoints)
)

// pair is a number of each side.
func pair(least, most int) jsonl.Value[*sport.Score] {
	return jsonl.Pointer(jsonl.Struct(sides(least, most)))
}

func sides(least, most int) []jsonl.Field[sport.Score] {
	return []jsonl.Field[sport.Score]{
		jsonl.Required("home", jsonl.Integer(least, most), func(s *sport.Score) *int { return &s.Home }),
		jsonl.Required("away", jsonl.Integer(least, most), func(s *sport.Score) *int { return &s.Away }),
	}
}

// sets are those of a match in their order, each an object, or a text such as 25:23.
var sets = jsonl.ListOf(rules.MaxSets, jsonl.Value[sport.Score]{Read: readSet, Append: jsonl.Struct(set).Append}, nil).AsOneCell()

var set = sides(0, rules.MaxGoals)

func readSet(l *jsonl.Line) (s sport.Score) {
	if l.AtObject() {
		jsonl.ReadObject(l, set, &s)
		return s
	}
	before := l.Faults()
	text := l.Text(jsonl.MaxName)
	home, away, _ := strings.Cut(text, ":")
	h, err := strconv.Atoi(home)
	a, wrong := strconv.Atoi(away)
	if err != nil || wrong != nil || min(h, a) < 0 || max(h, a) > rules.MaxGoals {
		if l.Faults() == before {
			l.Fault("", "must be the points of a set, such as 25:23"+jsonl.NotGiven(text))
		}
		return s
	}
	return sport.Score{Home: h, Away: a}
}

func readMatch(r *reader) {
	l := r.line
	d := &matchDraft{Record: dataset.Record[dataset.Match]{Origin: l.Origin()}}
	jsonl.ReadRecord(l, matchFields, d, &d.Deleted)
	if !d.Deleted && !l.Broken() {
		checkMatch(l, d, &r.zones)
		r.claimEvents(d)
	}
	rec := d.Record
	rec.Kept = r.kept("setPoints", "tieWinner", "group")
	if d.sets != nil { // with which nobody means the setPoints
		rec.Kept = append(rec.Kept, "setPoints")
	}
	if l.Faults() == 0 {
		rec.Value.Details = details.Pack(&rec.Value.Base)
	}
	enterID(r, &rec, &rec.Value.Base.ID)
}

// checkMatch checks what one field alone does not show, and derives the
// kick-off and the winner (D44). The winner "none" of a match that is not finished is
// the one that it has.
func checkMatch(l *jsonl.Line, d *matchDraft, zones *times.Zones) {
	m := &d.Value.Base
	if m.HomeTeamID != "" && m.HomeTeamID == m.AwayTeamID {
		l.Fault("awayTeamId", "is the home team")
	}
	if m.GroupID != "" && m.CompetitionID == "" && l.Faults() == 0 {
		l.Fault("group", "needs a competitionId")
	}
	if len(d.sets) > 0 && l.Faults() == 0 {
		results.Sets(l, m, d.sets)
	}
	if m.Status == sport.Finished && m.Score == nil && len(d.sets) == 0 {
		l.Fault("score", "is missing, but the match is finished")
	}
	checkKickoff(l, d, zones)
	if m.Status == sport.Upcoming {
		results.Upcoming(l, m)
	}
	if m.Status == sport.Postponed && m.Score != nil && *m.Score != (sport.Score{}) {
		l.Warnf("score", "is %d:%d, which counts nowhere while the match is postponed", m.Score.Home, m.Score.Away)
	}
	results.Goals(l, m)
	checkEqual(l, m)
	given := m.Winner
	m.Winner = m.WonBy(given)
	_, _, ruled := m.Ruling()
	m.WinnerGiven = m.Status == sport.Finished && (given == sport.WinnerHome || given == sport.WinnerAway) && !ruled
	results.Ruling(l, m)
}

// checkEqual warns of events of a live match that only their order tells apart: while
// more come, one may get the id of another (D58).
func checkEqual(l *jsonl.Line, m *sport.Match) {
	if m.Status != sport.Live {
		return
	}
	if first, second, ok := details.EqualEvents(m.Events); ok {
		l.Warnf("events", "events[%d] and events[%d] say the same and have no id: give them ids, so that each keeps its own", first, second)
	}
}

func checkKickoff(l *jsonl.Line, d *matchDraft, zones *times.Zones) {
	m := &d.Value.Base
	var err error
	var at, local string
	if d.kickoffAt != nil {
		at = *d.kickoffAt
	}
	if d.kickoffLocal != nil {
		local = *d.kickoffLocal
	}
	switch {
	case at != "" && local != "":
		l.Fault("kickoffLocal", "must not be given together with kickoffAt")
	case local == "" && d.zone != "":
		l.Fault("timezone", "is that of kickoffLocal, which is not given")
	case at != "":
		if m.Kickoff, err = times.ParseInstant(at); err != nil {
			l.Fault("kickoffAt", err.Error()+jsonl.NotGiven(at)+times.Advice(at))
		}
	case local != "":
		checkLocal(l, d, local, zones)
	case d.kickoffAt == nil && d.kickoffLocal == nil && m.Status == sport.Postponed:
		l.Fault("kickoffAt", "is missing, and so is kickoffLocal: a postponed match keeps the date that it had until it has a new one")
	case d.kickoffAt == nil && d.kickoffLocal == nil:
		l.Fault("kickoffAt", "is missing, and so is kickoffLocal")
	}
}

// checkLocal derives the kick-off from kickoffLocal in the match's own time zone. That of a
// competition may come later: then it stays as it is given.
func checkLocal(l *jsonl.Line, d *matchDraft, local string, zones *times.Zones) {
	m := &d.Value.Base
	_, dateOnly, err := times.ParseLocal(local)
	if err != nil {
		l.Fault("kickoffLocal", err.Error()+jsonl.NotGiven(local)+times.Advice(local))
		return
	}
	m.KickoffTimeOpen = m.KickoffTimeOpen || dateOnly
	if d.zone == "" {
		if m.CompetitionID != "" {
			d.Value.KickoffLocal = local
			return
		}
		if l.Faults() > 0 {
			return
		}
		l.Warnf("kickoffLocal", "is taken as UTC, because the match has no competition: give its timezone, UTC if that is meant")
	}
	if _, err := zones.Load(d.zone); err != nil {
		l.Fault("timezone", "must be an IANA time zone, such as Europe/Vienna"+jsonl.NotGiven(d.zone))
		return
	}
	kickoff, odd, err := zones.Kickoff(local, d.zone)
	switch {
	case err != nil:
		l.Fault("kickoffLocal", times.ErrLocal.Error()+jsonl.NotGiven(local))
	case odd != "":
		l.Warnf("kickoffLocal", "%s", odd)
	}
	m.Kickoff = kickoff
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
			details.Complete(d.Key, sport.Halves(), named)
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
