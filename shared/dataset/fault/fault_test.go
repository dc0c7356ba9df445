package fault

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFaultsAreSortedAndCapped(t *testing.T) {
	f := New(3)
	for _, at := range []Origin{{"teams.ndjson", 2}, {"matches.ndjson.gz", 1}, {"organizations.ndjson", 9}, {"teams.ndjson", 1}, {"players.ndjson", 1}} {
		f.Add(Fault{File: at.File, Line: at.Line, Message: "is wrong"})
	}
	want := "organizations.ndjson:9: is wrong\nteams.ndjson:1: is wrong\nteams.ndjson:2: is wrong\nand 2 more"
	if diff := cmp.Diff(want, f.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	if whole := (Fault{File: "est.zip", Message: "is encrypted"}); whole.Error() != "est.zip: is encrypted" {
		t.Errorf("a fault of a file: %s", whole.Error())
	}
	other := New(0)
	other.Merge(f)
	other.Add(Fault{File: "players.ndjson", Line: 3, Field: "teamId", Message: "is missing"})
	if other.Count() != 6 || len(other.List) != 4 {
		t.Errorf("merged: %d faults, %d listed", other.Count(), len(other.List))
	}
}

// A name in an archive of somebody else's could move the cursor.
func TestAFaultHoldsNoControlCharacter(t *testing.T) {
	f := Fault{File: "players\x1b[2J.ndjson", Line: 1, Field: "a\r", Message: "b\n"}
	if got, want := f.Error(), "players\ufffd[2J.ndjson:1: a\ufffd: b\ufffd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
