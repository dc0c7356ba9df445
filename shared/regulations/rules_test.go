package regulations_test

import (
	stdcmp "cmp"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/regulations"
	"touchline/shared/sport"
)

// spelledOut is the object that rules, a text of a dataset, stand for.
func spelledOut(rules string) string {
	var named struct{ Like string }
	if json.Unmarshal([]byte(rules), &named) != nil || named.Like == "" {
		return rules
	}
	of, _ := regulations.Find(named.Like)
	return string(of.Rules)
}

func like(name string) string { return fmt.Sprintf(`{"like": %q}`, name) }

// rulesOf reads the rules of an entry as a competition takes them.
func rulesOf(t *testing.T, name string) sport.Rules {
	t.Helper()
	in, _ := load(t, like(name), nil, nil)
	if len(in.Rules.TieBreakers) == 0 {
		t.Fatalf("%s: no rules", name)
	}
	return in.Rules
}

// The rules of an entry name its sport: positions and periods follow (D61).
func TestRulesNameTheirSport(t *testing.T) {
	for _, entry := range regulations.All() {
		if got := rulesOf(t, entry.Name).Sport; stdcmp.Or(got, "football") != entry.Sport {
			t.Errorf("%s: %q, want %q", entry.Name, got, entry.Sport)
		}
	}
}

// A dataset that names an entry and one that spells its rules out have the same.
func TestADatasetTakesTheRulesOfEachEntry(t *testing.T) {
	for _, name := range regulations.Names() {
		spelled, _ := load(t, spelledOut(like(name)), nil, nil)
		if diff := cmp.Diff(spelled.Rules, rulesOf(t, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
