package dataset

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	_ "time/tzdata" // time zones, whatever the machine has

	"touchline/shared/sport"
)

// folder is a dataset folder in memory; a file's name without extension stands
// for name.ndjson.
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

// mustRead reads a dataset that has no faults.
func mustRead(t testing.TB, files map[string]string) *Set {
	t.Helper()
	set, err := Read(t.Context(), folder(files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// faultsOf reads a dataset and gives its faults, nil for none.
func faultsOf(t testing.TB, files map[string]string) []Fault {
	t.Helper()
	_, err := Read(t.Context(), folder(files), Options{})
	if err == nil {
		return nil
	}
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	return faults.List
}

// lined joins lines of a file.
func lined(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// hash is the id of an operator's key.
func hash(kind sport.Kind, key string) sport.ID { return sport.IDFor(kind, key) }

// match is a finished friendly with further fields.
func match(fields string) string {
	line := `{"id":"m","status":"finished","kickoffAt":"2025-08-01T20:30:00+02:00","homeTeamId":"a","awayTeamId":"b",` + fields
	if !strings.Contains(fields, `"score"`) {
		line += `,"score":{"home":2,"away":1}`
	}
	return line + "}"
}

// kickoff is an upcoming match with the fields of its kick-off.
func kickoff(fields string) string {
	return `{"id":"m","competitionId":"c","status":"upcoming","homeTeamId":"a","awayTeamId":"b",` + fields + "}"
}

// competition is a record of competition c with further fields.
func competition(fields string) string {
	return `{"id":"c","name":"C","organizationId":"o",` + fields + "}"
}

// lineups are line-ups with the home side's starters and the away side's bench.
func lineups(starting, bench string) string {
	return `"lineups":{"confirmed":true,"home":{"starting":[` + starting + `],"bench":[]},"away":{"starting":[],"bench":[` + bench + `]}}`
}
