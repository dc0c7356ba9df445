package statistics

import (
	"cmp"
	"slices"
	"strings"

	"touchline/shared/sport"
)

// Outcome is the result of a match for a team, as a table counts it.
type Outcome string

// The outcomes, by the names of streak.type.
const (
	Win  Outcome = "win"
	Draw Outcome = "draw"
	Loss Outcome = "loss"
)

// Letter is how a form shows the outcome: W, D or L.
func (o Outcome) Letter() string {
	return strings.ToUpper(string(o)[:1])
}

// Record counts a team's matches: the fields of K (decisions.md, Bodies).
type Record struct {
	Played        int
	Won           int
	Drawn         int
	Lost          int
	GoalsFor      int
	GoalsAgainst  int
	Points        int // of its matches; startingPoints only count in the table
	CleanSheets   int // matches without a goal against
	FailedToScore int // matches without a goal for
}

// FormLength is the greatest number of matches in a form.
const FormLength = 5

// Team is the statistics of a team. Only finished matches count, friendlies
// included.
type Team struct {
	Overall Record
	Home    Record
	Away    Record
	Form    []Outcome // of the last FormLength matches, newest last
	Streak  *Streak   // nil: no matches
	// BiggestWin and BiggestLoss are the matches with the largest difference,
	// then with more goals for the winner, then the earliest, then the one with
	// the lower id; empty if none was won or lost. An equal result does not
	// replace an earlier one. A ruling (D59) is not one of them.
	BiggestWin   sport.ID
	BiggestLoss  sport.ID
	GoalsByBand  [Bands]Band
	Cards        Cards
	Competitions []TeamCompetition // by competition id and season, without friendlies
}

// Streak is the run of equal outcomes that the latest match belongs to.
type Streak struct {
	Type   Outcome
	Length int // at least 1
}

// Band counts the goals in 15 minutes, by events (D42, MinutesOf).
type Band struct{ For, Against int }

// TeamCompetition is a team's record in a competition's season.
type TeamCompetition struct {
	CompetitionID sport.ID
	Season        int
	Overall       Record
}

// TeamGame is a match of a team.
type TeamGame struct {
	// Match may have any status. The fields that are read are ID, CompetitionID,
	// Season, Kickoff, Status, the teams, Score, Penalties, ExtraTime, Winner and
	// Points.
	Match        sport.Match
	Rules        sport.Rules  // of its competition; friendlies always count 3, 1, 0
	Contribution Contribution // zero if the match has no details
}

// OfTeam computes a team's statistics from those of its matches that are
// visible. Matches of other teams do not count.
func OfTeam(team sport.ID, games []TeamGame) Team {
	played := resultsOf(team, games)
	t := Team{Form: []Outcome{}}
	for _, r := range played {
		t.add(r)
		t.Form = append(t.Form, r.outcome())
	}
	t.Streak = streak(t.Form)
	t.Form = t.Form[max(0, len(t.Form)-FormLength):]
	t.BiggestWin = biggest(played, Win)
	t.BiggestLoss = biggest(played, Loss)
	t.Competitions = byCompetition(played)
	return t
}

// result is a match that counts, from the point of view of the team.
type result struct {
	game       *TeamGame
	worth      sport.Result // by its competition's rules, of a friendly by the default ones (D28)
	home       bool
	goals      int // for
	against    int
	own, other *SideContribution
}

// resultsOf returns the team's results, oldest first.
func resultsOf(team sport.ID, games []TeamGame) []result {
	var played []result
	for i := range games {
		g := &games[i]
		m, c := &g.Match, &g.Contribution
		if !scored(*m) || m.HomeTeamID != team && m.AwayTeamID != team {
			continue
		}
		rules := g.Rules
		if m.CompetitionID == "" {
			rules = sport.Rules{Win: 3, Draw: 1, Loss: 0}
		}
		home, away := rules.Results(m)
		if m.HomeTeamID == team {
			played = append(played, result{g, home, true, m.Score.Home, m.Score.Away, &c.Home, &c.Away})
		} else {
			played = append(played, result{g, away, false, m.Score.Away, m.Score.Home, &c.Away, &c.Home})
		}
	}
	slices.SortFunc(played, func(a, b result) int { return a.moment().compare(b.moment()) })
	return played
}

func (r result) moment() moment { return momentOf(&r.game.Match) }

func (r result) outcome() Outcome {
	switch {
	case r.worth.Lead > 0:
		return Win
	case r.worth.Lead == 0:
		return Draw
	}
	return Loss
}

func (t *Team) add(r result) {
	t.Overall.add(r)
	if r.home {
		t.Home.add(r)
	} else {
		t.Away.add(r)
	}
	for i := range t.GoalsByBand {
		t.GoalsByBand[i].For += r.own.Goals[i]
		t.GoalsByBand[i].Against += r.other.Goals[i]
	}
	t.Cards.add(r.own.Cards)
}

func (k *Record) add(r result) {
	k.Played++
	k.Won += one(r.outcome() == Win)
	k.Drawn += one(r.outcome() == Draw)
	k.Lost += one(r.outcome() == Loss)
	k.GoalsFor += r.goals
	k.GoalsAgainst += r.against
	k.Points += r.worth.Points
	k.CleanSheets += one(r.against == 0)
	k.FailedToScore += one(r.goals == 0)
}

// streak is the run that the last of some outcomes belongs to.
func streak(outcomes []Outcome) *Streak {
	var s *Streak
	for _, o := range outcomes {
		if s == nil || s.Type != o {
			s = &Streak{Type: o}
		}
		s.Length++
	}
	return s
}

// biggest is the match with the clearest result of an outcome.
func biggest(played []result, outcome Outcome) sport.ID {
	var best *sport.Match
	for _, r := range played {
		if r.outcome() == outcome && r.goals != r.against && asPlayed(&r.game.Match) && (best == nil || clearer(&r.game.Match, best)) {
			best = &r.game.Match
		}
	}
	return idOf(best)
}

// clearer reports whether match a was won more clearly than b: by difference,
// then by goals of the winner, then by the earlier kickoff, then by id.
func clearer(a, b *sport.Match) bool {
	margin := func(m *sport.Match) int { return max(m.Score.Home, m.Score.Away) - min(m.Score.Home, m.Score.Away) }
	return cmp.Or(
		cmp.Compare(margin(a), margin(b)),
		cmp.Compare(max(a.Score.Home, a.Score.Away), max(b.Score.Home, b.Score.Away)),
		momentOf(b).compare(momentOf(a)),
	) > 0
}

// idOf is the id of a match, empty for nil.
func idOf(m *sport.Match) sport.ID {
	if m == nil {
		return ""
	}
	return m.ID
}

func byCompetition(played []result) []TeamCompetition {
	rows := []TeamCompetition{}
	for _, r := range played {
		m := r.game.Match
		if m.CompetitionID == "" {
			continue
		}
		at := slices.IndexFunc(rows, func(row TeamCompetition) bool {
			return row.CompetitionID == m.CompetitionID && row.Season == m.Season
		})
		if at < 0 {
			at = len(rows)
			rows = append(rows, TeamCompetition{CompetitionID: m.CompetitionID, Season: m.Season})
		}
		rows[at].Overall.add(r)
	}
	slices.SortFunc(rows, func(a, b TeamCompetition) int {
		return cmp.Or(cmp.Compare(a.CompetitionID, b.CompetitionID), cmp.Compare(a.Season, b.Season))
	})
	return rows
}
