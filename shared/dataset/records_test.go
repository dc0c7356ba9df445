package dataset

import "testing"

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
