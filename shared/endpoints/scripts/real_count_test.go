package scripts

import "slices"

// figures are a player's or a team's numbers, by the names of the answers.
type figures struct {
	Goals, PenaltyGoals, OwnGoals, Assists int
	Appearances, Starts, Minutes           int
	SubstitutedIn, SubstitutedOut          int
	Yellow, SecondYellow, Red              int
}

func (f figures) cards() int { return f.Yellow + f.SecondYellow + f.Red }

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

// table adds up the finished matches among teams; points holds what they start
// with.
func table(teams []rawTeam, matches []rawMatch, points bool) map[string]row {
	rows := map[string]row{}
	for _, t := range teams {
		r := row{team: t.ID}
		if points {
			r.points = t.StartingPoints
		}
		rows[t.ID] = r
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

// levels orders teams by criteria: each level holds those that nothing but their
// names tells apart. Head to head is the table of those level so far.
func levels(teams []rawTeam, matches []rawMatch, criteria []string) [][]string {
	return partition(teams, table(teams, matches, true), matches, criteria)
}

func partition(teams []rawTeam, whole map[string]row, matches []rawMatch, criteria []string) [][]string {
	if len(criteria) == 0 || len(teams) < 2 {
		var level []string
		for _, t := range teams {
			level = append(level, t.ID)
		}
		return [][]string{level}
	}
	among := table(teams, matches, false)
	by := map[int][]rawTeam{}
	for _, t := range teams {
		all, own := whole[t.ID], among[t.ID]
		value := map[string]int{
			"points": all.points, "goalDiff": all.scored - all.conceded, "goalsFor": all.scored, "won": all.won, "seed": t.Seed,
			"headToHeadPoints": own.points, "headToHeadGoalDiff": own.scored - own.conceded,
		}[criteria[0]]
		by[value] = append(by[value], t)
	}
	var values []int
	for v := range by {
		values = append(values, v)
	}
	slices.Sort(values)
	slices.Reverse(values)
	var found [][]string
	for _, v := range values {
		found = append(found, partition(by[v], whole, matches, criteria[1:])...)
	}
	return found
}

// The order of tables: of Austria, where seed says who lost half a point when
// points were halved, and where a competition names none (D28).
func austrian() []string {
	return []string{"points", "seed", "headToHeadPoints", "headToHeadGoalDiff", "goalDiff", "goalsFor", "won"}
}

func ordinary() []string {
	return []string{"points", "goalDiff", "goalsFor", "headToHeadPoints", "headToHeadGoalDiff", "won"}
}
