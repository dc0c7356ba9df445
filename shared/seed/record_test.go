package seed

// The records as they are written.

const homeSide, awaySide = "home", "away"

type organization struct {
	ID                  string   `json:"id"`
	Type                string   `json:"type"`
	Name                string   `json:"name"`
	ParentID            string   `json:"parentId,omitempty"`
	AdditionalParentIDs []string `json:"additionalParentIds,omitempty"`
	Description         string   `json:"description,omitempty"`
	Season              int      `json:"season,omitempty"`
	Status              string   `json:"status,omitempty"`
	Visibility          string   `json:"visibility,omitempty"`
}

type match struct {
	ID            string      `json:"id"`
	CompetitionID string      `json:"competitionId,omitempty"`
	Season        int         `json:"season,omitempty"`
	Status        string      `json:"status"`
	KickoffAt     string      `json:"kickoffAt,omitempty"`
	KickoffLocal  string      `json:"kickoffLocal,omitempty"`
	HomeTeamID    string      `json:"homeTeamId"`
	AwayTeamID    string      `json:"awayTeamId"`
	Score         *score      `json:"score,omitempty"`
	Penalties     *score      `json:"penalties,omitempty"`
	ExtraTime     bool        `json:"extraTime,omitempty"`
	Leg           int         `json:"leg,omitempty"`
	TwoLegs       bool        `json:"twoLegs,omitempty"`
	Winner        string      `json:"winner,omitempty"`
	Round         int         `json:"round,omitempty"`
	Group         string      `json:"group,omitempty"`
	Lineups       *lineups    `json:"lineups,omitempty"`
	Events        []event     `json:"events,omitempty"`
	Statistics    *statistics `json:"statistics,omitempty"`
}

type score struct {
	Home int `json:"home"`
	Away int `json:"away"`
}

type lineups struct {
	Confirmed bool  `json:"confirmed"`
	Home      squad `json:"home"`
	Away      squad `json:"away"`
}

type squad struct {
	Formation string  `json:"formation,omitempty"`
	Coach     string  `json:"coach,omitempty"`
	Starting  []entry `json:"starting"`
	Bench     []entry `json:"bench"`
}

type entry struct {
	PlayerID string `json:"playerId"`
	Captain  bool   `json:"captain,omitempty"`
	Position string `json:"position,omitempty"`
	Grid     string `json:"grid,omitempty"`
}

type event struct {
	ID          string `json:"id,omitempty"`
	Type        string `json:"type"`
	Detail      string `json:"detail,omitempty"`
	Period      string `json:"period,omitempty"`
	Minute      int    `json:"minute"`
	ExtraMinute int    `json:"extraMinute,omitempty"`
	Side        string `json:"side,omitempty"`
	PlayerID    string `json:"playerId,omitempty"`
	AssistID    string `json:"assistId,omitempty"`
	PlayerInID  string `json:"playerInId,omitempty"`
	PlayerOutID string `json:"playerOutId,omitempty"`
}

type statistics struct {
	Home map[string]int `json:"home"`
	Away map[string]int `json:"away"`
}
