package statistics

import (
	"encoding/json"

	"touchline/shared/sport"
)

// The flags of a performance's JSON form; position is a number of three bits
// above them, a place in positions.
const (
	flagStarted = 1 << iota
	flagCaptain
	flagAppeared
	flagSubstitutedIn
	flagSubstitutedOut
	flagShutOut
	flagAway
	flagPosition
)

const positionBits = 7

// positionsByCode are the positions by their code, 0 for none.
func positionsByCode() [5]sport.Position {
	return [...]sport.Position{"", sport.Goalkeeper, sport.Defender, sport.Midfielder, sport.Forward}
}

// The flags of a coverage's JSON form.
const (
	flagLineups = 1 << iota
	flagEvents
	flagAssists
	flagMatchStatistics
)

type contributionRecord struct {
	MatchID  sport.ID   `json:"i"`
	Coverage int        `json:"x,omitempty"`
	Home     partRecord `json:"h"`
	Away     partRecord `json:"a"`
}

type partRecord struct {
	TeamID       sport.ID            `json:"t"`
	Goals        [Bands]int          `json:"b,omitzero"`
	PenaltyGoals int                 `json:"k,omitempty"`
	OwnGoals     int                 `json:"o,omitempty"`
	Yellow       int                 `json:"y,omitempty"`
	SecondYellow int                 `json:"z,omitempty"`
	Red          int                 `json:"r,omitempty"`
	Performances []performanceRecord `json:"p,omitempty"`
}

// performanceRecord leaves TeamID out inside a contribution, where the part has
// it.
type performanceRecord struct {
	PlayerID     sport.ID `json:"p"`
	TeamID       sport.ID `json:"t,omitempty"`
	Flags        int      `json:"f,omitempty"`
	Minutes      int      `json:"m,omitempty"`
	Goals        int      `json:"g,omitempty"`
	PenaltyGoals int      `json:"k,omitempty"`
	OwnGoals     int      `json:"o,omitempty"`
	Assists      int      `json:"s,omitempty"`
	Yellow       int      `json:"y,omitempty"`
	SecondYellow int      `json:"z,omitempty"`
	Red          int      `json:"r,omitempty"`
}

// MarshalJSON gives the compact form.
func (c Contribution) MarshalJSON() ([]byte, error) {
	return json.Marshal(contributionRecord{
		MatchID: c.MatchID,
		Coverage: flag(c.Coverage.Lineups, flagLineups) | flag(c.Coverage.Events, flagEvents) |
			flag(c.Coverage.Assists, flagAssists) | flag(c.Coverage.MatchStatistics, flagMatchStatistics),
		Home: c.Home.record(),
		Away: c.Away.record(),
	})
}

// UnmarshalJSON reads the compact form; the error is that of encoding/json.
func (c *Contribution) UnmarshalJSON(data []byte) error {
	var r contributionRecord
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	*c = Contribution{
		MatchID: r.MatchID,
		Home:    r.Home.part(),
		Away:    r.Away.part(),
		Coverage: Coverage{
			Lineups:         r.Coverage&flagLineups != 0,
			Events:          r.Coverage&flagEvents != 0,
			Assists:         r.Coverage&flagAssists != 0,
			MatchStatistics: r.Coverage&flagMatchStatistics != 0,
		},
	}
	return nil
}

func (p Part) record() partRecord {
	r := partRecord{
		TeamID:       p.TeamID,
		Goals:        p.Goals,
		PenaltyGoals: p.PenaltyGoals,
		OwnGoals:     p.OwnGoals,
		Yellow:       p.Cards.Yellow,
		SecondYellow: p.Cards.SecondYellow,
		Red:          p.Cards.Red,
	}
	for _, x := range p.Performances {
		one := x.record()
		one.TeamID = ""
		r.Performances = append(r.Performances, one)
	}
	return r
}

func (r partRecord) part() Part {
	p := Part{
		TeamID:       r.TeamID,
		Goals:        r.Goals,
		PenaltyGoals: r.PenaltyGoals,
		OwnGoals:     r.OwnGoals,
		Cards:        Cards{Yellow: r.Yellow, SecondYellow: r.SecondYellow, Red: r.Red},
	}
	for _, one := range r.Performances {
		one.TeamID = r.TeamID
		p.Performances = append(p.Performances, one.performance())
	}
	return p
}

// MarshalJSON gives the compact form of a performance that stands alone.
func (p Performance) MarshalJSON() ([]byte, error) { return json.Marshal(p.record()) }

// UnmarshalJSON reads the compact form; the error is that of encoding/json.
func (p *Performance) UnmarshalJSON(data []byte) error {
	var r performanceRecord
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	*p = r.performance()
	return nil
}

func (p Performance) record() performanceRecord {
	r := performanceRecord{
		PlayerID: p.PlayerID,
		TeamID:   p.TeamID,
		Flags: flag(p.Started, flagStarted) | flag(p.Captain, flagCaptain) |
			flag(p.Appeared, flagAppeared) | flag(p.SubstitutedIn, flagSubstitutedIn) |
			flag(p.SubstitutedOut, flagSubstitutedOut) | flag(p.ShutOut, flagShutOut) |
			flag(p.Side == sport.SideAway, flagAway),
		Minutes:      p.Minutes,
		Goals:        p.Goals,
		PenaltyGoals: p.PenaltyGoals,
		OwnGoals:     p.OwnGoals,
		Assists:      p.Assists,
		Yellow:       p.Yellow,
		SecondYellow: p.SecondYellow,
		Red:          p.Red,
	}
	for code, position := range positionsByCode() {
		if position == p.Position {
			r.Flags |= code * flagPosition
		}
	}
	return r
}

func (r performanceRecord) performance() Performance {
	p := Performance{
		PlayerID:       r.PlayerID,
		TeamID:         r.TeamID,
		Side:           sport.SideHome,
		Started:        r.Flags&flagStarted != 0,
		Captain:        r.Flags&flagCaptain != 0,
		Appeared:       r.Flags&flagAppeared != 0,
		SubstitutedIn:  r.Flags&flagSubstitutedIn != 0,
		SubstitutedOut: r.Flags&flagSubstitutedOut != 0,
		ShutOut:        r.Flags&flagShutOut != 0,
		Minutes:        r.Minutes,
		Goals:          r.Goals,
		PenaltyGoals:   r.PenaltyGoals,
		OwnGoals:       r.OwnGoals,
		Assists:        r.Assists,
		Yellow:         r.Yellow,
		SecondYellow:   r.SecondYellow,
		Red:            r.Red,
	}
	if r.Flags&flagAway != 0 {
		p.Side = sport.SideAway
	}
	positions := positionsByCode()
	if code := r.Flags / flagPosition & positionBits; code < len(positions) {
		p.Position = positions[code]
	}
	return p
}

func flag(set bool, bit int) int {
	if set {
		return bit
	}
	return 0
}
