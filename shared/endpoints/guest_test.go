package endpoints_test

import (
	"strings"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/store"
)

// A team that a key sees through its competition alone shows, of what else it
// plays, only what is in the key's scope itself (D24).
func TestAGuestTeamShowsNoMatchOutsideTheScope(t *testing.T) {
	s := teamMatchesStage(t)
	s.put(t, store.TeamKey(s.id("t:a")), &store.TeamRecord{
		Team:  store.Team{TeamRef: s.teamRef("a"), Season: 2025, Status: sport.Active},
		Scope: s.mine("fed"), Owner: s.id("o:elsewhere"), OwnerReach: s.mine("elsewhere").Reach,
	})
	status, body := s.get(t, fed, "/v1/teams/t:a/matches")
	if status != 200 || !strings.Contains(body, `"total":0`) {
		t.Errorf("matches outside the scope are listed: %d %s", status, body)
	}
	friendly := s.id("m:friendly")
	s.put(t, store.MatchKey(friendly), &store.MatchRecord{Match: store.Match{ID: friendly}, Scope: s.mine("fed")})
	s.restart()
	status, body = s.get(t, fed, "/v1/teams/t:a/matches")
	if status != 200 || !strings.Contains(body, `"total":1`) || !strings.Contains(body, `"m:friendly"`) {
		t.Errorf("the match in the scope alone is not listed alone: %d %s", status, body)
	}
}
