package dataset

import (
	"strings"
	"testing"
)

// Who works on a part changes its players and matches as it likes, and adds to it.
func TestWhatIsUnpackedIsACopy(t *testing.T) {
	set := mustRead(t, federation())
	part := set.Whole()
	player, match := part.Players[1], part.Matches[0]
	player.Value.Name, player.Deleted, match.Value.Base.Season, match.Key = "changed", true, 2003, "changed"
	part.Teams = append(part.Teams, &teamRecord{})
	for i, p := range set.Players.All() {
		if p.Value.Name == "changed" || p.Deleted {
			t.Errorf("player %d of the set is changed: %+v", i, p)
		}
	}
	if m := set.Matches.At(0); m.Value.Base.Season != 2002 || m.Key != "m" {
		t.Errorf("the match of the set is changed: %+v", m)
	}
	if len(set.Teams) != 2 || set.Len() != 12 || set.Players.Len() != len(part.Players) {
		t.Errorf("the set has %d teams, %d records", len(set.Teams), set.Len())
	}
}

// After Release the set still knows where the first match of a team is.
func TestReleaseKeepsTheFirstMatches(t *testing.T) {
	match := func(id, home, away string) string {
		return `{"id":"` + id + `","status":"upcoming","kickoffAt":"2025-08-01T20:30:00Z","homeTeamId":"` + home + `","awayTeamId":"` + away + `"}`
	}
	set := mustRead(t, map[string]string{"matches": lined(match("1", "a", "b"), match("2", "b", "c"), match("3", "c", "a"))})
	set.Release()
	for team, want := range map[string]int{"a": 1, "b": 1, "c": 2, "d": 0} {
		if got := set.FirstMatch(hash("team", team)); got.Line != want {
			t.Errorf("the first match of %s is on line %d, want %d", team, got.Line, want)
		}
	}
	if set.Matches.Len() != 0 || set.Origin("match", hash("match", "3")).Line != 3 {
		t.Errorf("%d matches are left, 3 is at %v", set.Matches.Len(), set.Origin("match", hash("match", "3")))
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
		if got := m.Value.Base.Kickoff.Format("2006-01-02T15:04:05.999Z07:00"); got != kickoffs[of] || m.Key != kickoffs[of] || m.Origin != (Origin{File: "matches.ndjson", Line: 2*of + 2}) {
			t.Errorf("match %d is %q at %s, on line %v", of, m.Key, got, m.Origin)
		}
	}
	for i := range kickoffs {
		check(i, i)
	}
	set.Drop([]Fault{{File: "matches.ndjson", Line: 2}, {File: "matches.ndjson", Line: 6}, {File: "players.ndjson", Line: 8}})
	if set.Matches.Len() != 2 {
		t.Fatalf("%d matches are left", set.Matches.Len())
	}
	check(0, 1)
	check(1, 3)
	if first := set.FirstMatch(hash("team", "b")); first.Line != 4 {
		t.Errorf("the first match that is left is on line %d", first.Line)
	}
}
