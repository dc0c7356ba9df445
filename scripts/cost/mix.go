package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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

// names are the ids that replace words.
type names map[string][]string

// draw picks a request of the mix; it depends on the random numbers alone.
func (n names) draw(random *rand.Rand) (kind, string) {
	all := 0
	for _, k := range mix {
		all += k.weight
	}
	at := random.IntN(all)
	for _, k := range mix {
		if at -= k.weight; at < 0 {
			target := k.target
			for _, word := range slices.Sorted(maps.Keys(n)) { // in a fixed order, so that the same random numbers give the same request
				if ids := n[word]; strings.Contains(target, word) {
					target = strings.ReplaceAll(target, word, ids[random.IntN(len(ids))])
				}
			}
			return k, target
		}
	}
	panic("not reached")
}

// enough is a number of ids of a kind that is larger than the number of requests
// during the lifetime of a cache.
const enough = 500

// gather reads the ids of the federation from the API.
func gather(ctx context.Context, federation string, ask func(context.Context, string) ([]byte, error)) (names, error) {
	found := names{"FEDERATION": {federation}}
	lists := []struct{ word, from, path string }{
		{"COMPETITION", "FEDERATION", "/v1/organizations/%s/competitions?includeDescendants=true&limit=100"},
		{"TEAM", "COMPETITION", "/v1/tournaments/%s/teams?limit=100"},
		{"MATCH", "COMPETITION", "/v1/tournaments/%s/matches?limit=100"},
		{"PLAYER", "COMPETITION", "/v1/tournaments/%s/players?limit=100"},
	}
	for _, l := range lists {
		for _, id := range found[l.from] {
			if len(found[l.word]) >= enough {
				break
			}
			body, err := ask(ctx, fmt.Sprintf(l.path, id))
			if err != nil {
				return nil, err
			}
			var page struct{ Data []struct{ ID string } }
			if err := json.Unmarshal(body, &page); err != nil {
				return nil, err
			}
			for _, entry := range page.Data {
				found[l.word] = append(found[l.word], entry.ID)
			}
		}
		if len(found[l.word]) == 0 {
			return nil, fmt.Errorf("the federation has no %s", strings.ToLower(l.word))
		}
	}
	return found, nil
}
