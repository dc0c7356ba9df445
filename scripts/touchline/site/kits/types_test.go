package touchline

import "time"

// Averages is a part of a body.
type Averages struct {
	GoalsPerMatch *float64 `json:"goalsPerMatch"`
	CardsPerMatch *float64 `json:"cardsPerMatch"`
}

// CardCounts is a part of a body.
type CardCounts struct {
	Yellow       int `json:"yellow"`
	SecondYellow int `json:"secondYellow"`
	Red          int `json:"red"`
}

// Cards is an item of /v1/tournaments/{id}/cards.
type Cards struct {
	Rank           int     `json:"rank"` // From 1; equals share a rank.
	Team           Team    `json:"team"`
	Yellow         int     `json:"yellow"`
	SecondYellow   int     `json:"secondYellow"`
	Red            int     `json:"red"`
	Total          int     `json:"total"`
	Appearances    *int    `json:"appearances,omitempty"`
	FairPlayPoints *int    `json:"fairPlayPoints,omitempty"` // -1 for a yellow card, -3 for a second yellow, -4 for a red.
	Played         *int    `json:"played,omitempty"`
	Player         *Person `json:"player,omitempty"`
}

// Club is a part of a body.
type Club struct {
	ID   string  `json:"id"`
	Name string  `json:"name"`
	Logo *string `json:"logo"` // URL of a picture.
}

// Coach is a part of a body.
type Coach struct {
	Name string `json:"name"`
}

// Competition is a part of a body.
type Competition struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Logo     *string `json:"logo"`   // URL of a picture.
	Type     string  `json:"type"`   // Values so far: league, cup, tournament.
	Season   int     `json:"season"` // The year in which the season starts.
	Stage    string  `json:"stage"`  // Values so far: regular, playoff, playout.
	Timezone string  `json:"timezone"`
}

// CompetitionDetail is a part of a body.
type CompetitionDetail struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Logo       *string `json:"logo"`   // URL of a picture.
	Type       string  `json:"type"`   // Values so far: league, cup, tournament.
	Season     int     `json:"season"` // The year in which the season starts.
	Stage      string  `json:"stage"`  // Values so far: regular, playoff, playout.
	Timezone   string  `json:"timezone"`
	Gender     *string `json:"gender"` // Values so far: men, women.
	Completed  bool    `json:"completed"`
	HasPlayoff bool    `json:"hasPlayoff"`
	HasPlayout bool    `json:"hasPlayout"`
	GroupCount int     `json:"groupCount"`
}

// CompetitionLeaders is a part of a body.
type CompetitionLeaders struct {
	Goals       []Leader `json:"goals"`
	Assists     []Leader `json:"assists"`
	Appearances []Leader `json:"appearances"`
	Cards       []Leader `json:"cards"`
}

// CompetitionStatistics is the data of /v1/tournaments/{id}/statistics.
type CompetitionStatistics struct {
	Competition    Competition        `json:"competition"`
	Coverage       Coverage           `json:"coverage"`
	Totals         CompetitionTotals  `json:"totals"`
	Results        Results            `json:"results"`
	Averages       Averages           `json:"averages"`
	BiggestWin     *Match             `json:"biggestWin"`
	HighestScoring *Match             `json:"highestScoring"`
	Leaders        CompetitionLeaders `json:"leaders"`
}

