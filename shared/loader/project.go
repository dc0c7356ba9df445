package loader

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// projector writes down what a record looks like and which lists it is in, in
// one view or the other. Each kind has a file of its own; all of them read the
// world, which must hold what they look up, and put what they find on shelves.
type projector struct {
	world   *world
	shelves *shelves
	items   *items
	names   *collation

	scheduled set[sport.ID] // teams whose fixtures are projected
	packer    packer
}

// orders puts an entry on the two shelves of organization lists, by id and by
// name, under the list names that place gives.
func orders[T any](byID, byName *shelf[T], v view, idKey, nameKey []byte, put *T, place func(order records.Order) []string) {
	for _, name := range place(records.ByID) {
		byID.put(v, name, idKey, put)
	}
	for _, name := range place(records.ByName) {
		byName.put(v, name, nameKey, put)
	}
}

// id puts an id on a list of the loader's own.
func (p *projector) id(v view, listID string, id sport.ID) {
	p.shelves.ids.put(v, listID, records.IDKey(id), &records.IDEntry{ID: id})
}

func teamRef(t *team) records.TeamRef {
	return records.TeamRef{ID: t.ID, Name: t.Name, ShortName: t.ShortName, Logo: t.Logo}
}

func competitionRef(c *competition) records.CompetitionRef {
	return records.CompetitionRef{
		ID: c.ID, Name: c.Name, Logo: c.Logo, Type: c.Type,
		Season: c.Season, Stage: c.Stage, Timezone: c.Timezone,
	}
}

// groupName is the name of a group of a competition's season, empty where it
// has none of that id.
func groupName(c *competition, id sport.ID) string {
	if c == nil || id == "" {
		return ""
	}
	for _, g := range c.Groups {
		if g.ID == id {
			return g.Name
		}
	}
	return ""
}
