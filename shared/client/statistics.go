package client

// CompetitionStatistics are a competition's season in numbers.
type CompetitionStatistics struct {
	Competition    Competition `json:"competition"`
	Coverage       Coverage    `json:"coverage"`
	Totals         Totals      `json:"totals"`
	Results        Results     `json:"results"`
	Averages       Averages    `json:"averages"`
	BiggestWin     *Match      `json:"biggestWin"`
	HighestScoring *Match      `json:"highestScoring"`
	Leaders        Leaders     `json:"leaders"`
}

// Coverage says which data is available.
type Coverage struct {
	Lineups         bool `json:"lineups"`
	Events          bool `json:"events"`
	Assists         bool `json:"assists"`
	MatchStatistics bool `json:"matchStatistics"`
}

// Totals of a competition's season. Goals are those of finished matches' scores
// (D42).
type Totals struct {
	Teams             int `json:"teams"`
	Players           int `json:"players"`
	Matches           int `json:"matches"`
	Finished          int `json:"finished"`
	Upcoming          int `json:"upcoming"`
	Live              int `json:"live"`
	Postponed         int `json:"postponed"`
	Goals             int `json:"goals"`
	PenaltyGoals      int `json:"penaltyGoals"`
	OwnGoals          int `json:"ownGoals"`
	YellowCards       int `json:"yellowCards"`
	SecondYellowCards int `json:"secondYellowCards"`
	RedCards          int `json:"redCards"`
}

// Results of finished matches.
type Results struct {
	HomeWins int `json:"homeWins"`
	Draws    int `json:"draws"`
	AwayWins int `json:"awayWins"`
}

// Averages have two decimals; nil: there are no matches.
type Averages struct {
	GoalsPerMatch *float64 `json:"goalsPerMatch"`
	CardsPerMatch *float64 `json:"cardsPerMatch"`
}

// Leaders are the first five of each ranking.
type Leaders struct {
	Goals       []Leader `json:"goals"`
	Assists     []Leader `json:"assists"`
	Appearances []Leader `json:"appearances"`
	Cards       []Leader `json:"cards"`
}

// Leader is a row of a ranking.
type Leader struct {
	Rank   int    `json:"rank"`
	Player Person `json:"player"`
	Team   Team   `json:"team"`
	Value  int    `json:"value"`
}

// TopScorer is an item of a tournament's top scorers.
type TopScorer struct {
	Leader
	Goals        int `json:"goals"`
	PenaltyGoals int `json:"penaltyGoals"`
	Assists      int `json:"assists"`
	Appearances  int `json:"appearances"`
}

// id includes the team: a player who changed teams may have a row for each
// (D41).
// PlayerCards is an item of a tournament's cards by player.
type PlayerCards struct {
	Rank         int    `json:"rank"`
	Player       Person `json:"player"`
	Team         Team   `json:"team"`
	Yellow       int    `json:"yellow"`
	SecondYellow int    `json:"secondYellow"`
	Red          int    `json:"red"` // direct ones (D27)
	Total        int    `json:"total"`
	Appearances  int    `json:"appearances"`
}

// TeamCards is an item of a tournament's cards by team.
type TeamCards struct {
	Rank           int  `json:"rank"`
	Team           Team `json:"team"`
	Yellow         int  `json:"yellow"`
	SecondYellow   int  `json:"secondYellow"`
	Red            int  `json:"red"` // direct ones (D27)
	Total          int  `json:"total"`
	Played         int  `json:"played"`
	FairPlayPoints int  `json:"fairPlayPoints"` // at most 0
}

// TeamStatistics are a team in numbers.
type TeamStatistics struct {
	Team          Team                `json:"team"`
	Season        *int                `json:"season"` // the one asked for (D39)
	Overall       Record              `json:"overall"`
	Home          Record              `json:"home"`
	Away          Record              `json:"away"`
	Form          []string            `json:"form"` // up to five of W, D, L, newest last
	Streak        *Streak             `json:"streak"`
	BiggestWin    *Match              `json:"biggestWin"`
	BiggestLoss   *Match              `json:"biggestLoss"`
	GoalsByMinute []MinuteBand        `json:"goalsByMinute"` // six of 15 minutes
	Cards         CardCounts          `json:"cards"`
	Competitions  []CompetitionRecord `json:"competitions"`
}

// Record counts results.
type Record struct {
	Played        int `json:"played"`
	Won           int `json:"won"`
	Drawn         int `json:"drawn"`
	Lost          int `json:"lost"`
	GoalsFor      int `json:"goalsFor"`
	GoalsAgainst  int `json:"goalsAgainst"`
	GoalDiff      int `json:"goalDiff"`
	Points        int `json:"points"`
	CleanSheets   int `json:"cleanSheets"`
	FailedToScore int `json:"failedToScore"`
}

// Streak is how many of the latest matches had the same outcome.
type Streak struct {
	Type   string `json:"type"` // win, draw or loss
	Length int    `json:"length"`
}

// MinuteBand counts the goals of some minutes, both inclusive.
type MinuteBand struct {
	From    int `json:"from"`
	To      int `json:"to"`
	For     int `json:"for"`
	Against int `json:"against"`
}

// CardCounts counts cards.
type CardCounts struct {
	Yellow       int `json:"yellow"`
	SecondYellow int `json:"secondYellow"`
	Red          int `json:"red"` // direct ones (D27)
}

// CompetitionRecord is a team's record in one competition.
type CompetitionRecord struct {
	Competition Competition `json:"competition"`
	Overall     Record      `json:"overall"`
}

// PlayerStatistics are a player in numbers.
type PlayerStatistics struct {
	Player       Person            `json:"player"`
	Season       *int              `json:"season"` // the one asked for (D39)
	Totals       PlayerCounts      `json:"totals"`
	Competitions []CompetitionPart `json:"competitions"`
}

// PlayerCounts counts what a player did.
type PlayerCounts struct {
	Appearances    int  `json:"appearances"`
	Starts         int  `json:"starts"`
	SubstitutedIn  int  `json:"substitutedIn"`
	SubstitutedOut int  `json:"substitutedOut"`
	Minutes        int  `json:"minutes"`
	Goals          int  `json:"goals"`
	PenaltyGoals   int  `json:"penaltyGoals"`
	OwnGoals       int  `json:"ownGoals"`
	Assists        int  `json:"assists"`
	Yellow         int  `json:"yellow"`
	SecondYellow   int  `json:"secondYellow"`
	Red            int  `json:"red"`         // direct ones (D27)
	CleanSheets    *int `json:"cleanSheets"` // nil unless a goalkeeper
}

// CompetitionPart is what a player did in one competition.
type CompetitionPart struct {
	Competition Competition `json:"competition"`
	Team        Team        `json:"team"`
	PlayerCounts
}
