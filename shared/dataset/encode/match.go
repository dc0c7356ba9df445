package encode

import (
	"touchline/shared/dataset"
	"touchline/shared/dataset/parts"
	"touchline/shared/sport"
)

// match writes a match.
func (w *writer) match(m *dataset.Match) {
	full := m.Full()
	w.ref("competitionId", full.CompetitionID)
	w.number("season", full.Season)
	w.string("status", string(full.Status))
	if m.KickoffLocal != "" {
		w.string("kickoffLocal", m.KickoffLocal)
	} else {
		w.time("kickoffAt", full.Kickoff)
	}
	w.id("homeTeamId", full.HomeTeamID)
	w.id("awayTeamId", full.AwayTeamID)
	w.score("score", full.Score)
	w.score("penalties", full.Penalties)
	w.truth("extraTime", full.ExtraTime)
	w.number("leg", full.Leg)
	w.truth("twoLegs", full.TwoLegs)
	w.text("winner", string(full.Winner), "")
	w.score("points", full.Points)
	w.score("setPoints", full.SetPoints)
	w.text("tieWinner", string(full.TieWinner), "")
	w.number("round", full.Round)
	w.ref("group", full.GroupID)
	w.text("visibility", string(full.Visibility), string(sport.Public))
	if full.Lineups != nil {
		w.object("lineups", func() {
			w.bool("confirmed", full.Lineups.Confirmed)
			w.squad("home", full.Lineups.Home)
			w.squad("away", full.Lineups.Away)
		})
	}
	if len(full.Events) > 0 {
		w.list("events", len(full.Events), func(i int) {
			w.braces(func() { w.event(full.Events[i]) })
		})
	}
	if full.Statistics != nil {
		w.statistics(full.Statistics)
	}
}

func (w *writer) score(name string, s *sport.Score) {
	if s != nil {
		w.object(name, func() {
			w.int("home", s.Home)
			w.int("away", s.Away)
		})
	}
}

func (w *writer) squad(name string, s sport.Squad) {
	w.object(name, func() {
		w.text("formation", s.Formation, "")
		w.text("coach", s.Coach, "")
		w.entries("starting", s.Starting)
		w.entries("bench", s.Bench)
	})
}

func (w *writer) entries(name string, entries []sport.LineupEntry) {
	w.list(name, len(entries), func(i int) {
		e := entries[i]
		w.braces(func() {
			w.nullable("playerId", e.PlayerID)
			w.number("number", e.Number)
			w.truth("captain", e.Captain)
			w.text("position", string(e.Position), "")
			w.text("grid", e.Grid, "")
		})
	})
}

func (w *writer) event(e sport.Event) {
	w.ref("id", e.ID)
	w.string("type", string(e.Type))
	w.text("detail", string(e.Detail), "")
	w.text("period", string(e.Period), "")
	w.int("minute", e.Minute)
	w.number("extraMinute", e.ExtraMinute)
	w.number("minutes", e.Minutes)
	w.text("side", string(e.Side), "")
	w.ref("playerId", e.PlayerID)
	w.ref("assistId", e.AssistID)
	w.ref("playerInId", e.PlayerInID)
	w.ref("playerOutId", e.PlayerOutID)
}

func (w *writer) statistics(v *sport.MatchStatistics) {
	w.object("statistics", func() {
		w.figures("home", &v.Home)
		w.figures("away", &v.Away)
		if len(v.Periods) == 0 {
			return
		}
		w.list("periods", len(v.Periods), func(i int) {
			w.braces(func() {
				w.string("period", string(v.Periods[i].Period))
				w.figures("home", &v.Periods[i].Home)
				w.figures("away", &v.Periods[i].Away)
			})
		})
	})
}

func (w *writer) figures(name string, v *sport.StatLine) {
	w.object(name, func() {
		for _, f := range parts.Figures() {
			if n := *f.Of(v); n != nil {
				w.int(f.Name, *n)
			}
		}
	})
}