// CompetitionTotals is a part of a body.
type CompetitionTotals struct {
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

// Coverage is a part of a body.
type Coverage struct {
	Lineups         bool `json:"lineups"`
	Events          bool `json:"events"`
	Assists         bool `json:"assists"`
	MatchStatistics bool `json:"matchStatistics"`
}

// Event is a part of a body.
type Event struct {
	ID          string  `json:"id"`
	Order       int     `json:"order"`  // Place among all events of the match, from 1.
	Type        string  `json:"type"`   // Values so far: goal, card, substitution, missedPenalty, shootoutPenalty, period, suspension, timeout.
	Detail      *string `json:"detail"` // Values so far: regular, penalty, ownGoal, yellow, secondYellow, red, missed, saved, scored, start, end.
	Period      string  `json:"period"` // Of two periods firstHalf or secondHalf, then extraTimeFirst, extraTimeSecond and penaltyShootout; of another number period1 and so on, then overtime1 and so on.
	Minute      int     `json:"minute"` // From the start of the match, stoppage time left out.
	ExtraMinute *int    `json:"extraMinute"`
	Side        *string `json:"side"` // Values so far: home, away.
	Team        *Team   `json:"team"`
	Player      *Person `json:"player"`
	Assist      *Person `json:"assist"`
	PlayerIn    *Person `json:"playerIn"`
	PlayerOut   *Person `json:"playerOut"`
	Score       *Score  `json:"score"`
	Minutes     *int    `json:"minutes,omitempty"` // Length of a suspension, where it is known; only there.
}

// Events is the data of /v1/matches/{id}/events.
type Events struct {
	MatchID string  `json:"matchId"`
	Events  []Event `json:"events"`
}

// Figures is a part of a body.
type Figures struct {
	Possession      *int `json:"possession"` // Percent.
	Shots           *int `json:"shots"`
	ShotsOnTarget   *int `json:"shotsOnTarget"`
	ShotsOffTarget  *int `json:"shotsOffTarget"`
	BlockedShots    *int `json:"blockedShots"`
	Corners         *int `json:"corners"`
	Offsides        *int `json:"offsides"`
	Fouls           *int `json:"fouls"`
	YellowCards     *int `json:"yellowCards"`
	RedCards        *int `json:"redCards"`
	Saves           *int `json:"saves"`
	Passes          *int `json:"passes"`
	PassesCompleted *int `json:"passesCompleted"`
	Penalties       *int `json:"penalties"`
}

// Group is a part of a body.
type Group struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Order     int    `json:"order"` // Place among its kind.
	Completed bool   `json:"completed"`
	Teams     []Team `json:"teams"`
}

// Groups is the data of /v1/tournaments/{id}/groups.
type Groups struct {
	Competition Competition `json:"competition"`
	Seasons     []int       `json:"seasons"` // The seasons of the competition that the key may see, newest first.
	Groups      []Group     `json:"groups"`
}

// Leader is a part of a body.
type Leader struct {
	Rank   int    `json:"rank"` // From 1; equals share a rank.
	Player Person `json:"player"`
	Team   Team   `json:"team"`
	Value  int    `json:"value"`
}

// Lineup is a part of a body.
type Lineup struct {
	Team      Team           `json:"team"`
	Formation *string        `json:"formation"`
	Coach     *Coach         `json:"coach"`
	Starting  []LineupPlayer `json:"starting"`
	Bench     []LineupPlayer `json:"bench"`
}

// LineupPlayer is a part of a body.
type LineupPlayer struct {
	Player    *Person `json:"player"` // null: the player is not named.
	Number    int     `json:"number"` // On the shirt in this match; 0 where it is not known.
	Captain   bool    `json:"captain"`
	Position  *string `json:"position"` // In this match. In football goalkeeper, defender, midfielder or forward; in another sport any text.
	Grid      *string `json:"grid"`
	MinuteIn  *int    `json:"minuteIn"`
	MinuteOut *int    `json:"minuteOut"`
}

// Lineups is the data of /v1/matches/{id}/lineups.
type Lineups struct {
	MatchID   string `json:"matchId"`
	Confirmed bool   `json:"confirmed"`
	Home      Lineup `json:"home"`
	Away      Lineup `json:"away"`
}

// ListedCompetition is an item of /v1/{alias}/{id}/competitions.
type ListedCompetition struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Logo           *string `json:"logo"`   // URL of a picture.
	Type           string  `json:"type"`   // Values so far: league, cup, tournament.
	Season         int     `json:"season"` // The year in which the season starts.
	Stage          string  `json:"stage"`  // Values so far: regular, playoff, playout.
	Timezone       string  `json:"timezone"`
	Gender         *string `json:"gender"` // Values so far: men, women.
	Completed      bool    `json:"completed"`
	HasPlayoff     bool    `json:"hasPlayoff"`
	HasPlayout     bool    `json:"hasPlayout"`
	GroupCount     int     `json:"groupCount"`
	OrganizationID string  `json:"organizationId"`
}

// ListedMatch is an item of /v1/teams/{id}/matches.
type ListedMatch struct {
	ID          string       `json:"id"`
	Status      string       `json:"status"`    // Values so far: upcoming, live, finished, postponed.
	KickoffAt   time.Time    `json:"kickoffAt"` // In UTC.
	Home        Team         `json:"home"`
	Away        Team         `json:"away"`
	Score       Score        `json:"score"`     // With extra time, without a shoot-out; 0:0 before kickoff.
	Penalties   *Score       `json:"penalties"` // The shoot-out, null where there was none.
	Leg         *int         `json:"leg"`
	TwoLegs     bool         `json:"twoLegs"` // Whether the pairing is played over two matches.
	Winner      string       `json:"winner"`  // none until it is finished. Values so far: home, away, draw, none.
	Round       int          `json:"round"`
	Group       *string      `json:"group"` // The group's name.
	Competition *Competition `json:"competition"`
}

