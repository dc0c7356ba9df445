package functions

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/route"
	"touchline/shared/sport"
)

// targets are a request for every operation of a group, about the demo
// federation.
func (w *world) targets(t *testing.T, g route.Group) []string {
	t.Helper()
	var list []string
	for o := range groups.Table(endpoints.Deps{}).All() {
		if o.Group != g {
			continue
		}
		target := strings.NewReplacer("{alias}", "organizations", "{id}", w.idFor(t, g)).Replace(o.Path)
		if slices.ContainsFunc(o.Params, func(p route.Param) bool { return p.Name == "includeDescendants" }) {
			target += "?includeDescendants=true"
		}
		list = append(list, target)
	}
	if len(list) == 0 {
		t.Fatalf("%s has no operation", g)
	}
	return list
}

// idFor is the id of a record of the demo federation with everything that a
// route of the group can show: for matches, one that was played.
func (w *world) idFor(t *testing.T, g route.Group) string {
	t.Helper()
	idIn := func(sample string) string { return strings.Split(samples(t, g)[sample].RawPath, "/")[3] }
	switch g {
	case route.GroupOrganizations:
		return string(w.key.Key.Organization)
	case route.GroupTournaments:
		return idIn("competition.json")
	case route.GroupTeams:
		return idIn("players.json")
	case route.GroupPlayers:
		return idIn("player.json")
	case route.GroupMatches:
		var list struct{ Data []struct{ ID string } }
		target := "/v1/tournaments/" + w.idFor(t, route.GroupTournaments) + "/matches?status=finished&limit=1"
		if body := w.serve(t, event("GET", target)).Body; json.Unmarshal([]byte(body), &list) != nil || len(list.Data) != 1 {
			t.Fatalf("no match that was played: %s", body)
		}
		return list.Data[0].ID
	}
	return strings.Repeat("0", sport.IDLength)
}

// serve returns the response of a worker of all groups, such as `touchline
// serve`.
func (w *world) serve(t *testing.T, e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	t.Helper()
	answer, err := w.whole.Handle(t.Context(), w.sign(t, e))
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// operations compares a function with serve, byte by byte, for every operation
// of its group. Only the request id, the rate and the time of a ping may differ.
func (w *world) operations(t *testing.T, f *function, g route.Group) {
	t.Helper()
	pictures := 0
	for _, target := range w.targets(t, g) {
		for _, method := range []string{"GET", "HEAD"} {
			t.Run(method+" "+target, func(t *testing.T) {
				e := event(method, target)
				got, want := call(t, f, w.sign(t, e)), w.serve(t, e)
				if got.StatusCode != 200 {
					t.Errorf("status %d: %s", got.StatusCode, got.Body)
				}
				if diff := cmp.Diff(lasting(t, want), lasting(t, got)); diff != "" {
					t.Errorf("serve (-), function (+):\n%s", diff)
				}
				if strings.Contains(got.Body, `"photo":""`) {
					t.Error("a player has no picture")
				}
				pictures += strings.Count(got.Body, `"photo":"`+photo+`"`)
			})
		}
	}
	if pictures == 0 && g != route.GroupPing {
		t.Error("no response shows the default picture, so this tests nothing")
	}
}
