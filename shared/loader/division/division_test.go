package division_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/loader/division"
)

// read reads a dataset of two leagues of two teams, a playoff of the first, a cup
// of nobody and a friendly, with more lines at will.
func read(t *testing.T, more map[string]string) *dataset.Set {
	t.Helper()
	set, err := dataset.Read(context.Background(), folder(more), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func folder(more map[string]string) fs.FS {
	files := map[string]string{
		"organizations": `{"id":"f","type":"federation","name":"F"}`,
		"competitions": lines(
			`{"id":"a","season":2025,"name":"A","organizationId":"f"}`,
			`{"id":"b","season":2025,"name":"B","organizationId":"f"}`,
			`{"id":"cup","season":2025,"name":"C","organizationId":"f"}`,
			`{"id":"playoff","season":2025,"name":"P","organizationId":"f","parentId":"a","stage":"playoff"}`),
		"teams": lines(
			team("a1", "a"), team("a2", "a"), team("b1", "b"), team("b2", "b"), team("free", "")),
		"players": lines(
			`{"id":"pa","name":"PA","teamId":"a1"}`, `{"id":"pb","name":"PB","teamId":"b1"}`,
			`{"id":"gone","deleted":true}`, `{"id":"pf","name":"PF","teamId":"free"}`),
		"matches": lines(match("ma", "a", "a1", "a2", ""), match("mb", "b", "b1", "b2", "")),
	}
	for name, text := range more {
		files[name] = lines(files[name], text)
	}
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

func lines(all ...string) string { return strings.TrimSpace(strings.Join(all, "\n")) }

func team(id, competition string) string {
	in := ""
	if competition != "" {
		in = fmt.Sprintf(`,"competitionId":%q,"season":2025`, competition)
	}
	return fmt.Sprintf(`{"id":%q,"name":%[1]q,"shortName":%[1]q,"organizationId":"f"%s}`, id, in)
}

// match is a match of teams, in no competition where it is empty, in which a player
// scores who is named.
func match(id, competition, home, away, scorer string) string {
	in, events := "", ""
	if competition != "" {
		in = fmt.Sprintf(`,"competitionId":%q,"season":2025`, competition)
	}
	if scorer != "" {
		events = fmt.Sprintf(`,"events":[{"type":"goal","minute":3,"side":"home","playerId":%q}]`, scorer)
	}
	return fmt.Sprintf(`{"id":%q,"status":"finished","kickoffAt":"2025-08-01T12:00:00Z","homeTeamId":%q,"awayTeamId":%q,"score":{"home":1,"away":0}%s%s}`, id, home, away, in, events)
}

// keys are what a set calls records.
func keys(set *dataset.Set, p *division.Places) string {
	var of []string
	for _, i := range p.Competitions {
		of = append(of, set.Competitions[i].Key)
	}
	for _, i := range p.Teams {
		of = append(of, set.Teams[i].Key)
	}
	for _, i := range p.Players {
		of = append(of, set.Players.At(int(i)).Key)
	}
	for _, i := range p.Matches {
		of = append(of, set.Matches.At(int(i)).Key)
	}
	for _, i := range p.Standings {
		of = append(of, string(set.Standings[i].Value.Table))
	}
	return strings.Join(of, " ")
}

// Each case says which records are of each part and, in brackets, what is around it.
func TestDivide(t *testing.T) {
	for name, c := range map[string]struct {
		more map[string]string
		size int
		want []string
	}{
		"nothing joins competitions": {want: []string{"a playoff a1 a2 pa ma", "b b1 b2 pb mb", "cup", "free pf"}},
		"a friendly is of the home team's part": {
			more: map[string]string{"matches": match("x", "", "a2", "free", "")},
			want: []string{"a playoff a1 a2 pa ma x (free)", "b b1 b2 pb mb", "cup", "free pf (a2 x)"},
		},
		"a match of other competitions' teams": {
			more: map[string]string{"matches": match("x", "cup", "b1", "free", "pf")},
			want: []string{"a playoff a1 a2 pa ma", "b b1 b2 pb mb (cup free x)", "cup x (b1 free pf)", "free pf (cup b1 x)"},
		},
		"all seasons of a competition": {
			more: map[string]string{"matches": match("x", "cup", "b1", "b2", ""), "competitions": `{"id":"cup","season":2024,"name":"C","organizationId":"f"}`},
			want: []string{"a playoff a1 a2 pa ma", "b b1 b2 pb mb (cup cup x)", "cup cup x (b1 b2)", "free pf"},
		},
		"a player of another team": {
			more: map[string]string{"matches": match("x", "a", "a2", "a1", "pb")},
			want: []string{"a playoff a1 a2 pa ma x (b1 pb)", "b b1 b2 pb mb (a a1 a2 x)", "cup", "free pf"},
		},
		"a player of two other teams' matches": {
			more: map[string]string{"matches": lines(match("x", "a", "a2", "a1", "pf"), match("y", "b", "b2", "b1", "pf"))},
			want: []string{"a playoff a1 a2 pa ma x (free pf)", "b b1 b2 pb mb y (free pf)", "cup", "free pf (a b a1 a2 b1 b2 x y)"},
		},
		"the other players of a match are not around a part": {
			more: map[string]string{
				"players": `{"id":"pg","name":"PG","teamId":"a1"}`,
				"matches": strings.Replace(match("x", "cup", "b1", "b2", "pa"), `"playerId":"pa"`, `"playerId":"pa","assistId":"pg"`, 1),
			},
			want: []string{"a playoff a1 a2 pa pg ma (cup b1 b2 x)", "b b1 b2 pb mb (cup x)", "cup x (a1 b1 b2 pa pg)", "free pf"},
		},
		"a given table": {
			more: map[string]string{"standings": `{"competitionId":"cup","season":2025,"table":"regular","rows":[{"rank":1,"teamId":"b2","played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0}]}`},
			want: []string{"a playoff a1 a2 pa ma", "b b1 b2 pb mb", "cup regular (b2)", "free pf"},
		},
		"small parts are put together": {
			size: 8,
			more: map[string]string{"matches": lines(match("x", "a", "a2", "a1", "pb"), match("y", "cup", "a2", "a1", "pb"))},
			want: []string{"a b playoff a1 a2 b1 b2 pa pb ma mb x (cup y)", "cup free pf y (a1 a2 b1 pb)"},
		},
		"a size that holds all": {
			size: 1000,
			more: map[string]string{"matches": match("x", "cup", "b1", "free", "pa")},
			want: []string{"a b cup playoff a1 a2 b1 b2 free pa pb pf ma mb x"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			set := read(t, c.more)
			var got []string
			for _, p := range division.Divide(set, c.size) {
				text := keys(set, &p.Places)
				if p.Around.Len() > 0 {
					text += " (" + keys(set, &p.Around) + ")"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}
