package statistics_test

import (
	"strings"
	"time"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// kickoff is the kickoff on day n of a season.
func kickoff(n int) time.Time { return time.Date(2025, 8, 1, 15, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

// played returns a finished match of the competition c.
func played(id, home string, homeGoals, awayGoals int, away string, day int) sport.Match {
	return sport.Match{
		ID: sport.ID(id), CompetitionID: "c", Season: 2025, Status: sport.Finished, Kickoff: kickoff(day),
		HomeTeamID: sport.ID(home), AwayTeamID: sport.ID(away),
		Score: &sport.Score{Home: homeGoals, Away: awayGoals},
	}
}

// squad lists players by name; a name that starts with "gk" is a goalkeeper.
func squad(starting, bench []string) sport.Squad {
	list := func(names []string) []sport.LineupEntry {
		var entries []sport.LineupEntry
		for _, n := range names {
			e := sport.LineupEntry{PlayerID: sport.ID(n)}
			if strings.HasPrefix(n, "gk") {
				e.Position = sport.Goalkeeper
			}
			entries = append(entries, e)
		}
		return entries
	}
	return sport.Squad{Starting: list(starting), Bench: list(bench)}
}

// substitution is a substitution of the home side.
func substitution(minute, extra int, out, in sport.ID) sport.Event {
	return sport.Event{
		Type: sport.EventSubstitution, Minute: minute, ExtraMinute: extra, Side: sport.SideHome, PlayerOutID: out, PlayerInID: in,
	}
}

func card(detail sport.EventDetail, minute int, side sport.Side, player sport.ID) sport.Event {
	return sport.Event{Type: sport.EventCard, Detail: detail, Minute: minute, Side: side, PlayerID: player}
}

func goal(detail sport.EventDetail, minute int, side sport.Side, player, assist sport.ID) sport.Event {
	return sport.Event{
		Type: sport.EventGoal, Detail: detail, Minute: minute, Side: side, PlayerID: player, AssistID: assist,
	}
}

// byName is the name key of players and teams whose ids are their names.
func byName(id sport.ID) []byte { return []byte(id) }

func contributions(matches []sport.Match) []statistics.Contribution {
	var all []statistics.Contribution
	for _, m := range matches {
		all = append(all, statistics.ContributionOf(m, sport.Halves()))
	}
	return all
}

// performance is that of a player; none: the zero one.
func performance(m sport.Match, player sport.ID) (found statistics.Performance) {
	for _, p := range statistics.Performances(m, sport.Halves()) {
		if p.PlayerID == player {
			found = p
		}
	}
	return found
}

// shuffled returns all, in an order that keys determine.
func shuffled[T any](all []T, keys []int) []T {
	out := make([]T, len(all))
	copy(out, all)
	for i := range out {
		j := keys[i%len(keys)] % len(out)
		out[i], out[j] = out[j], out[i]
	}
	return out
}
