package route_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/route"
	"touchline/shared/sport"
)

func sampleTable() *route.Table {
	return route.NewTable(
		echo[route.None](route.Row{Group: route.GroupPing, Path: "/v1/ping"}),
		echo[route.None](row("/v1/{alias}/{id}")),
		echo[route.None](row("/v1/{alias}/{id}/tree")),
		echo[route.None](row("/v1/{alias}/{id}/clubs")),
		echo[route.None](row("/v1/teams/{id}")),
		echo[route.None](row("/v1/teams/{id}/players")),
		echo[route.None](row("/v1/tournaments/{id}/top-scorers")),
	)
}

func TestMatching(t *testing.T) {
	type match struct {
		Path  string
		Alias route.Alias
		ID    string
	}
	tests := []struct {
		name, path string
		want       match // zero: none
	}{
		{"no placeholder", "/v1/ping", match{Path: "/v1/ping"}},
		{"alias", "/v1/clubs/x", match{"/v1/{alias}/{id}", route.Clubs, "x"}},
		{"another alias", "/v1/federations/x/tree", match{"/v1/{alias}/{id}/tree", route.Federations, "x"}},
		{"a tail that is an alias too", "/v1/associations/x/clubs", match{"/v1/{alias}/{id}/clubs", route.Associations, "x"}},
		{"id", "/v1/teams/x", match{"/v1/teams/{id}", "", "x"}},
		{"id and tail", "/v1/teams/x/players", match{"/v1/teams/{id}/players", "", "x"}},
		{"an escape is part of the id", "/v1/teams/a%2Fb", match{"/v1/teams/{id}", "", "a%2Fb"}},
		{"any bytes are an id", "/v1/teams/..%00\xff", match{"/v1/teams/{id}", "", "..%00\xff"}},
		{"dots are not cleaned", "/v1/teams/..", match{"/v1/teams/{id}", "", ".."}},
		{"a tail as an id", "/v1/teams/players", match{"/v1/teams/{id}", "", "players"}},
		{"a dash", "/v1/tournaments/x/top-scorers", match{"/v1/tournaments/{id}/top-scorers", "", "x"}},
		{"nothing", "", match{}},
		{"root", "/", match{}},
		{"prefix", "/v1", match{}},
		{"prefix and slash", "/v1/", match{}},
		{"other version", "/v2/ping", match{}},
		{"no leading slash", "v1/ping", match{}},
		{"capitals", "/v1/Ping", match{}},
		{"trailing slash", "/v1/ping/", match{}},
		{"trailing slash after an id", "/v1/teams/x/", match{}},
		{"trailing slash after a tail", "/v1/teams/x/players/", match{}},
		{"double slash", "/v1//ping", match{}},
		{"double slash before an id", "/v1/teams//x", match{}},
		{"double slash before a tail", "/v1/teams/x//players", match{}},
		{"no id", "/v1/teams", match{}},
		{"no id with a slash", "/v1/teams/", match{}},
		{"an escaped literal", "/v1/p%69ng", match{}},
		{"an escaped tail", "/v1/teams/x/player%73", match{}},
		{"an id on ping", "/v1/ping/x", match{}},
		{"unknown tail", "/v1/teams/x/tree", match{}},
		{"one segment more", "/v1/teams/x/players/y", match{}},
		{"the placeholder itself", "/v1/{alias}/x", match{}},
		{"dot segments", "/v1/./ping", match{}},
		{"a parameter in the path", "/v1/ping;a=1", match{}},
	}
	table := sampleTable()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got match
			if o, p, ok := table.Match(tt.path); ok {
				got = match{o.Path, p.Alias, p.ID}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMatchingAllocatesNothing(t *testing.T) {
	table := sampleTable()
	if n := testing.AllocsPerRun(100, func() { table.Match("/v1/associations/64b7f0c2a1d3e4f5a6b7c8d9/clubs") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAliasesAcceptTheirTypeOnly(t *testing.T) {
	types := []sport.OrganizationType{sport.Federation, sport.Association, sport.Club}
	want := map[route.Alias][]sport.OrganizationType{
		route.Organizations: types, route.Federations: types[:1], route.Associations: types[1:2], route.Clubs: types[2:],
	}
	got := map[route.Alias][]sport.OrganizationType{}
	for _, a := range route.Aliases() {
		for _, typ := range types {
			if a.Type() == "" || a.Type() == typ {
				got[a] = append(got[a], typ)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParametersAreDescribed(t *testing.T) {
	want := []route.Param{
		{Name: "from", Form: route.FormInstant, Summary: "Earliest kickoff, ISO 8601; a date alone is the start of that UTC day."},
		{Name: "to", Form: route.FormInstant, Summary: "Latest kickoff, ISO 8601; a date alone is the end of that UTC day."},
		{Name: "status", Form: route.FormEnum, Enum: []string{"upcoming", "live", "finished", "postponed"}, Summary: "State of the match."},
		{Name: "page", Form: route.FormInteger, Default: "1", Min: 1, Summary: "Page of the list, from 1."},
		{Name: "limit", Form: route.FormInteger, Default: "25", Min: 1, Max: 100, Summary: "Items on a page."},
	}
	o := echo[times](row("/v1/tournaments/{id}/matches"))
	if diff := cmp.Diff(want, o.Params); diff != "" {
		t.Error(diff)
	}
	if o.ReplyType.Name() != "times" {
		t.Error(o.ReplyType)
	}
}

func TestWrongDefinitionsPanic(t *testing.T) {
	type unexported struct {
		a int `query:"a" min:"1" max:"2" doc:"A."` //nolint:unused // the point of the case
	}
	type noDoc struct {
		A int `query:"a" min:"1" max:"2"`
	}
	type noMax struct {
		A int `query:"a" min:"1" doc:"A."`
	}
	type tooMany struct {
		A int `query:"a" min:"1" max:"1000000000" doc:"A."`
	}
	type noEnum struct {
		A string `query:"a" doc:"A."`
	}
	type badDefault struct {
		A int `query:"a" default:"3" min:"1" max:"2" doc:"A."`
	}
	type float struct {
		A float64 `query:"a" doc:"A."`
	}
	type noDay struct {
		A route.Bound `query:"a" doc:"A."`
	}
	type twice struct {
		route.Season
		Year int `query:"season" min:"1" max:"2" doc:"A."`
	}
	type pageAlone struct {
		Page int `query:"page" min:"1" max:"2" doc:"A."`
	}
	type fromAlone struct {
		From route.Bound `query:"from" day:"start" doc:"A."`
	}
	window := func(define func(route.Row) route.Operation) func() {
		return func() { define(route.Row{Group: route.GroupTeams, Path: "/v1/teams/{id}", Window: true}) }
	}
	params := func(define func(route.Row) route.Operation) func() {
		return func() { define(row("/v1/teams/{id}")) }
	}
	path := func(p string) func() { return func() { echo[route.None](row(p)) } }
	tests := []struct {
		name, says string
		define     func()
	}{
		{"not a struct", "not a struct", params(echo[int])},
		{"an unexported field", "exported", params(echo[unexported])},
		{"no doc", "doc", params(echo[noDoc])},
		{"no max", "max", params(echo[noMax])},
		{"more than nine digits", "max", params(echo[tooMany])},
		{"no enum", "enum", params(echo[noEnum])},
		{"a default out of bounds", "default", params(echo[badDefault])},
		{"a type without a form", "float64", params(echo[float])},
		{"no day", "day", params(echo[noDay])},
		{"a name twice", "season is there already", params(echo[twice])},
		{"page alone", "page and limit", params(echo[pageAlone])},
		{"from alone", "from and to", params(echo[fromAlone])},
		{"a window without page", "window", window(echo[route.None])},
		{"no prefix", "begins with", path("/ping")},
		{"an empty name", "a path is", path("/v1/")},
		{"a trailing slash", "a path is", path("/v1/teams/{id}/")},
		{"two names", "a path is", path("/v1/teams/players")},
		{"four segments", "a path is", path("/v1/teams/{id}/players/all")},
		{"an unknown placeholder", "a path is", path("/v1/{name}/{id}")},
		{"alias without id", "{alias} needs", path("/v1/{alias}")},
		{"an unknown group", "group", func() { echo[route.None](route.Row{Group: "x", Path: "/v1/ping"}) }},
		{"one path twice", "same path", func() {
			route.NewTable(echo[route.None](row("/v1/{alias}/{id}")), echo[route.None](row("/v1/clubs/{id}")))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, tt.says) {
					t.Errorf("panic says %q, want %q in it", said, tt.says)
				}
			}()
			tt.define()
		})
	}
}
