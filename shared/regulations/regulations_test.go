package regulations_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"touchline/shared/regulations"
)

func TestEachNameIsUniqueAndLeadsToItsRules(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	names := regulations.Names()
	if len(names) == 0 {
		t.Fatal("the catalogue is empty")
	}
	if unique := slices.Compact(slices.Clone(names)); len(unique) < len(names) {
		t.Errorf("a name is there twice: %q", names)
	}
	for i, r := range regulations.All() {
		if r.Name != names[i] || !kebab.MatchString(r.Name) {
			t.Errorf("the name %q", r.Name)
		}
		if found, ok := regulations.Find(r.Name); !ok || string(found.Rules) != string(r.Rules) {
			t.Errorf("%s leads to %s", r.Name, found.Rules)
		}
	}
	if found, ok := regulations.Find("calvinball"); ok || found.Rules != nil {
		t.Errorf("%s for a name that is not in the catalogue", found.Rules)
	}
}

func TestEachEntryHasItsSource(t *testing.T) {
	year := regexp.MustCompile(`\b(19|20)[0-9]{2}\b`)
	for _, r := range regulations.All() {
		if r.Competition == "" || r.Sport == "" || r.Source.Document == "" || r.Source.Article == "" || !year.MatchString(r.Source.Edition) {
			t.Errorf("%s: %+v", r.Name, r)
		}
	}
}

// Seed is a number that an operator sets for a team: the last criterion, for
// what no result decides.
func TestOnlyLotsAndRulingsAreLeftToTheOperator(t *testing.T) {
	for _, r := range regulations.All() {
		var rules struct{ TieBreakers []json.RawMessage }
		if err := json.Unmarshal(r.Rules, &rules); err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		n := len(rules.TieBreakers)
		if n == 0 {
			t.Errorf("%s has no tieBreakers", r.Name)
			continue
		}
		last := string(rules.TieBreakers[n-1]) == `"seed"`
		if uses := regexp.MustCompile(`"seed"`).FindAll(r.Rules, -1); len(uses) > 1 || (len(uses) == 1) != last {
			t.Errorf("%s: seed is not the last criterion alone: %s", r.Name, r.Rules)
		}
		if last != (r.Seed != "") || last && !slices.Contains([]string{"lots", "play-off", "ranking", "ruling"}, r.Seed) {
			t.Errorf("%s: what is left to the seed is %q", r.Name, r.Seed)
		}
	}
}
