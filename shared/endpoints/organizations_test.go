package endpoints_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The keys of the tests.
var (
	fed      = key{"fed", true}
	fedAlone = key{"fed", false}
	north    = key{"north", true}
	south    = key{"south", true}
	albion   = key{"albion", false}
	ghost    = key{"ghost", true}
)

const notFound = `{"error":{"code":"notFound","message":"Not found"}}`

func TestAnOrganizationIsFoundInTheScopeOfTheKeyOnly(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct {
		key    key
		target string
		status int
	}{
		"its own":                                    {fed, "/v1/organizations/o:fed", 200},
		"its own by its type":                        {fed, "/v1/federations/o:fed", 200},
		"its own by another type":                    {fed, "/v1/associations/o:fed", 404},
		"its own, alone":                             {fedAlone, "/v1/federations/o:fed", 200},
		"its own, hidden":                            {ghost, "/v1/clubs/o:ghost", 200},
		"below, not asked for":                       {fed, "/v1/clubs/o:albion", 404},
		"below":                                      {fed, "/v1/clubs/o:albion?includeDescendants=true", 200},
		"below, said to be false":                    {fed, "/v1/clubs/o:albion?includeDescendants=false", 404},
		"below, by another type":                     {fed, "/v1/associations/o:albion?includeDescendants=true", 404},
		"below, of any type":                         {fed, "/v1/organizations/o:albion?includeDescendants=true", 200},
		"below, of a key that sees itself only":      {fedAlone, "/v1/clubs/o:albion?includeDescendants=true", 403},
		"below, over an additional parent":           {south, "/v1/clubs/o:rovers?includeDescendants=true", 200},
		"below, over a parent that is not hidden":    {south, "/v1/clubs/o:phantom?includeDescendants=true", 200},
		"over a hidden parent only":                  {north, "/v1/clubs/o:phantom?includeDescendants=true", 404},
		"over a hidden organization":                 {fed, "/v1/clubs/o:ghostyouth?includeDescendants=true", 404},
		"hidden":                                     {fed, "/v1/clubs/o:ghost?includeDescendants=true", 404},
		"private":                                    {fed, "/v1/clubs/o:private?includeDescendants=true", 404},
		"above":                                      {fed, "/v1/federations/o:union?includeDescendants=true", 404},
		"beside":                                     {north, "/v1/associations/o:south?includeDescendants=true", 404},
		"elsewhere":                                  {fed, "/v1/clubs/o:abroad?includeDescendants=true", 404},
		"unknown":                                    {fed, "/v1/clubs/o:nobody?includeDescendants=true", 404},
		"no id":                                      {fed, "/v1/organizations/fed", 404},
		"upper-case digits":                          {fed, "/v1/organizations/ABCDEFABCDEFABCDEFABCDEF", 404},
		"a team":                                     {fed, "/v1/organizations/t:albion1?includeDescendants=true", 404},
		"a tree":                                     {fed, "/v1/organizations/o:fed/tree", 200},
		"a tree below, not asked for":                {fed, "/v1/organizations/o:north/tree", 404},
		"a tree below":                               {fed, "/v1/organizations/o:north/tree?includeDescendants=true", 200},
		"a tree elsewhere":                           {fed, "/v1/organizations/o:union/tree?includeDescendants=true", 404},
		"a list of one below needs no asking":        {fed, "/v1/clubs/o:albion/teams", 200},
		"a list by another type":                     {fed, "/v1/associations/o:albion/teams", 404},
		"a list elsewhere":                           {fed, "/v1/organizations/o:other/clubs", 404},
		"a list of one above":                        {albion, "/v1/organizations/o:north/clubs", 404},
		"a list of a key that sees itself only":      {albion, "/v1/clubs/o:albion/players", 200},
		"filter by an association":                   {fed, "/v1/organizations/o:fed/clubs?associationId=o:north", 200},
		"filter by a club as an association":         {fed, "/v1/organizations/o:fed/clubs?associationId=o:albion", 404},
		"filter by an association elsewhere":         {fed, "/v1/organizations/o:fed/clubs?associationId=o:other", 404},
		"filter by a hidden club":                    {fed, "/v1/organizations/o:fed/teams?clubId=o:ghost", 404},
		"filter by the key's own, hidden club":       {ghost, "/v1/organizations/o:ghost/teams?clubId=o:ghost", 200},
		"filter by an association as a club":         {fed, "/v1/organizations/o:fed/teams?clubId=o:north", 404},
		"filter by one beside is empty":              {fed, "/v1/organizations/o:north/teams?clubId=o:city&includeDescendants=true", 200},
		"filter by what is no id":                    {fed, "/v1/organizations/o:fed/teams?clubId=albion", 404},
		"filter by a competition":                    {fed, "/v1/organizations/o:fed/teams?competitionId=c:liga", 200},
		"filter by a hidden competition":             {fed, "/v1/organizations/o:fed/teams?competitionId=c:secret", 404},
		"filter by a competition elsewhere":          {fed, "/v1/organizations/o:fed/teams?competitionId=c:foreign", 404},
		"filter by a competition above the scope":    {north, "/v1/organizations/o:north/teams?competitionId=c:liga", 404},
		"filter by a team":                           {fed, "/v1/organizations/o:fed/players?teamId=t:albion1", 200},
		"filter by a guest team":                     {fed, "/v1/organizations/o:fed/players?teamId=t:guest", 200},
		"filter by a team seen over its competition": {fed, "/v1/organizations/o:fed/players?teamId=t:abroadopen", 200},
		"filter by a team elsewhere":                 {fed, "/v1/organizations/o:fed/players?teamId=t:abroadteam", 404},
		"filter by a hidden team":                    {fed, "/v1/organizations/o:fed/competitions?teamId=t:shadow", 404},
		"filter of a key that sees itself only":      {albion, "/v1/clubs/o:albion/teams?associationId=o:north", 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, tt.key, tt.target)
			if status != tt.status || status == 404 && body != notFound {
				t.Errorf("%s: %d %s, want %d", tt.target, status, body, tt.status)
			}
		})
	}
}