// ListedPlayer is an item of /v1/tournaments/{id}/players, an item of /v1/{alias}/{id}/players.
type ListedPlayer struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Number   int     `json:"number"`   // On the shirt; 0 where it is not known.
	Position *string `json:"position"` // In football goalkeeper, defender, midfielder or forward; in another sport any text.
	Photo    string  `json:"photo"`    // URL of a picture, the deployment's own where the player has none.
	TeamID   string  `json:"teamId"`
	Team     Team    `json:"team"`
}

// ListedTeam is an item of /v1/tournaments/{id}/teams, an item of /v1/{alias}/{id}/teams.
type ListedTeam struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	ShortName      string  `json:"shortName"`
	Logo           *string `json:"logo"` // URL of a picture.
	OrganizationID *string `json:"organizationId"`
	CompetitionID  *string `json:"competitionId"`
	Season         *int    `json:"season"` // The year in which the season starts.
	Group          *string `json:"group"`  // The group's name.
	Status         string  `json:"status"` // Values so far: active, inactive.
}

// Match is an item of /v1/tournaments/{id}/matches.
type Match struct {
	ID        string    `json:"id"`
	Status    string    `json:"status"`    // Values so far: upcoming, live, finished, postponed.
	KickoffAt time.Time `json:"kickoffAt"` // In UTC.
	Home      Team      `json:"home"`
	Away      Team      `json:"away"`
	Score     Score     `json:"score"`     // With extra time, without a shoot-out; 0:0 before kickoff.
	Penalties *Score    `json:"penalties"` // The shoot-out, null where there was none.
	Leg       *int      `json:"leg"`
	TwoLegs   bool      `json:"twoLegs"` // Whether the pairing is played over two matches.
	Winner    string    `json:"winner"`  // none until it is finished. Values so far: home, away, draw, none.
	Round     int       `json:"round"`
	Group     *string   `json:"group"` // The group's name.
}

// MatchStatistics is the data of /v1/matches/{id}/statistics.
type MatchStatistics struct {
	MatchID   string          `json:"matchId"`
	Available bool            `json:"available"`
	Home      *Figures        `json:"home"`
	Away      *Figures        `json:"away"`
	Periods   []PeriodFigures `json:"periods"`
}

// MatchesReply is the data of /v1/matches/{id}.
type MatchesReply struct {
	Competition *Competition `json:"competition"`
	Match       Match        `json:"match"`
}

// Meta is a part of a body.
type Meta struct {
	CompetitionsIncluded *int    `json:"competitionsIncluded,omitempty"` // How many of a club's competitions the list covers, where it was cut.
	Kind                 *string `json:"kind,omitempty"`                 // What the list is of. Values so far: club, team, goals, assists, appearances, player.
	Truncated            *bool   `json:"truncated,omitempty"`            // Only there, and true, where the answer was cut.
}

// MinuteBand is a part of a body.
type MinuteBand struct {
	From    int `json:"from"`
	To      int `json:"to"`
	For     int `json:"for"`
	Against int `json:"against"`
}

// Organization is the data of /v1/{alias}/{id}, an item of /v1/{alias}/{id}/associations, an item of /v1/{alias}/{id}/clubs.
type Organization struct {
	ID          string  `json:"id"`
	Type        string  `json:"type"` // Values so far: federation, association, club.
	Name        string  `json:"name"`
	Logo        *string `json:"logo"`     // URL of a picture.
	ParentID    *string `json:"parentId"` // Null also where the parent is outside the key's scope.
	Description string  `json:"description"`
	Season      *int    `json:"season"` // The current season, where one is given.
}

// Performance is a part of a body.
type Performance struct {
	Side         string `json:"side"` // Values so far: home, away.
	TeamID       string `json:"teamId"`
	Started      bool   `json:"started"`
	Captain      bool   `json:"captain"`
	Minutes      int    `json:"minutes"`
	Goals        int    `json:"goals"`
	Assists      int    `json:"assists"`
	Yellow       int    `json:"yellow"`
	SecondYellow int    `json:"secondYellow"`
	Red          int    `json:"red"`
}

