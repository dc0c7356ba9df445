package format

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	_ "time/tzdata" // time zones, whatever the machine has

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// folder is a dataset folder in memory; a file's name without extension is
// short for name.ndjson.
func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		if !strings.Contains(name, ".") {
			name += ".ndjson"
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// lined joins lines of a file.
func lined(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// match is a finished friendly with further fields.
func match(fields string) string {
	line := `{"id":"m","status":"finished","kickoffAt":"2025-08-01T20:30:00+02:00","homeTeamId":"a","awayTeamId":"b",` + fields
	if !strings.Contains(fields, `"score"`) {
		line += `,"score":{"home":2,"away":1}`
	}
	return line + "}"
}

// lineups are line-ups with the home side's starters and the away side's bench.
func lineups(starting, bench string) string {
	return `"lineups":{"confirmed":true,"home":{"starting":[` + starting + `],"bench":[]},"away":{"starting":[],"bench":[` + bench + `]}}`
}

// federation is a dataset whose references are whole.
func federation() map[string]string {
	return map[string]string{
		"organizations": lined(`{"id":"f","type":"federation","name":"F"}`, `{"id":"o","type":"club","name":"O","parentId":"f","additionalParentIds":["x"]}`,
			`{"id":"x","type":"association","name":"X","parentId":"f"}`),
		"competitions": lined(
			`{"id":"c","season":2001,"name":"C","organizationId":"f","groups":[{"id":"g1","name":"G","order":1}]}`,
			`{"id":"c","season":2002,"name":"C","organizationId":"f","groups":[{"id":"g2","name":"G","order":1}]}`,
			`{"id":"d","season":2002,"name":"D","organizationId":"f","stage":"playoff","parentId":"c","groups":[{"id":"h","name":"H","order":1}]}`),
		"teams": lined(`{"id":"a","name":"A","shortName":"A","organizationId":"o","competitionId":"c","season":2002,"group":"g2"}`,
			`{"id":"b","name":"B","shortName":"B","competitionId":"c","group":"g1"}`),
		"players": lined(`{"id":"p","name":"P","teamId":"a"}`, `{"id":"q","name":"Q","teamId":"b"}`),
		"matches": lined(`{"id":"m","competitionId":"c","season":2002,"group":"g2","status":"finished","score":{"home":1,"away":0},"kickoffAt":"2025-08-01T20:30:00Z","homeTeamId":"a","awayTeamId":"b",` +
			lineups(`{"playerId":"p"}`, `{"playerId":"q"}`) + `,"events":[{"type":"goal","minute":1,"side":"home","playerId":"p","assistId":"q"}]}`),
		"standings": lined(`{"competitionId":"c","season":2002,"table":"playoff","rows":[{"teamId":"a","rank":1,"played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0,"group":"h"}]}`),
	}
}

// wholeMatch has every field that a match can have.
const wholeMatch = `{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffLocal":"2025-08-01","homeTeamId":"a","awayTeamId":"b",` +
	`"score":{"home":1,"away":1},"penalties":{"home":4,"away":3},"extraTime":true,"leg":2,"twoLegs":true,"winner":"away","round":7,"group":"g","visibility":"hidden",` +
	`"lineups":{"confirmed":true,"home":{"formation":"4-4-2","coach":"Änne","starting":[{"playerId":"p","captain":true,"position":"goalkeeper","grid":"1:10"},{"playerId":"q"}],"bench":[{"playerId":"r"}]},"away":{"starting":[],"bench":[]}},` +
	`"events":[{"type":"period","detail":"start","minute":0,"side":"home"},{"id":"own","type":"goal","minute":90,"extraMinute":4,"side":"away","playerId":"p","assistId":"q"},` +
	`{"type":"substitution","minute":46,"side":"home","playerInId":"r","playerOutId":"q"},{"type":"missedPenalty","minute":106,"side":"home"},` +
	`{"type":"card","detail":"red","period":"firstHalf","minute":91,"side":"away"},{"type":"shootoutPenalty","detail":"saved","minute":120,"side":"home","playerId":"p"}],` +
	`"statistics":{"home":{"possession":0,"penalties":14},"away":{"shots":2},"periods":[{"period":"extraTimeFirst","home":{"passes":12},"away":{}}]}}`

// mustRead reads a dataset that has no faults.
func mustRead(t testing.TB, files map[string]string) *dataset.Set {
	t.Helper()
	set, err := Read(t.Context(), folder(files), Options{})
	must(t, err)
	return set
}

// faultsOf reads a dataset and gives its faults, nil for none.
func faultsOf(t testing.TB, files map[string]string) []dataset.Fault {
	t.Helper()
	_, err := Read(t.Context(), folder(files), Options{})
	if err == nil {
		return nil
	}
	var faults *dataset.Faults
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	return faults.List
}

// hash is the id of an operator's key.
func hash(kind sport.Kind, key string) sport.ID { return sport.IDFor(kind, key) }

// kickoff is an upcoming match with the fields of its kick-off.
func kickoff(fields string) string {
	return `{"id":"m","competitionId":"c","status":"upcoming","homeTeamId":"a","awayTeamId":"b",` + fields + "}"
}

// competition is a record of competition c with further fields.
func competition(fields string) string {
	return `{"id":"c","name":"C","organizationId":"o",` + fields + "}"
}

// stored is a store that holds one record.
func stored(line string) Lookup {
	return func(_ context.Context, _ sport.Kind, wanted []Wanted) ([][]byte, error) {
		lines := make([][]byte, len(wanted))
		for i, w := range wanted {
			if strings.Contains(line, `"id":"`+w.Key+`"`) {
				lines[i] = []byte(line)
			}
		}
		return lines, nil
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
