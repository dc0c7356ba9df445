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

// keys are what a set calls the records of parts.
func keys(set *dataset.Set, parts []division.Part) []string {
	var all []string
	for _, p := range parts {
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
		all = append(all, strings.Join(of, " "))
	}
	return all
}

func TestWhatIsJoinedIsOnePart(t *testing.T) {
	for name, c := range map[string]struct {
		more map[string]string
		size int
		want []string
	}{
		"nothing joins competitions": {want: []string{"a playoff a1 a2 pa ma", "b b1 b2 pb mb", "cup", "free pf"}},
		"a friendly": {
			more: map[string]string{"matches": match("x", "", "a2", "free", "")},
			want: []string{"a playoff a1 a2 free pa pf ma x", "b b1 b2 pb mb", "cup"},
		},
		"a match of another competition's teams": {
			more: map[string]string{"matches": match("x", "cup", "b1", "free", "")},
			want: []string{"a playoff a1 a2 pa ma", "b cup b1 b2 free pb pf mb x"},
		},
		"a player of another team": {
			more: map[string]string{"matches": match("x", "a", "a2", "a1", "pb")},
			want: []string{"a b playoff a1 a2 b1 b2 pa pb ma mb x", "cup", "free pf"},
		},
		"one player in two competitions": {
			more: map[string]string{"matches": lines(match("x", "a", "a2", "a1", "pf"), match("y", "b", "b2", "b1", "pf"))},
			want: []string{"a b playoff a1 a2 b1 b2 free pa pb pf ma mb x y", "cup"},
		},
		"a given table": {
			more: map[string]string{"standings": `{"competitionId":"cup","season":2025,"table":"regular","rows":[{"rank":1,"teamId":"b2","played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0}]}`},
			want: []string{"a playoff a1 a2 pa ma", "b cup b1 b2 pb mb regular", "free pf"},
		},
		"small parts are put together": {size: 7, want: []string{"a b playoff a1 a2 b1 b2 pa pb ma mb", "cup free pf"}},
		"a size that holds all":        {size: 1000, want: []string{"a b cup playoff a1 a2 b1 b2 free pa pb pf ma mb"}},
	} {
		t.Run(name, func(t *testing.T) {
			set := read(t, c.more)
			parts := division.Divide(set, c.size)
			if diff := cmp.Diff(c.want, keys(set, parts)); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}
