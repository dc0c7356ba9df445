package client

import (
	"context"

	"touchline/shared/sport"
)

// TournamentPath is /v1/tournaments/{id}.
type TournamentPath struct {
	client *Client
	path   string
}

// Tournament addresses a competition.
func (c *Client) Tournament(id sport.ID) TournamentPath {
	return TournamentPath{client: c, path: "/v1/tournaments/" + segment(id)}
}

// ScorersType is what top scorers are ranked by.
type ScorersType string

// What top scorers can be ranked by.
const (
	ByGoals       ScorersType = "goals"
	ByAssists     ScorersType = "assists"
	ByAppearances ScorersType = "appearances"
)

// TopScorersParams are the parameters of TopScorers.
type TopScorersParams struct {
	Season int         // 0: the current one
	Type   ScorersType // empty: goals
}

// Get is /v1/tournaments/{id}.
func (t TournamentPath) Get(ctx context.Context, p SeasonParams) (CompetitionDetail, error) {
	data, err := get[struct {
		Competition CompetitionDetail `json:"competition"`
	}](ctx, t.client, t.path, p.query())
	return data.Competition, err
}

// Matches is /v1/tournaments/{id}/matches.
func (t TournamentPath) Matches(p MatchesParams) List[Match] {
	return below(t.client, t.path+"/matches", p.query(), (*Match).id)
}

// Standings is /v1/tournaments/{id}/standings.
func (t TournamentPath) Standings(ctx context.Context, p SeasonParams) (Standings, error) {
	return get[Standings](ctx, t.client, t.path+"/standings", p.query())
}

// Groups is /v1/tournaments/{id}/groups.
func (t TournamentPath) Groups(ctx context.Context, p SeasonParams) (Groups, error) {
	return get[Groups](ctx, t.client, t.path+"/groups", p.query())
}

// Teams is /v1/tournaments/{id}/teams.
func (t TournamentPath) Teams(p SeasonParams) List[ListedTeam] {
	return below(t.client, t.path+"/teams", p.query(), (*ListedTeam).id)
}

// Players is /v1/tournaments/{id}/players.
func (t TournamentPath) Players(p SeasonParams) List[ListedPlayer] {
	return below(t.client, t.path+"/players", p.query(), (*ListedPlayer).id)
}

// Statistics is /v1/tournaments/{id}/statistics.
func (t TournamentPath) Statistics(ctx context.Context, p SeasonParams) (CompetitionStatistics, error) {
	return get[CompetitionStatistics](ctx, t.client, t.path+"/statistics", p.query())
}

// TopScorers is /v1/tournaments/{id}/top-scorers.
func (t TournamentPath) TopScorers(p TopScorersParams) List[TopScorer] {
	q := query("").number("season", p.Season).text("type", string(p.Type))
	return below(t.client, t.path+"/top-scorers", q, (*TopScorer).id)
}

// PlayerCards is /v1/tournaments/{id}/cards by player.
func (t TournamentPath) PlayerCards(p SeasonParams) List[PlayerCards] {
	return below(t.client, t.path+"/cards", p.query().text("scope", "player"), (*PlayerCards).id)
}

// TeamCards is /v1/tournaments/{id}/cards by team.
func (t TournamentPath) TeamCards(p SeasonParams) List[TeamCards] {
	return below(t.client, t.path+"/cards", p.query().text("scope", "team"), (*TeamCards).id)
}
