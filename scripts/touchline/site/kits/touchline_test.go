package touchline

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/openapi"
)

// bodies are what the data of each route is decoded into.
func bodies() map[string]any {
	return map[string]any{
		"/v1/ping":                         new(PingReply),
		"/v1/{alias}/{id}":                 new(Organization),
		"/v1/{alias}/{id}/tree":            new(TreeNode),
		"/v1/{alias}/{id}/associations":    new([]Organization),
		"/v1/{alias}/{id}/clubs":           new([]Organization),
		"/v1/{alias}/{id}/competitions":    new([]ListedCompetition),
		"/v1/{alias}/{id}/teams":           new([]ListedTeam),
		"/v1/{alias}/{id}/players":         new([]ListedPlayer),
		"/v1/tournaments/{id}":             new(TournamentsCompetitionReply),
		"/v1/tournaments/{id}/matches":     new([]Match),
		"/v1/tournaments/{id}/standings":   new(Standings),
		"/v1/tournaments/{id}/groups":      new(Groups),
		"/v1/tournaments/{id}/teams":       new([]ListedTeam),
		"/v1/tournaments/{id}/players":     new([]ListedPlayer),
		"/v1/tournaments/{id}/statistics":  new(CompetitionStatistics),
		"/v1/tournaments/{id}/top-scorers": new([]Scorer),
		"/v1/tournaments/{id}/cards":       new([]Cards),
		"/v1/matches/{id}":                 new(MatchesReply),
		"/v1/matches/{id}/lineups":         new(Lineups),
		"/v1/matches/{id}/events":          new(Events),
		"/v1/matches/{id}/statistics":      new(MatchStatistics),
		"/v1/teams/{id}":                   new(TeamsReply),
		"/v1/teams/{id}/players":           new([]SquadPlayer),
		"/v1/teams/{id}/matches":           new([]ListedMatch),
		"/v1/teams/{id}/statistics":        new(TeamStatistics),
		"/v1/players/{id}":                 new(PlayersReply),
		"/v1/players/{id}/statistics":      new(PlayerStatistics),
		"/v1/players/{id}/matches":         new([]PlayedMatch),
	}
}

// TestTheTypesHoldEveryExample: nothing of a body is lost.
func TestTheTypesHoldEveryExample(t *testing.T) {
	examples := openapi.Examples()
	if len(examples) != len(bodies()) {
		t.Errorf("%d examples, %d types", len(examples), len(bodies()))
	}
	for path, into := range bodies() {
		var body struct{ Data json.RawMessage }
		if err := json.Unmarshal(examples[path].Body, &body); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		d := json.NewDecoder(bytes.NewReader(body.Data))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		again, err := json.Marshal(into)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := plain(t, body.Data), plain(t, again); !reflect.DeepEqual(want, got) {
			t.Errorf("%s: %s", path, cmp.Diff(want, got))
		}
	}
}

func plain(t *testing.T, text []byte) any {
	t.Helper()
	text = bytes.ReplaceAll(text, []byte(`.000Z"`), []byte(`Z"`)) // times to the second
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return withoutNull(v)
}

// withoutNull is a value without what is null: in a row of two kinds a field that
// is missing and one that is null are both nil.
func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, inner any) bool { return withoutNull(inner) == nil })
	case []any:
		for _, inner := range v {
			withoutNull(inner)
		}
	}
	return v
}
