package cost

import (
	"math/rand/v2"
	"strings"
)

// kind is a kind of request: its share in percent, and its target, in which a
// word in capitals is replaced by the id of such a record.
type kind struct {
	weight int
	target string
}

// mix is the requests: those of the portal and the apps of a federation, on a
// weekend. Ids are drawn evenly, which is the worst case for caches: a real
// audience is interested in a few competitions and clubs most of the time.
var mix = []kind{
	{20, "/v1/tournaments/COMPETITION/standings"},
	{10, "/v1/tournaments/COMPETITION/matches?status=upcoming&limit=25"},
	{5, "/v1/tournaments/COMPETITION/matches?status=finished&limit=25&page=2"},
	{4, "/v1/tournaments/COMPETITION/top-scorers?limit=20"},
	{3, "/v1/tournaments/COMPETITION"},
	{10, "/v1/matches/MATCH"},
	{5, "/v1/matches/MATCH/events"},
	{4, "/v1/matches/MATCH/lineups"},
	{2, "/v1/matches/MATCH/statistics"},
	{10, "/v1/teams/TEAM/matches?limit=25"},
	{4, "/v1/teams/TEAM"},
	{4, "/v1/teams/TEAM/players"},
	{3, "/v1/players/PLAYER"},
	{1, "/v1/players/PLAYER/statistics"},
	{5, "/v1/organizations/FEDERATION/clubs?includeDescendants=true&limit=50"},
	{4, "/v1/organizations/FEDERATION/players?includeDescendants=true&competitionId=COMPETITION&limit=50"},
	{3, "/v1/organizations/FEDERATION/teams?includeDescendants=true&limit=50&sort=name"},
	{2, "/v1/organizations/FEDERATION"},
	{1, "/v1/organizations/FEDERATION/tree"},
}

// draw picks a request of the mix; it depends on the random numbers alone. ids are
// those that replace words.
func draw(random *rand.Rand, ids map[string][]string) (kind, string) {
	at, k := random.IntN(100), 0
	for ; at >= mix[k].weight; k++ {
		at -= mix[k].weight
	}
	target := mix[k].target
	for _, word := range []string{"COMPETITION", "FEDERATION", "MATCH", "PLAYER", "TEAM"} {
		if of := ids[word]; strings.Contains(target, word) {
			target = strings.ReplaceAll(target, word, of[random.IntN(len(of))])
		}
	}
	return mix[k], target
}
