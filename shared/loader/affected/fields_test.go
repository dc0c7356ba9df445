package affected

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"touchline/shared/loader/world"
)

// onlyThere are the fields that no edge names. They show in the record itself and in what
// is computed with every change of it: the tables and sums of a season and of a team, the
// item and the sums of a match.
var onlyThere = map[reflect.Type][]string{
	reflect.TypeFor[world.Organization](): {"ID", "Description", "Season", "Status", "Plan"},
	reflect.TypeFor[world.Competition]():  {"ID", "Season", "Current", "Gender", "Completed", "EndsAt", "ParentID", "Format"},
	reflect.TypeFor[world.Team]():         {"ID", "GroupID", "Gender", "Status", "StartingPoints", "Seed"},
	reflect.TypeFor[world.Player]():       {"ID", "Status"},
	reflect.TypeFor[world.Match]():        {"ID", "KickoffTimeOpen", "Score", "Penalties", "ExtraTime", "Winner", "WinnerGiven", "Lineups", "Events", "Statistics"},
}

// Whoever adds a field to a record says where it shows.
func TestEveryFieldHasItsEdges(t *testing.T) {
	w := world.NewWorld()
	named := map[reflect.Type]world.Set[string]{}
	for _, edges := range (&finder{world: w, fetch: &world.Fetcher{World: w}}).edges() {
		for _, e := range edges {
			for _, field := range e.fields {
				first, _, _ := strings.Cut(strings.Replace(field, "Public", "Visibility", 1), ".")
				if _, ok := e.of.FieldByName(first); !ok {
					t.Errorf("an edge names the field %s of a %s, which has none", field, e.of.Name())
				}
				fields := named[e.of]
				fields.Add(first)
				named[e.of] = fields
			}
		}
	}
	for of, only := range onlyThere {
		entity := of.Field(0).Type // embedded
		for i := range entity.NumField() {
			field := entity.Field(i).Name
			if named[of].Has(field) == slices.Contains(only, field) {
				t.Errorf("%s.%s: name it either in an edge or in onlyThere", of.Name(), field)
			}
		}
	}
}
