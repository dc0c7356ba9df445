package regulations_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/dataset/format"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// matchRecord is a finished match in matches.ndjson, of teams that are called by
// their names.
type matchRecord struct {
	ID            string        `json:"id"`
	CompetitionID string        `json:"competitionId"`
	Season        int           `json:"season"`
	Status        string        `json:"status"`
	KickoffAt     string        `json:"kickoffAt"`
	HomeTeamID    string        `json:"homeTeamId"`
	AwayTeamID    string        `json:"awayTeamId"`
	Score         *sides        `json:"score"`
	ExtraTime     bool          `json:"extraTime,omitempty"`
	Penalties     *sides        `json:"penalties,omitempty"`
	Points        *sides        `json:"points,omitempty"`
	Events        []eventRecord `json:"events,omitempty"`
}

type sides struct {
	Home int `json:"home"`
	Away int `json:"away"`
}

type eventRecord struct {
	Type   string `json:"type"`
	Detail string `json:"detail"`
	Minute int    `json:"minute"`
	Side   string `json:"side"`
}

const season = 2025

// load makes a dataset of a competition with the rules given, as a child of one
// with the matches before where rules carry something over, and returns what its
// table is computed from, and the names of its teams.
func load(t *testing.T, rules string, before, matches []matchRecord) (standings.Input, map[sport.ID]string) {
	t.Helper()
	files := fstest.MapFS{"organizations.ndjson": {Data: []byte(`{"id":"federation","type":"federation","name":"Federation"}` + "\n")}}
	write := func(kind string, record any) {
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		name := kind + ".ndjson"
		if files[name] == nil {
			files[name] = &fstest.MapFile{}
		}
		files[name].Data = append(append(files[name].Data, line...), '\n')
	}
	competition := func(id, rules string, matches []matchRecord) {
		record := map[string]any{"id": id, "season": season, "name": id, "organizationId": "federation", "rules": json.RawMessage(rules)}
		if id == "child" {
			record["parentId"], record["stage"], record["format"] = "parent", "playoff", "league"
		}
		write("competitions", record)
		entered := map[string]bool{}
		for i, m := range matches {
			for _, name := range []*string{&m.HomeTeamID, &m.AwayTeamID} {
				key := id + "/" + *name
				if !entered[key] {
					entered[key] = true
					write("teams", map[string]any{"id": key, "name": *name, "shortName": *name, "competitionId": id, "season": season})
				}
				*name = key
			}
			m.ID, m.CompetitionID, m.Season, m.Status = fmt.Sprintf("%s/%d", id, i), id, season, "finished"
			m.KickoffAt = fmt.Sprintf("2025-01-01T%02d:%02d:00Z", i/60, i%60)
			write("matches", m)
		}
	}
	isChild := before != nil || strings.Contains(spelledOut(rules), `"carry"`)
	if !isChild {
		competition("alone", rules, matches)
	} else {
		competition("parent", `{}`, before)
		competition("child", rules, matches)
	}
	set, err := format.Read(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatalf("%s: %v", rules, err)
	}
	if !isChild {
		return seasonOf(set, "alone", season)
	}
	in, names := seasonOf(set, "child", season)
	parent, _ := seasonOf(set, "parent", season)
	in.Parent = &standings.Parent{Input: parent}
	// The table before was made by the same rules, but for what is carried.
	in.Parent.Rules, in.Parent.Rules.Carry = in.Rules, nil
	return in, names
}
