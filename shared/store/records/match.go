package records

import (
	"time"

	"touchline/shared/sport"
)

// Match is what match responses and list items are made of.
type Match struct {
	ID        sport.ID          `dynamodbav:"i"`
	Status    sport.MatchStatus `dynamodbav:"st"`
	Kickoff   int64             `dynamodbav:"ko"`           // Unix milliseconds
	TimeOpen  bool              `dynamodbav:"to,omitempty"` // the hour of the kick-off is not known
	Home      TeamRef           `dynamodbav:"h"`
	Away      TeamRef           `dynamodbav:"a"`
	Score     *sport.Score      `dynamodbav:"sc,omitempty"`
	Penalties *sport.Score      `dynamodbav:"pe,omitempty"`
	Leg       int               `dynamodbav:"lg,omitempty"`
	TwoLegs   bool              `dynamodbav:"tl,omitempty"`
	Winner    sport.Winner      `dynamodbav:"w"`
	Round     int               `dynamodbav:"r,omitempty"`
	GroupID   sport.ID          `dynamodbav:"g,omitempty"`
	GroupName string            `dynamodbav:"gn,omitempty"`
	ExtraTime bool              `dynamodbav:"et,omitempty"`
	Season    int               `dynamodbav:"se,omitempty"` // 0: a friendly without one
	// Competition is nil for a friendly. Tournament lists leave it out: they
	// have one for all.
	Competition *CompetitionRef `dynamodbav:"k,omitempty"`
	// Points take the place of those that the result gives. SetPoints are those of all sets,
	// and TieWinner is who goes on, as given. No response shows the three: tables and ties are
	// computed from them.
	Points    *sport.Score `dynamodbav:"gp,omitempty"`
	SetPoints *sport.Score `dynamodbav:"sp,omitempty"`
	TieWinner sport.Side   `dynamodbav:"tw,omitempty"`
}

// MatchRecord is one match.
type MatchRecord struct {
	Match
	Scope
	Key        string           `dynamodbav:"ky,omitempty"`
	Visibility sport.Visibility `dynamodbav:"vi"`
	// DetailHash is of the DetailRecord, so that an unchanged one need not be
	// read; empty: the match has none.
	DetailHash []byte `dynamodbav:"dh,omitempty"`
	// Squad are the players whom published line-ups or the events name, in id order.
	Squad IDs `dynamodbav:"sq,omitempty"`
	// Played is the result as given, where Match has another since a team has withdrawn
	// (D59), or the match was awarded (D79); nil: Match has it.
	Played *Played `dynamodbav:"pl,omitempty"`
	// WinnerGiven: the dataset gives the winner, though the score has it (D79).
	WinnerGiven bool `dynamodbav:"wg,omitempty"`
}

// Played is what withdrawals and forfeits change of a match.
type Played struct {
	Status    sport.MatchStatus `dynamodbav:"st"`
	Score     *sport.Score      `dynamodbav:"sc,omitempty"`
	Penalties *sport.Score      `dynamodbav:"pe,omitempty"`
	ExtraTime bool              `dynamodbav:"et,omitempty"`
	Winner    sport.Winner      `dynamodbav:"w"`
	Points    *sport.Score      `dynamodbav:"gp,omitempty"`
	SetPoints *sport.Score      `dynamodbav:"sp,omitempty"`
	TieWinner sport.Side        `dynamodbav:"tw,omitempty"`
}

// PlayedOf is the result of a match as it is given.
func PlayedOf(m *sport.Match) *Played {
	return &Played{
		Status: m.Status, Score: m.Score, Penalties: m.Penalties, ExtraTime: m.ExtraTime, Winner: m.Winner,
		Points: m.Points, SetPoints: m.SetPoints, TieWinner: m.TieWinner,
	}
}

// DetailRecord holds a match's line-ups, events and statistics as given.
type DetailRecord struct {
	// Packed are the three, packed and deflated.
	Packed []byte `dynamodbav:"z"`
	// Hash is of what Packed holds; MatchRecord repeats it.
	Hash []byte `dynamodbav:"h"`
}

// Given is the match as the dataset gave it, without its line-ups, events and
// statistics, which are in the DetailRecord.
func (m *MatchRecord) Given() sport.Match {
	given := sport.Match{
		ID: m.ID, Season: m.Season, Status: m.Status, Kickoff: time.UnixMilli(m.Kickoff).UTC(), KickoffTimeOpen: m.TimeOpen,
		HomeTeamID: m.Home.ID, AwayTeamID: m.Away.ID, Score: m.Score, Penalties: m.Penalties,
		ExtraTime: m.ExtraTime, Leg: m.Leg, TwoLegs: m.TwoLegs, Winner: m.Winner, Round: m.Round,
		GroupID: m.GroupID, Visibility: m.Visibility, Points: m.Points, SetPoints: m.SetPoints, TieWinner: m.TieWinner,
		WinnerGiven: m.WinnerGiven,
	}
	if m.Competition != nil {
		given.CompetitionID = m.Competition.ID
	}
	if p := m.Played; p != nil {
		given.Status, given.Score, given.Penalties, given.ExtraTime = p.Status, p.Score, p.Penalties, p.ExtraTime
		given.Winner, given.Points, given.SetPoints, given.TieWinner = p.Winner, p.Points, p.SetPoints, p.TieWinner
	}
	return given
}