func TestTheParentIsShownWhereItIsInTheScope(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct {
		key  key
		id   string
		want string
	}{
		"above the key":                    {fed, "o:fed", `null`},
		"above the key, which has more":    {north, "o:north", `null`},
		"at the top":                       {key{"union", true}, "o:union", `null`},
		"the key's own":                    {fed, "o:north", `"o:fed"`},
		"further down":                     {fed, "o:villa", `"o:island"`},
		"seen over the primary parent":     {north, "o:rovers", `"o:north"`},
		"seen over another parent":         {south, "o:rovers", `null`},
		"seen over both":                   {fed, "o:rovers", `"o:north"`},
		"hidden":                           {south, "o:phantom", `null`},
		"hidden, and the key's own":        {ghost, "o:phantom", `"o:ghost"`},
		"hidden, of a key further up":      {fed, "o:phantom", `null`},
		"of a key that sees nothing below": {albion, "o:albion", `null`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			query := ""
			if tt.key.descendants {
				query = "?includeDescendants=true"
			}
			_, body := s.get(t, tt.key, "/v1/organizations/"+tt.id+query)
			if !strings.Contains(body, `"parentId":`+tt.want) {
				t.Errorf("%s, want parentId %s", body, tt.want)
			}
		})
	}
}

func TestATreeFollowsThePrimaryParents(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct {
		key    key
		target string
		want   string
	}{
		"depth 1": {fed, "/v1/organizations/o:fed/tree?depth=1", "o:fed(o:direct o:north o:south)"},
		"depth 2, by default": {fed, "/v1/organizations/o:fed/tree",
			"o:fed(o:direct o:north(o:albion o:borough o:island o:rovers) o:south(o:city))"},
		"depth 3": {fed, "/v1/organizations/o:fed/tree?depth=3",
			"o:fed(o:direct o:north(o:albion o:borough o:island(o:villa) o:rovers) o:south(o:city))"},
		"below": {fed, "/v1/organizations/o:north/tree?includeDescendants=true&depth=3",
			"o:north(o:albion o:borough o:island(o:villa(o:villayouth)) o:rovers)"},
		"a leaf":                           {fed, "/v1/clubs/o:albion/tree?includeDescendants=true", "o:albion"},
		"of a key that sees nothing below": {fedAlone, "/v1/federations/o:fed/tree?depth=3", "o:fed"},
		"of one reached by another parent": {south, "/v1/clubs/o:rovers/tree?includeDescendants=true", "o:rovers"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, tt.key, tt.target)
			if got := outline(t, body); status != 200 || got != tt.want {
				t.Errorf("%d\n got %s\nwant %s", status, got, tt.want)
			}
			if strings.Contains(body, "truncated") {
				t.Error("truncated, and nothing was cut")
			}
		})
	}
}

func TestAnOrganizationHasItsSevenFields(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct{ target, want string }{
		"all set": {"/v1/organizations/o:fed",
			`{"data":{"id":"o:fed","type":"federation","name":"The Federation <A&B>","logo":"https://img.example/fed.png","parentId":null,"description":"Football \"here\"","season":2025}}`},
		"none set": {"/v1/organizations/o:city?includeDescendants=true",
			`{"data":{"id":"o:city","type":"club","name":"Älg City","logo":null,"parentId":"o:south","description":"","season":null}}`},
		"a node has children too": {"/v1/organizations/o:island/tree?includeDescendants=true&depth=1",
			`{"data":{"id":"o:island","type":"association","name":"Île","logo":null,"parentId":"o:north","description":"","season":null,` +
				`"children":[{"id":"o:villa","type":"club","name":"Villa","logo":null,"parentId":"o:island","description":"","season":null,"children":[]}]}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, body := s.get(t, fed, tt.target)
			if diff := cmp.Diff(tt.want, body); diff != "" {
				t.Error(diff)
			}
		})
	}
}
