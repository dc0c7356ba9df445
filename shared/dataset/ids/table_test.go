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
			id := n.Add(kind, []byte(key))
			if id != sport.IDFor(kind, key) || n.Given(id) != key {
				t.Errorf("%s %q: got %s, %q", kind, key, id, n.Given(id))
			}
			if number, known := n.Number(Pack(id)); Pack(id).ID() != id || !known || n.ID(number) != id {
				t.Errorf("%s does not survive packing", id)
			}
		}
	}
	id := n.Add(sport.KindTeam, []byte(sport.IDFor(sport.KindTeam, "a")))
	if n.Given(id) != "a" {
		t.Errorf("an id hides the key it was first given as: %q", n.Given(id))
	}
}