// PeriodFigures is a part of a body.
type PeriodFigures struct {
	Period string  `json:"period"` // Of two periods firstHalf or secondHalf, then extraTimeFirst, extraTimeSecond and penaltyShootout; of another number period1 and so on, then overtime1 and so on.
	Home   Figures `json:"home"`
	Away   Figures `json:"away"`
}

// Person is a part of a body.
type Person struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Number   int     `json:"number"`   // On the shirt; 0 where it is not known.
	Position *string `json:"position"` // In football goalkeeper, defender, midfielder or forward; in another sport any text.
	Photo    string  `json:"photo"`    // URL of a picture, the deployment's own where the player has none.
}

// Phase is a part of a body.
type Phase []PhaseItem

// PhaseItem is one of its kinds: the fields of the others are nil.
type PhaseItem struct {
	Aggregate      *Score   `json:"aggregate,omitempty"` // Null until a match of the tie is finished.
	Away           *Team    `json:"away,omitempty"`
	Drawn          *int     `json:"drawn,omitempty"`
	GoalDiff       *int     `json:"goalDiff,omitempty"` // goalsFor less goalsAgainst.
	GoalsAgainst   *int     `json:"goalsAgainst,omitempty"`
	GoalsFor       *int     `json:"goalsFor,omitempty"`
	Group          *string  `json:"group,omitempty"` // The group's name.
	Home           *Team    `json:"home,omitempty"`
	Lost           *int     `json:"lost,omitempty"`
	MatchIDs       []string `json:"matchIds,omitempty"`
	Order          *int     `json:"order,omitempty"`     // From 1 within the round.
	Penalties      *Score   `json:"penalties,omitempty"` // From the side of the tie's home.
	Played         *int     `json:"played,omitempty"`
	Points         *int     `json:"points,omitempty"` // With startingPoints; may be negative.
	Rank           *int     `json:"rank,omitempty"`   // From 1; equals share a rank.
	Round          *int     `json:"round,omitempty"`
	StartingPoints *int     `json:"startingPoints,omitempty"` // Given before the first match; a deduction is negative.
	Team           *Team    `json:"team,omitempty"`
	Winner         *string  `json:"winner,omitempty"` // none until it is finished. Values so far: home, away, draw, none.
	Won            *int     `json:"won,omitempty"`
}

// PingReply is the data of /v1/ping.
type PingReply struct {
	ApiVersion   int       `json:"apiVersion"`
	ServerTime   time.Time `json:"serverTime"` // The server's clock.
	KeyID        string    `json:"keyId"`      // The key id as it was sent.
	ResourceType string    `json:"resourceType"`
	ResourceID   string    `json:"resourceId"` // The organization that the key belongs to.
	Scopes       []string  `json:"scopes"`     // The scopes that the key holds.
}

// PlayedMatch is an item of /v1/players/{id}/matches.
type PlayedMatch struct {
	ID          string       `json:"id"`
	Status      string       `json:"status"`    // Values so far: upcoming, live, finished, postponed.
	KickoffAt   time.Time    `json:"kickoffAt"` // In UTC.
	Home        Team         `json:"home"`
	Away        Team         `json:"away"`
	Score       Score        `json:"score"`     // With extra time, without a shoot-out; 0:0 before kickoff.
	Penalties   *Score       `json:"penalties"` // The shoot-out, null where there was none.
	Leg         *int         `json:"leg"`
	TwoLegs     bool         `json:"twoLegs"` // Whether the pairing is played over two matches.
	Winner      string       `json:"winner"`  // none until it is finished. Values so far: home, away, draw, none.
	Round       int          `json:"round"`
	Group       *string      `json:"group"` // The group's name.
	Competition *Competition `json:"competition"`
	Performance Performance  `json:"performance"`
}

// PlayerCards is a part of a body.
type PlayerCards struct {
	Rank         int    `json:"rank"` // From 1; equals share a rank.
	Player       Person `json:"player"`
	Team         Team   `json:"team"`
	Yellow       int    `json:"yellow"`
	SecondYellow int    `json:"secondYellow"`
	Red          int    `json:"red"`
	Total        int    `json:"total"`
	Appearances  int    `json:"appearances"`
}

