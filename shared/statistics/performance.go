package statistics

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// Performance is what a player did in a match. There is one for each player in
// its published line-ups, all zeros for those who never were on the pitch (D42),
// and for each player whom a goal, an assist or a card names.
type Performance struct {
	PlayerID sport.ID
	TeamID   sport.ID // the match's team entry (D41)
	Side     sport.Side
	Position sport.Position // as listed in the match; empty: not given

	Started        bool
	Captain        bool
	Appeared       bool // was on the pitch
	SubstitutedIn  bool
	SubstitutedOut bool
	// ShutOut is true if the player appeared, the match is finished, and his
	// side conceded nothing.
	ShutOut bool

	Minutes      int // up to the length of the match (D29, D53)
	Goals        int // with PenaltyGoals, without OwnGoals
	PenaltyGoals int
	OwnGoals     int
	Assists      int
	Yellow       int
	SecondYellow int
	Red          int // direct ones (D27)
}

// Performances returns the performances in a match, home side first, then by
// player id. Until the match is finished they are what has happened so far.
func Performances(m sport.Match, periods sport.Clock) []Performance {
	by := map[sport.ID]*Performance{}
	c := clock{periods}
	p := watch(m, c)
	for id, x := range p {
		by[id] = &Performance{
			PlayerID:       id,
			TeamID:         teamOf(m, x.side),
			Side:           x.side,
			Position:       x.entry.Position,
			Started:        x.started,
			Captain:        x.entry.Captain,
			Appeared:       x.in != nil && m.Status != sport.Upcoming,
			SubstitutedIn:  x.broughtOn,
			SubstitutedOut: x.takenOff,
			Minutes:        x.minutes(m, c),
		}
	}
	for _, e := range m.Events {
		credit(by, m, e)
	}
	all := make([]Performance, 0, len(by))
	for _, x := range by {
		x.ShutOut = x.Appeared && shutOut(m, x.Side)
		all = append(all, *x)
	}
	slices.SortFunc(all, func(a, b Performance) int {
		return cmp.Or(-cmp.Compare(a.Side, b.Side), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	return all
}

// credit adds an event to the performances of the players whom it names.
func credit(by map[sport.ID]*Performance, m sport.Match, e sport.Event) {
	of := func(player sport.ID, side sport.Side) *Performance {
		if player == "" {
			return &Performance{} // discarded
		}
		x := by[player]
		if x == nil {
			x = &Performance{PlayerID: player, TeamID: teamOf(m, side), Side: side}
			by[player] = x
		}
		return x
	}
	switch e.Type {
	case sport.EventGoal:
		if e.Detail == sport.GoalOwn {
			of(e.PlayerID, opposite(e.Side)).OwnGoals++
		} else {
			x := of(e.PlayerID, e.Side)
			x.Goals++
			x.PenaltyGoals += one(e.Detail == sport.GoalPenalty)
		}
		of(e.AssistID, e.Side).Assists++
	case sport.EventCard:
		x := of(e.PlayerID, e.Side)
		x.Yellow += one(e.Detail == sport.CardYellow)
		x.SecondYellow += one(e.Detail == sport.CardSecondYellow)
		x.Red += one(e.Detail == sport.CardRed)
	}
}

func teamOf(m sport.Match, side sport.Side) sport.ID {
	if side == sport.SideAway {
		return m.AwayTeamID
	}
	return m.HomeTeamID
}

func opposite(side sport.Side) sport.Side {
	if side == sport.SideAway {
		return sport.SideHome
	}
	return sport.SideAway
}

// shutOut reports whether a side conceded nothing in a finished match.
func shutOut(m sport.Match, side sport.Side) bool {
	if !scored(m) {
		return false
	}
	if side == sport.SideAway {
		return m.Score.Home == 0
	}
	return m.Score.Away == 0
}

// scored reports whether a match counts as a result: it is finished, with a
// score.
func scored(m sport.Match) bool { return m.Status == sport.Finished && m.Score != nil }
