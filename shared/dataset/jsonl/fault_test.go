package jsonl

import (
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

// A person reads an equal warning once, a program each.
func TestEqualWarningsAreBrief(t *testing.T) {
	w := &Warnings{More: 7}
	for line := range 6 {
		w.Add(Fault{File: "players.csv", Line: 2 + line, Field: "name", Message: "ends with white space"})
		w.Add(Fault{File: "teams.csv", Line: 2 + line, Field: "name", Message: strings.Repeat("x", line/2)})
	}
	want := strings.Join([]string{
		"teams.csv:2: name:  (2 times: also on line 3)", "teams.csv:4: name: x (2 times: also on line 5)", "teams.csv:6: name: xx (2 times: also on line 7)",
		"players.csv:2: name: ends with white space (6 times: also on line 3, 4, 5, 2 more)", "and 7 more",
	}, "\n")
	if diff := cmp.Diff(want, w.Brief()); diff != "" || len(w.List) != 12 {
		t.Errorf("brief (-want +got):\n%s%d are listed", diff, len(w.List))
	}
}

// A name in an archive of somebody else's could move the cursor.
func TestAFaultHoldsNoControlCharacter(t *testing.T) {
	f := Fault{File: "players\x1b[2J.ndjson", Line: 1, Field: "a\r", Message: "b\n"}
	if got, want := f.Error(), "players\ufffd[2J.ndjson:1: a\ufffd: b\ufffd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
