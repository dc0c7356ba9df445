// Package projection writes down what each affected record looks like in a view:
// its items, and its entries in lists. Each kind of record has a file of its
// own. A projection reads the world, which must hold all that it looks up
// (package affected), and puts what it finds into the sink of package diff.
//
// # Invariants
//
//   - A projection is a pure function of a view. The order of loads, and how a
//     dataset is divided into loads, do not show in the table.
//   - Everything of an entity is put between two comparisons of the sink.
//
// Why a table has its order is in no item, since no response shows it and a live score
// would have to write it. [Explain] computes it when somebody asks, from the records that
// the table is computed from: what a load reads for one table, and no write.
package projection

import (
	"touchline/shared/loader/affected"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Projector puts what a record looks like, and which lists it is in, in one view or the
// other.
type Projector struct {
	World *world.World
	Lists *diff.Lists
	Items *diff.Items
	Names *diff.Collation

	// Progress is called with how many of the affected records are projected; nil:
	// nobody wants to know.
	Progress func(done, all int)
	// Moved says which teams move in tables, a line for each group (history.Moved).
	Moved []string

	affected  *affected.Records
	done, all int
}

// New returns a projector of a world, which puts what differs between its views into a sink.
func New(w *world.World, to diff.Sink) *Projector {
	names := diff.NewCollation()
	return &Projector{World: w, Lists: diff.NewLists(names, to), Items: diff.NewItems(to), Names: names}
}

// passed notes that a record is projected.
func (p *Projector) passed() {
	const often = 1000
	if p.done++; p.Progress != nil && (p.done%often == 0 || p.done == p.all) {
		p.Progress(p.done, p.all)
	}
}

// ofOwner are the lists with what an organization owns, and with what is entered by some:
// the clubs of a competition, or the competitions of a team or a player.
func ofOwner[T any](l records.Owned[T], owner *world.Organization, by []sport.ID, order records.Order) []records.List[T] {
	all := []records.List[T]{l.Of(owner.ID, order)}
	for _, r := range owner.ListedRanges() {
		all = append(all, l.Below(r, order))
	}
	for _, id := range by {
		for _, r := range owner.Reach {
			all = append(all, l.Entered(id, r, order))
		}
	}
	return all
}

// orders puts an entry into the organization lists of both orders, by id and by
// name, under the list names that place returns.
func orders[T any](byID, byName *diff.ListEdits[T], v world.View, idKey, nameKey []byte, put *T, place func(order records.Order) []records.List[T]) {
	for _, name := range place(records.ByID) {
		byID.Put(v, name, idKey, put)
	}
	for _, name := range place(records.ByName) {
		byName.Put(v, name, nameKey, put)
	}
}

// id puts an id on a list of the loader's own.
func (p *Projector) id(v world.View, list records.List[records.IDEntry], id sport.ID) {
	p.Lists.Ids.Put(v, list, records.IDKey(id), &records.IDEntry{ID: id})
}

// Project computes what of the affected differs between the two views.
func (p *Projector) Project(a *affected.Records) error {
	w := p.World
	p.affected = a
	steps := []func() error{
		each(p, a.Organizations.Keys(), inViews(&w.Organizations, p.organization)),
		each(p, w.MatchesByCompetition(a.Matches.Keys()), p.match),
		each(p, a.Competitions.Keys(), p.competition),
		each(p, w.TeamsByCompetition(a.Teams.Keys()), inViews(&w.Teams, p.team)),
		each(p, w.PlayersByCompetition(a.Players.Keys()), inViews(&w.Players, p.player)),
		each(p, a.GivenTables.Keys(), inViews(&w.Tables, p.givenTable)),
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// inViews projects a record in each view in which it exists.
func inViews[K comparable, T any](of *world.Entities[K, T], project func(world.View, *T)) func(K) {
	return func(id K) {
		for v, t := range of.Views(id) {
			project(v, t)
		}
	}
}

// each projects records one after the other.
func each[K any](p *Projector, ids []K, project func(K)) func() error {
	p.all += len(ids)
	return func() error {
		for _, id := range ids {
			project(id)
			if err := p.Lists.Compare(); err != nil {
				return err
			}
			if err := p.Items.Compare(); err != nil {
				return err
			}
			p.passed()
		}
		return p.World.Err()
	}
}
