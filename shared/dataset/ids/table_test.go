package ids

import (
	"testing"

	"touchline/shared/sport"
)

// The ids are those of sport.IDFor.
func TestKeysHaveTheirIDs(t *testing.T) {
	n := NewTable()
	kinds := []sport.Kind{sport.KindTeam, sport.KindPlayer, sport.KindTeam}
	for _, key := range []string{"1", "2000", "a", "b", "0123456789abcdef01234567", "0123456789ABCDEF01234567", "a\x00b", "ä", "a"} {
		for _, kind := range kinds {
			id := n.Add(kind, []byte(key))
			if id != sport.IDFor(kind, key) || n.Given(id) != key {
				t.Errorf("%s %q: got %s, %q", kind, key, id, n.Given(id))
			}
			if Pack(id).ID() != id {
				t.Errorf("%s does not survive packing", id)
			}
		}
	}
	id := n.Add(sport.KindTeam, []byte(sport.IDFor(sport.KindTeam, "a")))
	if n.Given(id) != "a" {
		t.Errorf("an id hides the key it was first given as: %q", n.Given(id))
	}
}
