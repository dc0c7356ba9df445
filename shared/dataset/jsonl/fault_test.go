package jsonl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFaultsAreSortedAndCapped(t *testing.T) {
	f := &Faults{}
	for line := range kept - 3 {
		f.Add(Fault{File: "teams.ndjson", Line: 3 + line, Message: "is wrong"})
	}
	for _, at := range []Origin{{"teams.ndjson", 2}, {"matches.ndjson.gz", 1}, {"organizations.ndjson", 9}, {"teams.ndjson", 1}, {"players.ndjson", 1}} {
		f.Add(Fault{File: at.File, Line: at.Line, Message: "is wrong"})
	}
	lines := strings.Split(f.Error(), "\n")
	want := []string{"organizations.ndjson:9: is wrong", "teams.ndjson:1: is wrong", "teams.ndjson:2: is wrong", "teams.ndjson:3: is wrong"}
	if diff := cmp.Diff(want, lines[:4]); diff != "" || len(lines) != kept+1 || lines[kept] != "and 2 more" {
		t.Errorf("error (-want +got):\n%s\n%d lines, the last: %s", diff, len(lines), lines[len(lines)-1])
	}
	if whole := (Fault{File: "est.zip", Message: "is encrypted"}); whole.Error() != "est.zip: is encrypted" {
		t.Errorf("a fault of a file: %s", whole.Error())
	}
	other := &Faults{}
	other.Merge(f)
	other.Add(Fault{File: "players.ndjson", Line: 3, Field: "teamId", Message: "is missing"})
	if other.Count() != kept+3 || len(other.List) != kept {
		t.Errorf("merged: %d faults, %d listed", other.Count(), len(other.List))
	}
}

// Of many warnings of one kind none hides another.
func TestWarningsOfAKindAreListedOnce(t *testing.T) {
	w, other := &Warnings{More: 7}, &Warnings{}
	for line := range 3 * kept {
		w.Add(Fault{File: "players.csv", Line: 3*kept - line, Field: "name", Message: "ends with white space"})
		other.Add(Fault{File: "matches.csv", Line: 2 + line, Field: fmt.Sprintf("events[%d].id", line), Kind: "was at %d", Message: fmt.Sprintf("was at %d", line)})
	}
	w.Add(Fault{File: "players.csv", Line: 9, Field: "name", Message: "begins with white space"})
	w.Add(Fault{File: "teams.csv", Line: 9, Field: "name", Message: "ends with white space"})
	all := w.With(other).With(&Warnings{List: []Fault{{File: "players.csv", Line: 400, Field: "name", Message: "ends with white space"}}})
	want := `teams.csv:9: name: ends with white space
players.csv:1: name: ends with white space (301 times: also on line 2, 3, 4, 297 more)
players.csv:9: name: begins with white space
matches.csv:2: events[0].id: was at 0 (300 times: also on line 3, 4, 5, 296 more)
and 7 more`
	if diff := cmp.Diff(want, all.String()); diff != "" || all.Count() != 6*kept+10 || len(all.List[1].Also) != maxAlso {
		t.Errorf("warnings (-want +got):\n%s%d, %v", diff, all.Count(), all.List[1].Also)
	}
}

// A name in an archive of somebody else's could move the cursor.
func TestAFaultHoldsNoControlCharacter(t *testing.T) {
	f := Fault{File: "players\x1b[2J.ndjson", Line: 1, Field: "a\r", Message: "b\n"}
	if got, want := f.Error(), "players\ufffd[2J.ndjson:1: a\ufffd: b\ufffd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
