package format

import (
	"strings"
	"testing"
	"touchline/shared/dataset"
)

// After Release the set still knows where its records are.
func TestReleaseKeepsTheOrigins(t *testing.T) {
	set := mustRead(t, map[string]string{"matches": lined("", match(`"round":1`))})
	set.Release()
	if at := set.Origin("match", hash("match", "m")); set.Matches.Len() != 0 || at.Line != 2 {
		t.Errorf("%d matches are left, m is at %v", set.Matches.Len(), at)
	}
}

// The line of a record and its kick-off are packed as differences.
func TestLinesAndKickoffsSurvivePacking(t *testing.T) {
	kickoffs := []string{"0001-01-01T00:00:00.001Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"}
	var lines []string
	for i, k := range kickoffs {
		lines = append(lines, "", `{"id":"`+k+`","status":"upcoming","kickoffAt":"`+k+`","homeTeamId":"a`+strings.Repeat("x", i)+`","awayTeamId":"b"}`)
	}
	set := mustRead(t, map[string]string{"matches": lined(lines...)})
	check := func(i, of int) {
		m := set.Matches.At(i)
		if got := m.Value.Base.Kickoff.Format("2006-01-02T15:04:05.999Z07:00"); got != kickoffs[of] || m.Key != kickoffs[of] || m.Origin != (dataset.Origin{File: "matches.ndjson", Line: 2*of + 2}) {
			t.Errorf("match %d is %q at %s, on line %v", of, m.Key, got, m.Origin)
		}
	}
	for i := range kickoffs {
		check(i, i)
	}
	set.Drop([]dataset.Fault{{File: "matches.ndjson", Line: 2}, {File: "matches.ndjson", Line: 6}, {File: "players.ndjson", Line: 8}})
	if set.Matches.Len() != 2 {
		t.Fatalf("%d matches are left", set.Matches.Len())
	}
	check(0, 1)
	check(1, 3)
}
