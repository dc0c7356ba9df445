// Package datasettest has small datasets as text, for the tests of the packages
// that read and write the dataset format.
package datasettest

import (
	"strings"
	"testing/fstest"
)

// Folder is a dataset folder in memory; a file's name without extension is
// short for name.ndjson.
func Folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		if !strings.Contains(name, ".") {
			name += ".ndjson"
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// Lined joins lines of a file.
func Lined(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// Match is a finished friendly with further fields.
func Match(fields string) string {
	line := `{"id":"m","status":"finished","kickoffAt":"2025-08-01T20:30:00+02:00","homeTeamId":"a","awayTeamId":"b",` + fields
	if !strings.Contains(fields, `"score"`) {
		line += `,"score":{"home":2,"away":1}`
	}
	return line + "}"
}

// Lineups are line-ups with the home side's starters and the away side's bench.
func Lineups(starting, bench string) string {
	return `"lineups":{"confirmed":true,"home":{"starting":[` + starting + `],"bench":[]},"away":{"starting":[],"bench":[` + bench + `]}}`
}

// Federation is a dataset whose references are whole.
func Federation() map[string]string {
	return map[string]string{
		"organizations": Lined(`{"id":"f","type":"federation","name":"F"}`, `{"id":"o","type":"club","name":"O","parentId":"f","additionalParentIds":["x"]}`,
			`{"id":"x","type":"association","name":"X","parentId":"f"}`),
		"competitions": Lined(
			`{"id":"c","season":2001,"name":"C","organizationId":"f","groups":[{"id":"g1","name":"G","order":1}]}`,
			`{"id":"c","season":2002,"name":"C","organizationId":"f","groups":[{"id":"g2","name":"G","order":1}]}`,
			`{"id":"d","season":2002,"name":"D","organizationId":"f","stage":"playoff","parentId":"c","groups":[{"id":"h","name":"H","order":1}]}`),
		"teams": Lined(`{"id":"a","name":"A","shortName":"A","organizationId":"o","competitionId":"c","season":2002,"group":"g2"}`,
			`{"id":"b","name":"B","shortName":"B","competitionId":"c","group":"g1"}`),
		"players": Lined(`{"id":"p","name":"P","teamId":"a"}`, `{"id":"q","name":"Q","teamId":"b"}`),
		"matches": Lined(`{"id":"m","competitionId":"c","season":2002,"group":"g2","status":"finished","score":{"home":1,"away":0},"kickoffAt":"2025-08-01T20:30:00Z","homeTeamId":"a","awayTeamId":"b",` +
			Lineups(`{"playerId":"p"}`, `{"playerId":"q"}`) + `,"events":[{"type":"goal","minute":1,"side":"home","playerId":"p","assistId":"q"}]}`),
		"standings": Lined(`{"competitionId":"c","season":2002,"table":"playoff","rows":[{"teamId":"a","rank":1,"played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0,"group":"h"}]}`),
	}
}

// WholeMatch has every field that a match can have.
const WholeMatch = `{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffLocal":"2025-08-01","homeTeamId":"a","awayTeamId":"b",` +
	`"score":{"home":1,"away":1},"penalties":{"home":4,"away":3},"extraTime":true,"leg":2,"twoLegs":true,"winner":"away","round":7,"group":"g","visibility":"hidden",` +
	`"lineups":{"confirmed":true,"home":{"formation":"4-4-2","coach":"Änne","starting":[{"playerId":"p","captain":true,"position":"goalkeeper","grid":"1:10"},{"playerId":"q"}],"bench":[{"playerId":"r"}]},"away":{"starting":[],"bench":[]}},` +
	`"events":[{"type":"period","detail":"start","minute":0,"side":"home"},{"id":"own","type":"goal","minute":90,"extraMinute":4,"side":"away","playerId":"p","assistId":"q"},` +
	`{"type":"substitution","minute":46,"side":"home","playerInId":"r","playerOutId":"q"},{"type":"missedPenalty","minute":106,"side":"home"},` +
	`{"type":"card","detail":"red","period":"firstHalf","minute":91,"side":"away"},{"type":"shootoutPenalty","detail":"saved","minute":120,"side":"home","playerId":"p"}],` +
	`"statistics":{"home":{"possession":0,"penalties":14},"away":{"shots":2},"periods":[{"period":"extraTimeFirst","home":{"passes":12},"away":{}}]}}`