// PlayerCompetition is a part of a body.
type PlayerCompetition struct {
	Competition    Competition `json:"competition"`
	Team           Team        `json:"team"`
	Appearances    int         `json:"appearances"`
	Starts         int         `json:"starts"`
	SubstitutedIn  int         `json:"substitutedIn"`
	SubstitutedOut int         `json:"substitutedOut"`
	Minutes        int         `json:"minutes"`
	Goals          int         `json:"goals"`
	PenaltyGoals   int         `json:"penaltyGoals"`
	OwnGoals       int         `json:"ownGoals"`
	Assists        int         `json:"assists"`
	Yellow         int         `json:"yellow"`
	SecondYellow   int         `json:"secondYellow"`
	Red            int         `json:"red"`
	CleanSheets    *int        `json:"cleanSheets"`
}

// PlayerDetail is a part of a body.
type PlayerDetail struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Number   int     `json:"number"`   // On the shirt; 0 where it is not known.
	Position *string `json:"position"` // In football goalkeeper, defender, midfielder or forward; in another sport any text.
	Photo    string  `json:"photo"`    // URL of a picture, the deployment's own where the player has none.
	Team     Team    `json:"team"`
}

// PlayerStatistics is the data of /v1/players/{id}/statistics.
type PlayerStatistics struct {
	Player       Person              `json:"player"`
	Season       *int                `json:"season"` // The year in which the season starts.
	Totals       PlayerTotals        `json:"totals"`
	Competitions []PlayerCompetition `json:"competitions"`
}

// PlayerTotals is a part of a body.
type PlayerTotals struct {
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
	Red            int  `json:"red"`
	CleanSheets    *int `json:"cleanSheets"`
}

// PlayersReply is the data of /v1/players/{id}.
type PlayersReply struct {
	Player PlayerDetail `json:"player"`
}

// Results is a part of a body.
type Results struct {
	HomeWins int `json:"homeWins"`
	Draws    int `json:"draws"`
	AwayWins int `json:"awayWins"`
}

// Score is a part of a body.
type Score struct {
	Home int `json:"home"`
	Away int `json:"away"`
}

// Scorer is an item of /v1/tournaments/{id}/top-scorers.
type Scorer struct {
	Rank         int    `json:"rank"` // From 1; equals share a rank.
	Player       Person `json:"player"`
	Team         Team   `json:"team"`
	Value        int    `json:"value"`
	Goals        int    `json:"goals"`
	PenaltyGoals int    `json:"penaltyGoals"`
	Assists      int    `json:"assists"`
	Appearances  int    `json:"appearances"`
}

// SquadPlayer is an item of /v1/teams/{id}/players.
type SquadPlayer struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Number   int     `json:"number"`   // On the shirt; 0 where it is not known.
	Position *string `json:"position"` // In football goalkeeper, defender, midfielder or forward; in another sport any text.
	Photo    string  `json:"photo"`    // URL of a picture, the deployment's own where the player has none.
	TeamID   string  `json:"teamId"`
}

// StandingRow is a part of a body.
type StandingRow struct {
	Rank           int     `json:"rank"` // From 1; equals share a rank.
	Team           Team    `json:"team"`
	Played         int     `json:"played"`
	Won            int     `json:"won"`
	Drawn          int     `json:"drawn"`
	Lost           int     `json:"lost"`
	GoalsFor       int     `json:"goalsFor"`
	GoalsAgainst   int     `json:"goalsAgainst"`
	GoalDiff       int     `json:"goalDiff"`       // goalsFor less goalsAgainst.
	Points         int     `json:"points"`         // With startingPoints; may be negative.
	StartingPoints int     `json:"startingPoints"` // Given before the first match; a deduction is negative.
	Group          *string `json:"group"`          // The group's name.
}

// Standings is the data of /v1/tournaments/{id}/standings.
type Standings struct {
	Competition      Competition   `json:"competition"`
	Standings        []StandingRow `json:"standings"`        // The rows of the table, rank counting from 1 within a group.
	PlayoffStandings *Phase        `json:"playoffStandings"` // Rows where playoffFormat is league, ties where it is knockout, null where there is no playoff.
	PlayoutStandings *Phase        `json:"playoutStandings"` // Rows where playoutFormat is league, ties where it is knockout, null where there is no playout.
	PlayoffFormat    *string       `json:"playoffFormat"`    // Values so far: league, knockout.
	PlayoutFormat    *string       `json:"playoutFormat"`    // Values so far: league, knockout.
	PlayoffCompleted *bool         `json:"playoffCompleted"`
	PlayoutCompleted *bool         `json:"playoutCompleted"`
}

