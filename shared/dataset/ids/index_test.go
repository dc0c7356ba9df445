package ids

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"touchline/shared/dataset/files"
	"touchline/shared/sport"
)

// The index is a map of identities, however it keeps them. Ids may be shared by
// kinds, and be in the table or not.
func TestTheIndexIsAMap(t *testing.T) {
	table := NewTable()
	x, want := NewIndex(table), map[Identity]Presence{}
	random := rand.New(rand.NewPCG(1, 2))
	for line := range int32(5000) {
		who := Identity{Kind: files.Kind(random.IntN(int(files.Kinds))), ID: Pack(sport.IDFor(sport.KindTeam, fmt.Sprint(random.IntN(300))))} //nolint:gosec // small
		if who.Kind == files.Competitions || who.Kind == files.Standings {
			who.Season, who.Table = random.Int32N(3), uint8(random.IntN(2)) //nolint:gosec // small
		}
		if got, ok := x.At(who); got != want[who] || ok != (want[who] != Presence{}) {
			t.Fatalf("%+v is %+v, %v, want %+v", who, got, ok, want[who])
		}
		table.Add(sport.KindTeam, []byte(who.ID.ID()))
		p := Presence{Line: line + 1, State: State(random.IntN(3))} //nolint:gosec // small
		x.Set(who, p)
		want[who] = p
	}
	for who, p := range want {
		if got, ok := x.At(who); got != p || !ok {
			t.Errorf("%+v is %+v, %v, want %+v", who, got, ok, p)
		}
	}
}
