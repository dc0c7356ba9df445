package standings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/standings"
	"touchline/shared/statistics"
)

// teams makes entries whose id, name and name key are the same word.
func teams(names ...string) []standings.TeamEntry {
	entries := make([]standings.TeamEntry, len(names))
	for i, name := range names {
		entries[i] = standings.TeamEntry{ID: sport.ID(name), NameKey: []byte(name)}
	}
	return entries
}

// cardPoints are the fair play points of a match by its events.
func cardPoints(m *sport.Match) (home, away int) {
	c := statistics.ContributionOf(*m, sport.Halves())
	return statistics.FairPlayPoints(c.Home.Cards), statistics.FairPlayPoints(c.Away.Cards)
}

// inGroup puts entries into a group.
func inGroup(group sport.ID, entries []standings.TeamEntry) []standings.TeamEntry {
	for i := range entries {
		entries[i].GroupID = group
	}
	return entries
}

// played makes finished matches of lines like "ajax 2-1 feyenoord" or, in a
// group, "ajax 2-1 feyenoord @a".
func played(t testing.TB, lines ...string) []sport.Match {
	t.Helper()
	var matches []sport.Match
	for i, text := range lines {
		m := sport.Match{
			ID:     sport.ID(fmt.Sprintf("m%03d", i+1)),
			Status: sport.Finished,
			Score:  &sport.Score{},
		}
		line, group, _ := strings.Cut(text, " @")
		m.GroupID = sport.ID(group)
		n, err := fmt.Sscanf(line, "%s %d-%d %s", &m.HomeTeamID, &m.Score.Home, &m.Score.Away, &m.AwayTeamID)
		if err != nil || n != 4 {
			t.Fatalf("match %q: %v", text, err)
		}
		matches = append(matches, m)
	}
	return matches
}

func headToHead(criteria ...sport.TieBreaker) sport.TieBreaker {
	return sport.HeadToHead(sport.Block{Criteria: criteria})
}

func headToHeadOnce(criteria ...sport.TieBreaker) sport.TieBreaker {
	return sport.HeadToHead(sport.Block{Once: true, Criteria: criteria})
}

// whenPlayed is a block that waits (D67).
func whenPlayed(criteria ...sport.TieBreaker) sport.TieBreaker {
	return sport.HeadToHead(sport.Block{AllPlayed: true, Criteria: criteria})
}

func rules(criteria ...sport.TieBreaker) sport.Rules {
	if len(criteria) == 0 {
		criteria = sport.DefaultTieBreakers()
	}
	return sport.Rules{Win: 3, Draw: 1, TieBreakers: criteria}
}

// ranking is the table in brief: each row as "rank team".
func ranking(rows []standings.Row) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = fmt.Sprintf("%d %s", r.Rank, r.TeamID)
	}
	return out
}

func join[T any](parts ...[]T) []T { return slices.Concat(parts...) }

// entered are the teams that play in matches, in the order in which they appear.
func entered(matches []sport.Match) []standings.TeamEntry {
	var names []string
	seen := map[sport.ID]bool{}
	for _, m := range matches {
		for _, id := range []sport.ID{m.HomeTeamID, m.AwayTeamID} {
			if !seen[id] {
				seen[id] = true
				names = append(names, string(id))
			}
		}
	}
	return teams(names...)
}

// explained is a table as "team points", and behind each team what put it above
// the next.
func explained(rows []standings.Row, decisions []standings.Decision) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = fmt.Sprintf("%s %d", r.TeamID, r.Points)
		d := decisions[i]
		if d.By == "" {
			continue
		}
		out[i] += ": " + string(d.By)
		if d.By != sport.ByName {
			out[i] += fmt.Sprintf(" %v, %v", d.Above, d.Below)
		}
		if d.HeadToHead > 0 {
			out[i] += fmt.Sprintf(" among %d", d.HeadToHead)
		}
	}
	return out
}