// Streak is a part of a body.
type Streak struct {
	Type   string `json:"type"` // Values so far: win, draw, loss.
	Length int    `json:"length"`
}

// Team is a part of a body.
type Team struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	ShortName string  `json:"shortName"`
	Logo      *string `json:"logo"` // URL of a picture.
}

// TeamCards is a part of a body.
type TeamCards struct {
	Rank           int  `json:"rank"` // From 1; equals share a rank.
	Team           Team `json:"team"`
	Yellow         int  `json:"yellow"`
	SecondYellow   int  `json:"secondYellow"`
	Red            int  `json:"red"`
	Total          int  `json:"total"`
	Played         int  `json:"played"`
	FairPlayPoints int  `json:"fairPlayPoints"` // -1 for a yellow card, -3 for a second yellow, -4 for a red.
}

// TeamCompetition is a part of a body.
type TeamCompetition struct {
	Competition Competition `json:"competition"`
	Overall     TeamTotals  `json:"overall"`
}

// TeamDetail is a part of a body.
type TeamDetail struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	ShortName   string       `json:"shortName"`
	Logo        *string      `json:"logo"` // URL of a picture.
	Club        *Club        `json:"club"`
	Competition *Competition `json:"competition"`
	Group       *string      `json:"group"`  // The group's name.
	Gender      *string      `json:"gender"` // Values so far: men, women.
	Status      string       `json:"status"` // Values so far: active, inactive.
	PlayerCount int          `json:"playerCount"`
}

// TeamStatistics is the data of /v1/teams/{id}/statistics.
type TeamStatistics struct {
	Team          Team              `json:"team"`
	Season        *int              `json:"season"` // The year in which the season starts.
	Overall       TeamTotals        `json:"overall"`
	Home          TeamTotals        `json:"home"`
	Away          TeamTotals        `json:"away"`
	Form          []string          `json:"form"` // Results of the last matches, the newest last.
	Streak        *Streak           `json:"streak"`
	BiggestWin    *Match            `json:"biggestWin"`
	BiggestLoss   *Match            `json:"biggestLoss"`
	GoalsByMinute []MinuteBand      `json:"goalsByMinute"`
	Cards         CardCounts        `json:"cards"`
	Competitions  []TeamCompetition `json:"competitions"`
}

// TeamTotals is a part of a body.
type TeamTotals struct {
	Played        int `json:"played"`
	Won           int `json:"won"`
	Drawn         int `json:"drawn"`
	Lost          int `json:"lost"`
	GoalsFor      int `json:"goalsFor"`
	GoalsAgainst  int `json:"goalsAgainst"`
	GoalDiff      int `json:"goalDiff"` // goalsFor less goalsAgainst.
	Points        int `json:"points"`   // With startingPoints; may be negative.
	CleanSheets   int `json:"cleanSheets"`
	FailedToScore int `json:"failedToScore"`
}

// TeamsReply is the data of /v1/teams/{id}.
type TeamsReply struct {
	Team TeamDetail `json:"team"`
}

// Tie is a part of a body.
type Tie struct {
	Round     int      `json:"round"`
	Order     int      `json:"order"` // From 1 within the round.
	Home      *Team    `json:"home"`
	Away      *Team    `json:"away"`
	Aggregate *Score   `json:"aggregate"` // Null until a match of the tie is finished.
	Penalties *Score   `json:"penalties"` // From the side of the tie's home.
	Winner    string   `json:"winner"`    // none until it is finished. Values so far: home, away, draw, none.
	MatchIDs  []string `json:"matchIds"`
}

// TournamentsCompetitionReply is the data of /v1/tournaments/{id}.
type TournamentsCompetitionReply struct {
	Competition CompetitionDetail `json:"competition"`
}

// TreeNode is a part of a body.
type TreeNode struct {
	ID          string     `json:"id"`
	Type        string     `json:"type"` // Values so far: federation, association, club.
	Name        string     `json:"name"`
	Logo        *string    `json:"logo"`     // URL of a picture.
	ParentID    *string    `json:"parentId"` // Null also where the parent is outside the key's scope.
	Description string     `json:"description"`
	Season      *int       `json:"season"`   // The current season, where one is given.
	Children    []TreeNode `json:"children"` // The organizations below, in name order; empty for a leaf.
}
