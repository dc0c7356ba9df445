package sport_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
)

func TestSetsAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string][]sport.Score{
		"25:23 20:25|25:18":      {{Home: 25, Away: 23}, {Home: 20, Away: 25}, {Home: 25, Away: 18}},
		"25:23, 25:20 / 11:15; ": {{Home: 25, Away: 23}, {Home: 25, Away: 20}, {Home: 11, Away: 15}},
		"":                       nil,
		"3":                      nil, "25:": nil, "25-23": nil, "25:-1": nil, "a:b": nil,
	} {
		got, ok := sport.ParseSets(text)
		if diff := cmp.Diff(want, got); diff != "" || ok != (want != nil || text == "") {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}
