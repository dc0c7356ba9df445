package regulations_test

import (
	"os"
	"strings"
	"testing"

	"touchline/shared/regulations"
)

// The federation of sports that the scripts load has a competition of every sport of
// the catalogue.
func TestEverySportIsLoaded(t *testing.T) {
	text, err := os.ReadFile("../endpoints/scripts/testdata/sports/competitions.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	loaded := map[string]bool{}
	for _, entry := range regulations.All() {
		if strings.Contains(string(text), `"like":"`+entry.Name+`"`) {
			loaded[entry.Sport] = true
		}
	}
	for _, entry := range regulations.All() {
		if !loaded[entry.Sport] {
			t.Errorf("no competition of %s, such as %s", entry.Sport, entry.Name)
			loaded[entry.Sport] = true
		}
	}
}
