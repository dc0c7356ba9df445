package records

import (
	"testing"

	"pgregory.net/rapid"
)

func TestAFacetComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Facet{
			Season: rapid.IntRange(0, 3000).Draw(t, "season"), Gender: rapid.String().Draw(t, "gender"),
			Status: rapid.String().Draw(t, "status"), Level: rapid.IntRange(0, 3).Draw(t, "level"), Ends: rapid.Int64().Draw(t, "ends"),
		}
		if got := FacetOf(want.pack()); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
		if !ByFacet(func(f Facet) bool { return f == want })(want.pack()) {
			t.Fatal("does not match itself")
		}
	})
}
