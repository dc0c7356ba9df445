package endpoints_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrganizationLists(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct {
		key    key
		target string
		want   string // in name order
	}{
		"associations are the children":            {fed, "/v1/federations/o:fed/associations?", "o:north o:south"},
		"associations below":                       {fed, "/v1/federations/o:fed/associations?includeDescendants=true", "o:island o:north o:south"},
		"associations that are active":             {fed, "/v1/federations/o:fed/associations?includeDescendants=true&status=active", "o:north o:south"},
		"associations of a key that sees none":     {fedAlone, "/v1/federations/o:fed/associations?", ""},
		"associations of a leaf":                   {fed, "/v1/clubs/o:albion/associations?includeDescendants=true", ""},
		"clubs are the children":                   {fed, "/v1/federations/o:fed/clubs?", "o:direct"},
		"clubs over primary and other parents":     {fed, "/v1/associations/o:south/clubs?", "o:city o:phantom o:rovers"},
		"clubs below, the addressed one left out":  {fed, "/v1/clubs/o:villa/clubs?includeDescendants=true", "o:villayouth"},
		"clubs in an association":                  {fed, "/v1/federations/o:fed/clubs?includeDescendants=true&associationId=o:south", "o:city o:phantom o:rovers"},
		"clubs that are children and elsewhere":    {fed, "/v1/associations/o:north/clubs?associationId=o:south", "o:rovers"},
		"clubs below both":                         {fed, "/v1/associations/o:north/clubs?associationId=o:south&includeDescendants=true", "o:rovers"},
		"clubs that are children of one below":     {fed, "/v1/federations/o:fed/clubs?associationId=o:north", ""},
		"competitions are owned":                   {fed, "/v1/federations/o:fed/competitions?", "c:liga c:liga-playoff c:liga-playout c:returning"},
		"competitions below":                       {fed, "/v1/federations/o:fed/competitions?includeDescendants=true", "c:cup c:houseleague c:liga c:liga-playoff c:liga-playout c:open c:returning c:women"},
		"competitions of the current season only":  {fed, "/v1/federations/o:fed/competitions?includeDescendants=true&season=2024", "c:returning c:women"},
		"competitions active":                      {fed, "/v1/federations/o:fed/competitions?includeDescendants=true&status=active", "c:houseleague c:liga c:liga-playoff c:open c:returning"},
		"competitions completed":                   {fed, "/v1/federations/o:fed/competitions?includeDescendants=true&status=completed", "c:cup c:liga-playout"},
		"competitions by gender":                   {fed, "/v1/federations/o:fed/competitions?includeDescendants=true&gender=women", "c:women"},
		"competitions that a club is entered in":   {fed, "/v1/federations/o:fed/competitions?includeDescendants=true&clubId=o:albion", "c:cup c:liga c:liga-playoff"},
		"competitions that a club owns":            {fed, "/v1/federations/o:fed/competitions?includeDescendants=true&clubId=o:villa", "c:cup c:houseleague"},
		"competitions of a club, owned":            {fed, "/v1/federations/o:fed/competitions?clubId=o:albion", "c:liga c:liga-playoff"},
		"competitions of a club, completed":        {fed, "/v1/federations/o:fed/competitions?clubId=o:albion&status=completed", ""},
		"competitions of a club in an association": {fed, "/v1/federations/o:fed/competitions?includeDescendants=true&clubId=o:albion&associationId=o:north", "c:cup"},
		"competitions of a team":                   {fed, "/v1/federations/o:fed/competitions?teamId=t:albion1", "c:liga"},
		"competitions of a guest":                  {fed, "/v1/federations/o:fed/competitions?teamId=t:guest", "c:liga"},
		"competitions of an archived team":         {fed, "/v1/federations/o:fed/competitions?teamId=t:albion24", ""},
		"competitions of a team without":           {fed, "/v1/federations/o:fed/competitions?teamId=t:fedteam", ""},
		"competitions of a team, hidden":           {fed, "/v1/federations/o:fed/competitions?teamId=t:albionsecret", ""},
		"competitions of a team, owned elsewhere":  {fed, "/v1/federations/o:fed/competitions?teamId=t:albioncup", ""},
		"competitions of a team and another club":  {fed, "/v1/federations/o:fed/competitions?teamId=t:albion1&clubId=o:city", "c:liga"},
		"competitions of a team and a club not in": {fed, "/v1/federations/o:fed/competitions?teamId=t:albion1&clubId=o:villa", ""},
		"teams are owned":                          {fed, "/v1/federations/o:fed/teams?", "t:fedteam t:fedopen"},
		"teams below, hidden ones left out":        {fed, "/v1/associations/o:north/teams?includeDescendants=true", "t:albioncup t:albion1 t:po-albion t:albionsecret t:rovers1 t:villacup"},
		"teams in a competition":                   {fed, "/v1/federations/o:fed/teams?includeDescendants=true&competitionId=c:liga", "t:albion1 t:city1 t:rovers1"},
		"teams in a competition, owned":            {fed, "/v1/federations/o:fed/teams?competitionId=c:open", "t:fedopen"},
		"teams in a competition of a club":         {fed, "/v1/federations/o:fed/teams?includeDescendants=true&competitionId=c:liga&clubId=o:city", "t:city1"},
		"teams of a season":                        {fed, "/v1/federations/o:fed/teams?includeDescendants=true&season=2024", "t:citywomen"},
		"teams that are inactive":                  {fed, "/v1/federations/o:fed/teams?includeDescendants=true&status=inactive", "t:rovers1"},
		"teams of a key that sees itself only":     {fedAlone, "/v1/federations/o:fed/teams?", "t:fedteam t:fedopen"},
		"teams of a hidden organization's key":     {ghost, "/v1/clubs/o:ghost/teams?", "t:ghost1"},
		"players are those of owned teams":         {fed, "/v1/federations/o:fed/players?", "p:ida p:kim"},
		"players below":                            {fed, "/v1/federations/o:fed/players?includeDescendants=true&associationId=o:north", "p:ann p:bob p:cid p:fay p:fin"},
		"players of a team":                        {fed, "/v1/federations/o:fed/players?includeDescendants=true&teamId=t:albion1&status=active", "p:ann p:bob"},
		"players of a team, which is not owned":    {fed, "/v1/federations/o:fed/players?teamId=t:albion1", ""},
		"players of a team in another club":        {fed, "/v1/federations/o:fed/players?includeDescendants=true&teamId=t:albion1&clubId=o:city", ""},
		"players of an archived team":              {fed, "/v1/federations/o:fed/players?includeDescendants=true&teamId=t:albion24", ""},
		"players of a guest":                       {fed, "/v1/federations/o:fed/players?includeDescendants=true&teamId=t:guest", ""},
		"players in a competition, one lent":       {fed, "/v1/federations/o:fed/players?includeDescendants=true&competitionId=c:liga", "p:ann p:bob p:cid p:fay p:gus"},
		"players of a team lent to a competition":  {fed, "/v1/federations/o:fed/players?includeDescendants=true&competitionId=c:liga&teamId=t:albioncup", "p:fay"},
		"players in a competition, owned":          {fed, "/v1/federations/o:fed/players?competitionId=c:open", "p:ida"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, tt.key, strings.TrimSuffix(tt.target, "?")+separator(tt.target)+"sort=name&limit=100")
			got, total := ids(t, body)
			if want := strings.Fields(tt.want); status != 200 || total != len(want) || strings.Join(got, " ") != tt.want {
				t.Errorf("%s: %d, total %d\n got %v\nwant %v", tt.target, status, total, got, want)
			}
		})
	}
}

