package endpoints_test

import (
	"strings"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// A team that a key sees through its competition alone shows, of what else it
// plays, only what is in the key's scope itself (D24).
func TestAGuestTeamShowsNoMatchOutsideTheScope(t *testing.T) {
	s := teamMatchesStage(t)
	s.put(t, records.TeamKey(s.id("t:a")), &records.TeamRecord{
		Team:  records.Team{TeamRef: s.teamRef("a"), Season: 2025, Status: sport.Active},
		Scope: s.mine("fed"), Owner: s.id("o:elsewhere"), OwnerReach: s.mine("elsewhere").Reach,
	})
	status, body := s.get(t, fed, "/v1/teams/t:a/matches")
	if status != 200 || !strings.Contains(body, `"total":0`) {
		t.Errorf("matches outside the scope are listed: %d %s", status, body)
	}
	friendly := s.id("m:friendly")
	s.put(t, records.MatchKey(friendly), &records.MatchRecord{Match: records.Match{ID: friendly}, Scope: s.mine("fed")})
	s.restart()
	status, body = s.get(t, fed, "/v1/teams/t:a/matches")
	if status != 200 || !strings.Contains(body, `"total":1`) || !strings.Contains(body, `"m:friendly"`) {
		t.Errorf("the match in the scope alone is not listed alone: %d %s", status, body)
	}
}
