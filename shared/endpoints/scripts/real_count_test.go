package scripts

import "slices"

// figures are a player's or a team's numbers, by the names of the answers.
type figures struct {
	Goals, PenaltyGoals, OwnGoals, Assists int
	Appearances, Starts, Minutes           int
	SubstitutedIn, SubstitutedOut          int
	Yellow, SecondYellow, Red              int
}

// count adds up the finished matches for players by key.
func count(matches []rawMatch) map[string]*figures {
	found := map[string]*figures{}
	of := func(key string) *figures {
		if found[key] == nil {
			found[key] = &figures{}
		}
		return found[key]
	}
	for _, m := range matches {
		if m.Status != "finished" {
			continue
		}
		for _, e := range m.Events {
			countEvent(e, of)
		}
		countMinutes(m, of)
	}
	delete(found, "") // whom an event does not name
	return found
}

func countEvent(e rawEvent, of func(string) *figures) {
	switch e.Type + " " + e.Detail {
	case "goal ownGoal":
		of(e.PlayerID).OwnGoals++
	case "goal penalty":
		of(e.PlayerID).Goals++
		of(e.PlayerID).PenaltyGoals++
		of(e.AssistID).Assists++
	case "goal regular", "goal ":
		of(e.PlayerID).Goals++
		of(e.AssistID).Assists++
	case "card yellow":
		of(e.PlayerID).Yellow++
	case "card secondYellow":
		of(e.PlayerID).SecondYellow++
	case "card red":
		of(e.PlayerID).Red++
	}
}

// countMinutes counts who was on the pitch, and from when to when (D29, D42).
func countMinutes(m rawMatch, of func(string) *figures) {
	if m.Lineups == nil || !m.Lineups.Confirmed {
		return
	}
	end := 90
	if m.ExtraTime {
		end = 120
	}
	for _, squad := range []rawSquad{m.Lineups.Home, m.Lineups.Away} {
		for _, entry := range slices.Concat(squad.Starting, squad.Bench) {
			starts := slices.Contains(squad.Starting, entry)
			in, out := 0, -1
			if !starts {
				in = -1
			}
			for _, e := range m.Events {
				switch {
				case e.Type == "substitution" && e.PlayerInID == entry.PlayerID:
					in = e.Minute
					of(entry.PlayerID).SubstitutedIn++
				case e.Type == "substitution" && e.PlayerOutID == entry.PlayerID:
					out = e.Minute
					of(entry.PlayerID).SubstitutedOut++
				case e.Type == "card" && e.Detail != "yellow" && e.PlayerID == entry.PlayerID && out < 0 && in >= 0:
					out = e.Minute
				}
			}
			if in < 0 {
				continue // never on
			}
			if out < 0 {
				out = end
			}
			f := of(entry.PlayerID)
			f.Appearances++
			f.Minutes += out - in
			if starts {
				f.Starts++
			}
		}
	}
}

// row is a team's line in a table.
type row struct {
	team                                               string
	played, won, drawn, lost, scored, conceded, points int
}

// table adds up the finished matches among teams.
func table(teams []rawTeam, matches []rawMatch) map[string]row {
	rows := map[string]row{}
	for _, t := range teams {
		rows[t.ID] = row{team: t.ID, points: t.StartingPoints}
	}
	for _, m := range matches {
		home, in := rows[m.HomeTeamID]
		away, too := rows[m.AwayTeamID]
		if m.Status != "finished" || !in || !too {
			continue
		}
		rows[m.HomeTeamID] = home.with(m.Score.Home, m.Score.Away)
		rows[m.AwayTeamID] = away.with(m.Score.Away, m.Score.Home)
	}
	return rows
}

func (r row) with(scored, conceded int) row {
	r.played++
	r.scored += scored
	r.conceded += conceded
	switch {
	case scored > conceded:
		r.won++
		r.points += 3
	case scored == conceded:
		r.drawn++
		r.points++
	default:
		r.lost++
	}
	return r
}