func separator(target string) string {
	if strings.HasSuffix(target, "?") {
		return "?"
	}
	return "&"
}

func TestAPageIsPartOfTheList(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	const list = "/v1/associations/o:south/clubs?includeDescendants=true&"
	tests := map[string]struct{ query, want, envelope string }{
		"by name":            {"sort=name", "o:city o:phantom o:rovers", `"page":1,"limit":25,"total":3,"hasMore":false`},
		"by name, reverse":   {"sort=-name", "o:rovers o:phantom o:city", `"page":1,"limit":25,"total":3,"hasMore":false`},
		"first of two pages": {"sort=name&limit=2", "o:city o:phantom", `"page":1,"limit":2,"total":3,"hasMore":true`},
		"last of two pages":  {"sort=name&limit=2&page=2", "o:rovers", `"page":2,"limit":2,"total":3,"hasMore":false`},
		"reverse, last page": {"sort=-name&limit=2&page=2", "o:city", `"page":2,"limit":2,"total":3,"hasMore":false`},
		"a full last page":   {"sort=name&limit=3", "o:city o:phantom o:rovers", `"page":1,"limit":3,"total":3,"hasMore":false`},
		"beyond the end":     {"sort=name&limit=2&page=5000", "", `"page":5000,"limit":2,"total":3,"hasMore":false`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, body := s.get(t, fed, list+tt.query)
			got, _ := ids(t, body)
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			if !strings.HasSuffix(body, "],"+tt.envelope+"}") || tt.want == "" && !strings.HasPrefix(body, `{"data":[],`) {
				t.Error(body)
			}
		})
	}
}

func TestItemsOfOrganizationLists(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct{ target, want string }{
		"competition": {"/v1/federations/o:fed/competitions?teamId=t:albion1",
			`{"id":"c:liga","name":"Liga","logo":"https://img.example/liga.png","type":"league","season":2025,"stage":"regular","timezone":"Europe/Vienna",` +
				`"gender":"men","completed":false,"hasPlayoff":true,"hasPlayout":true,"groupCount":2,"organizationId":"o:fed"}`},
		"team": {"/v1/clubs/o:albion/teams?competitionId=c:liga",
			`{"id":"t:albion1","name":"Albion I","shortName":"ALB","logo":"https://img.example/albion1.png",` +
				`"organizationId":"o:albion","competitionId":"c:liga","season":2025,"group":"Group A","status":"active"}`},
		"team without a competition": {"/v1/federations/o:fed/teams?sort=name&limit=1",
			`{"id":"t:fedteam","name":"Select","shortName":"SEL","logo":null,"organizationId":"o:fed","competitionId":null,"season":null,"group":null,"status":"active"}`},
		"player": {"/v1/clubs/o:albion/players?sort=name&limit=1",
			`{"id":"p:ann","name":"Ann","number":7,"position":"forward","photo":"https://img.example/ann.png","teamId":"t:albion1",` +
				`"team":{"id":"t:albion1","name":"Albion I","shortName":"ALB","logo":"https://img.example/albion1.png"}}`},
		"player without a number": {"/v1/federations/o:fed/players?competitionId=c:open",
			`{"id":"p:ida","name":"Ida","number":0,"position":null,"photo":"https://img.example/nobody.png","teamId":"t:fedopen",` +
				`"team":{"id":"t:fedopen","name":"Select Open","shortName":"SEL","logo":null}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, body := s.get(t, fed, tt.target)
			data, _, _ := strings.Cut(strings.TrimPrefix(body, `{"data":[`), `],"page"`)
			if diff := cmp.Diff(tt.want, data); diff != "" {
				t.Error(diff)
			}
		})
	}
}
