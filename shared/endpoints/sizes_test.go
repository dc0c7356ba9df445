package endpoints_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// crowd is a federation with an association of one club, a competition, and
// as many more clubs as its number of organizations in all asks for. Beside
// them it has a hidden club, which nobody counts.
func crowd(organizations int) fstest.MapFS {
	var o strings.Builder
	o.WriteString(`{"id":"fed","type":"federation","name":"Federation"}
{"id":"north","type":"association","name":"North","parentId":"fed"}
{"id":"albion","type":"club","name":"Albion","parentId":"north"}
{"id":"ghost","type":"club","name":"Ghost","parentId":"fed","visibility":"hidden"}
`)
	for i := range organizations - 3 {
		o.WriteString(club(i))
	}
	return fstest.MapFS{
		"organizations.ndjson": {Data: []byte(o.String())},
		"competitions.ndjson":  {Data: []byte(`{"id":"liga","season":2025,"name":"Liga","organizationId":"fed"}`)},
		"teams.ndjson":         {Data: []byte(`{"id":"albion1","name":"Albion","shortName":"ALB","organizationId":"albion","competitionId":"liga","season":2025}`)},
		"players.ndjson":       {Data: []byte(`{"id":"ann","name":"Ann","teamId":"albion1"}`)},
	}
}

// club is one of a crowd; names are in the order of numbers.
func club(i int) string {
	return fmt.Sprintf(`{"id":"club%d","type":"club","name":"Club %05d","parentId":"fed"}`+"\n", i, i)
}

func more(clubs ...int) fstest.MapFS {
	var o strings.Builder
	for _, i := range clubs {
		o.WriteString(club(i))
	}
	return fstest.MapFS{"organizations.ndjson": {Data: []byte(o.String())}}
}

const (
	tooManyForPlayers = `{"error":{"code":"scopeTooLarge","message":"Scope too large","details":{"max":50,"requiresOneOf":["clubId","associationId","competitionId","teamId"]}}}`
	tooMany           = `{"error":{"code":"scopeTooLarge","message":"Scope too large","details":{"max":5000}}}`
)

// expect asks list routes of o:fed and compares the whole of a refusal; empty
// is an answer.
func (s *service) expect(t *testing.T, want string, targets ...string) {
	t.Helper()
	for _, target := range targets {
		status, body := s.get(t, fed, "/v1/federations/o:fed/"+target)
		if want == "" && status != 200 || want != "" && body != want {
			t.Errorf("%s: %d %.300s, want %s", target, status, body, want)
		}
	}
}

func TestPlayersOfMoreThanFiftyOrganizationsNeedAFilter(t *testing.T) {
	s := serve(t, crowd(50))
	s.expect(t, "", "players?includeDescendants=true")
	s.table.Load(t, more(60)) // now there are 51
	s.restart()
	s.expect(t, tooManyForPlayers,
		"players?includeDescendants=true",
		"players?includeDescendants=true&status=active",
		"players?includeDescendants=true&season=2025",
		"players?includeDescendants=true&page=100",
	)
	s.expect(t, "",
		"players",
		"players?includeDescendants=false",
		"players?includeDescendants=true&associationId=o:north",
		"players?includeDescendants=true&clubId=o:albion",
		"players?includeDescendants=true&competitionId=c:liga",
		"players?includeDescendants=true&teamId=t:albion1",
		"teams?includeDescendants=true",
		"clubs?includeDescendants=true",
	)
	s.expect(t, notFound, "players?includeDescendants=true&clubId=o:nobody")
	if status, _ := s.get(t, fed, "/v1/organizations/o:north/players?includeDescendants=true"); status != 200 {
		t.Errorf("players of an association that is small: %d", status)
	}
}

func TestListsOverMoreThanFiveThousandOrganizationsAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 5,000 organizations: make test-all runs it")
	}
	s := serve(t, crowd(5000))
	all := []string{
		"associations?includeDescendants=true",
		"clubs?includeDescendants=true&page=100&limit=100",
		"competitions?includeDescendants=true&status=active",
		"competitions?includeDescendants=true&teamId=t:albion1",
		"teams?includeDescendants=true&competitionId=c:liga",
		"players?includeDescendants=true&competitionId=c:liga",
		"players?includeDescendants=true&teamId=t:albion1",
	}
	s.expect(t, "", all...)
	s.table.Load(t, more(6000)) // now there are 5001
	s.restart()
	s.expect(t, tooMany, all...)
	s.expect(t, tooManyForPlayers, "players?includeDescendants=true")
	s.expect(t, notFound, "clubs?includeDescendants=true&associationId=o:albion")
	s.expect(t, "", "clubs", "competitions", "tree?depth=3",
		"clubs?includeDescendants=true&associationId=o:north",
		"competitions?includeDescendants=true&clubId=o:albion",
		"teams?includeDescendants=true&clubId=o:albion&competitionId=c:liga",
		"players?includeDescendants=true&associationId=o:north",
	)
}

func TestATreeIsCutAtFiveHundredNodes(t *testing.T) {
	s := serve(t, crowd(500))
	tree := func(query string) (n int, body string, root node) {
		_, body = s.get(t, fed, "/v1/federations/o:fed/tree?"+query)
		var reply struct{ Data node }
		if err := json.Unmarshal([]byte(body), &reply); err != nil {
			t.Fatal(err)
		}
		return reply.Data.count(), body, reply.Data
	}
	if n, body, _ := tree("depth=2"); n != 500 || strings.Contains(body, "truncated") {
		t.Errorf("%d nodes of 500: %.100s", n, body)
	}
	s.table.Load(t, more(600))
	s.restart()
	n, body, root := tree("depth=2")
	if n != 500 || !strings.HasSuffix(body, `,"truncated":true}`) {
		t.Errorf("%d nodes of 501: %.100s", n, body)
	}
	// What is cut is furthest from the root: albion, below North.
	if north := slices.IndexFunc(root.Children, func(n node) bool { return n.ID == "o:north" }); north < 0 || len(root.Children[north].Children) > 0 {
		t.Errorf("North is at %d of %d", north, len(root.Children))
	}
	if n, body, _ := tree("depth=1"); n != 500 || strings.Contains(body, "truncated") {
		t.Errorf("%d nodes of 500 on one level: %.100s", n, body)
	}
}

func (n node) count() int {
	total := 1
	for _, c := range n.Children {
		total += c.count()
	}
	return total
}
