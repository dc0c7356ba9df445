package ids

import (
	"strconv"
	"testing"

	"touchline/shared/sport"
)

// The ids are those of sport.IDFor, whatever is remembered of recent keys.
func TestKeysHaveTheirIDs(t *testing.T) {
	n := NewTable()
	for i := range 2 * manyIDs { // from the first on without, from the middle on with recent keys
		n.Add(sport.KindMatch, []byte(strconv.Itoa(i)))
	}
	kinds := []sport.Kind{sport.KindTeam, sport.KindPlayer, sport.KindTeam}
	for _, key := range []string{"1", "2000", "a", "b", "0123456789abcdef01234567", "0123456789ABCDEF01234567", "a\x00b", "ä", "a"} {
		for _, kind := range kinds {
			id, given := n.Add(kind, []byte(key))
			if id != sport.IDFor(kind, key) || given != key || n.Given(id) != key {
				t.Errorf("%s %q: got %s, %q, %q", kind, key, id, given, n.Given(id))
			}
			if Pack(id).ID() != id || n.ids[n.numbers[Pack(id)]] != id {
				t.Errorf("%s does not survive packing", id)
			}
		}
	}
	id, _ := n.Add(sport.KindTeam, []byte(sport.IDFor(sport.KindTeam, "a")))
	if n.Given(id) != "a" {
		t.Errorf("an id hides the key it was first given as: %q", n.Given(id))
	}
}
