// Package sources reads the records that datasets have brought from the items of a
// table, as a check does: what cannot be read, or what only others still refer to, is
// lost, and named.
//
// What others refer to and is lost has a stand-in: a private record without a name,
// which no dataset can bring. So all that belongs to it is hidden, and in the lists
// that a load finds it by, until an import brings the record back and says that it is
// public (D74).
//
// It also gives a record of a view as a dataset has it: its line ([Line]), and what the
// operator calls it ([Called]).
package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/rules"
	"touchline/shared/loader/change"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/flat"
	"touchline/shared/store/records"
)

// Lost is a record that a dataset has brought. The table does not hold it any more, or it
// cannot be read.
type Lost struct {
	history.Record
	Why string `json:"why"` // how that is known
}

// Sources are the records that datasets have brought, as a table holds them: in the view
// after of an empty world.
type Sources struct {
	*change.Changes
	lost   map[history.Record]string
	naming map[history.Record][]string // what refers to a record that is lost
}

// Items are items of a table as bytes, which take a third of their memory. Each is read
// once, and gone then.
type Items map[store.Key][]byte

// Put adds an item. One that cannot be written as bytes cannot be read.
func (i Items) Put(key store.Key, item store.Item) { i[key], _ = flat.Append(nil, item) }

// get takes items out.
func (i Items) get(_ context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
	found := map[store.Key]store.Item{}
	for _, key := range keys {
		b, ok := i[key]
		if !ok {
			continue
		}
		item, err := flat.Read(b)
		if err != nil {
			return nil, err
		}
		delete(i, key)
		found[key] = item
	}
	return found, nil
}

// Read reads the records among the items of a table, and puts the stand-ins. It calls goesOn
// for each item, and ends with its error.
func Read(ctx context.Context, items Items, into *change.Changes, goesOn func(done, all int) error) (*Sources, error) {
	s := &Sources{Changes: into, lost: map[history.Record]string{}, naming: map[history.Record][]string{}}
	keys := slices.SortedFunc(maps.Keys(items), store.Key.Compare)
	for n, key := range keys {
		if err := goesOn(n+1, len(keys)); err != nil {
			return nil, err
		}
		if kind, _ := records.Source(key); kind == "" {
			continue
		}
		if record, err := s.read(ctx, key, items); err != nil {
			s.lost[record] = "its item cannot be read: " + err.Error()
		}
	}
	err := s.standIns()
	for id := range world.CompetitionsIn(s.World.Competitions.Changes()) {
		s.World.SetCurrent(id)
	}
	return s, err
}

// read reads the record at a key, and says which one it is.
func (s *Sources) read(ctx context.Context, key store.Key, items Items) (history.Record, error) {
	kind, id := records.Source(key)
	record := history.Record{Kind: kind, ID: id}
	var err error
	switch kind {
	case sport.KindOrganization:
		err = take(ctx, key, items, func(r *records.OrganizationRecord) store.Key { return records.OrganizationKey(r.ID) }, func(r *records.OrganizationRecord) {
			s.Organization(world.DecodeOrganization(r).Given())
		})
	case sport.KindTeam:
		err = take(ctx, key, items, func(r *records.TeamRecord) store.Key { return records.TeamKey(r.ID) }, func(r *records.TeamRecord) {
			s.Team(world.DecodeTeam(r).Given())
		})
	case sport.KindPlayer:
		var x *world.Player
		err = take(ctx, key, items, func(r *records.PlayerRecord) store.Key { return records.PlayerKey(r.Player.ID) }, func(r *records.PlayerRecord) {
			x = world.DecodePlayer(r)
		})
		switch {
		case err != nil:
		case x.TeamID == "": // it would be nowhere
			err = errors.New("it has no team")
		default:
			s.Player(x.Given())
		}
	case sport.KindMatch:
		err = take(ctx, key, items, func(r *records.MatchRecord) store.Key { return records.MatchKey(r.ID) }, func(r *records.MatchRecord) {
			m := world.DecodeMatch(r)
			s.readDetails(ctx, m, items)
			s.SetMatch(&dataset.Record[dataset.Match]{ID: m.ID}, m)
		})
	case sport.KindCompetition:
		return s.readSeason(ctx, id, key, items)
	}
	return record, err
}

// readSeason reads a season of a competition, or a table given for one.
func (s *Sources) readSeason(ctx context.Context, id sport.ID, key store.Key, items Items) (history.Record, error) {
	if records.IsGivenTableSK(key.SK) {
		season, table, _ := records.GivenTableIn(key.SK)
		record := history.Record{Kind: history.KindStandings, ID: id, Season: season, Table: table}
		is := func(r *records.GivenTableRecord) store.Key { return records.GivenTableKey(id, r.Season, r.Table) }
		return record, take(ctx, key, items, is, func(r *records.GivenTableRecord) {
			s.Table(world.GivenTable(&sport.GivenTable{CompetitionID: id, Season: r.Season, Table: r.Table, Rows: r.Rows}))
		})
	}
	record := history.Record{Kind: sport.KindCompetition, ID: id}
	record.Season, _ = strconv.Atoi(strings.TrimPrefix(key.SK, "S#")) // 0: the current one
	is := func(r *records.CompetitionRecord) store.Key {
		if key.SK == string(records.CurrentTag) {
			return records.CompetitionKey(r.ID, records.CurrentTag)
		}
		return records.CompetitionKey(r.ID, records.SeasonTag(r.Season))
	}
	return record, take(ctx, key, items, is, func(r *records.CompetitionRecord) {
		s.Competition(world.DecodeCompetition(r).Given())
	})
}

// take decodes the item at a key and puts it, unless its place is elsewhere.
func take[R any](ctx context.Context, key store.Key, items Items, place func(*R) store.Key, put func(*R)) error {
	found, err := items.get(ctx, []store.Key{key})
	if err != nil {
		return err
	}
	whole, err := records.Whole(ctx, found, items.get)
	if err != nil {
		return err
	}
	r, err := store.Decode[R](whole[key])
	if err != nil {
		return err
	}
	if is := place(r); is != key {
		return fmt.Errorf("it is that of %s %s", is.PK, is.SK)
	}
	put(r)
	return nil
}

// readDetails reads the line-ups, events and figures of a match. One that has lost
// them goes on without.
func (s *Sources) readDetails(ctx context.Context, m *world.Match, items Items) {
	if len(m.DetailHash) == 0 {
		return
	}
	key := records.MatchDetailKey(m.ID)
	err := take(ctx, key, items, func(*records.DetailRecord) store.Key { return key }, func(r *records.DetailRecord) { m.Detail = r.Packed })
	if err == nil {
		_, err = m.Full()
	}
	if err != nil {
		m.Detail, m.DetailHash, m.Squad = nil, nil, nil
		s.lost[history.Record{Kind: sport.KindMatch, ID: m.ID}] = "its line-ups, events and statistics are gone"
	}
}

// need notes that a record refers to another one, if the other one is lost. A parent is one of
// the same season, unless another season of it is there. It puts a stand-in for the lost one
// unless it has one already; one of a player belongs to the team.
func (s *Sources) need(by history.Record, key string, to dataset.Target, team sport.ID) {
	of := history.Record{Kind: to.Kind, ID: to.ID, Season: to.Season}
	_, name, found := Called(s.World, world.After, of)
	if to.Kind == sport.KindGroup || name != "" || found && by.Kind == sport.KindCompetition && to.Kind == by.Kind {
		return
	}
	if of.Kind == sport.KindCompetition {
		of.Season = cmp.Or(of.Season, by.Season)
	}
	named := fmt.Sprintf("%s %q", by.Kind, cmp.Or(key, string(by.ID)))
	if all := s.naming[of]; len(all) == 0 || all[len(all)-1] != named { // a match may name a player again
		s.naming[of] = append(all, named)
	}
	if !found {
		s.standIn(of, team)
	}
}

// standIn puts a stand-in.
func (s *Sources) standIn(of history.Record, team sport.ID) {
	switch of.Kind {
	case sport.KindOrganization:
		s.Organization(given(of.ID, sport.Organization{ID: of.ID, Type: sport.Association, Status: sport.Active, Visibility: sport.Private}))
	case sport.KindTeam:
		s.Team(given(of.ID, sport.Team{ID: of.ID, Status: sport.Active, Visibility: sport.Private}))
	case sport.KindPlayer:
		s.Player(given(of.ID, sport.Player{ID: of.ID, TeamID: team, Status: sport.Active, Visibility: sport.Private}))
	case sport.KindCompetition:
		hiding := rules.Default()
		hiding.HidePlayers = true
		s.Competition(given(of.ID, sport.Competition{
			ID: of.ID, Season: of.Season, Type: sport.League, Stage: sport.Regular, Timezone: "UTC",
			Visibility: sport.Private, Rules: hiding,
		}))
	}
}

func given[T dataset.Entity](id sport.ID, value T) *dataset.Record[T] {
	return &dataset.Record[T]{ID: id, Value: value}
}

// standIns finds what is lost by what refers to it, and puts a stand-in for each: first
// for what matches and tables name, then for what that is part of.
func (s *Sources) standIns() (err error) {
	w := s.World
	needs(s, &w.Matches, cmp.Compare[sport.ID], func(m *world.Match) *dataset.Record[dataset.Match] {
		r, unread := m.Given()
		err = cmp.Or(err, unread)
		return r
	})
	needs(s, &w.Tables, func(a, b world.TableID) int {
		return cmp.Or(a.SeasonID.Compare(b.SeasonID), cmp.Compare(a.Table, b.Table))
	}, world.GivenTable)
	needs(s, &w.Players, cmp.Compare[sport.ID], (*world.Player).Given)
	needs(s, &w.Teams, cmp.Compare[sport.ID], (*world.Team).Given)
	needs(s, &w.Competitions, world.SeasonID.Compare, (*world.Competition).Given)
	needs(s, &w.Organizations, cmp.Compare[sport.ID], (*world.Organization).Given)
	return err
}

// needs notes what the records of a kind refer to. A player who is lost belongs to the home
// team of the first match.
func needs[K comparable, E any, T dataset.Entity](s *Sources, e *world.Entities[K, E], order func(a, b K) int, given func(*E) *dataset.Record[T]) {
	for x := range e.Both(slices.SortedFunc(slices.Values(e.Changes()), order)...) {
		r, team := given(x), sport.ID("")
		if m, ok := any(&r.Value).(*dataset.Match); ok {
			team = m.Base.HomeTeamID
		}
		for ref := range dataset.ReferencesOf(&r.Value) {
			s.need(history.RecordOf(r), r.Key, ref.Target, team)
		}
	}
}

// LeftOver finds the record that an item was made of which follows from none.
func (s *Sources) LeftOver(key store.Key) {
	letter, id := records.Partition(key.PK)
	of := history.Record{Kind: records.KindOf(letter), ID: id}
	if letter == 'C' {
		season, ok := records.SeasonOf(key.SK)
		if !ok {
			return
		}
		of.Season = season
	}
	if of.Kind != "" && letter != 'O' {
		s.gone(of)
	}
}

// Listed finds the record that an entry was made of which follows from none.
func (s *Sources) Listed(list, key string) {
	for _, kind := range []sport.Kind{sport.KindOrganization, sport.KindTeam, sport.KindPlayer, sport.KindMatch} {
		if list == string(records.Everything(kind)) {
			s.gone(history.Record{Kind: kind, ID: sport.ID(key)})
		}
	}
	if t, ok := records.TableOf([]byte(key)); ok && list == string(records.EveryTable) {
		s.gone(history.Record{Kind: history.KindStandings, ID: t.Competition, Season: t.Season, Table: t.Table})
	}
}

// gone notes that what follows from a record is there, where the record is not.
func (s *Sources) gone(record history.Record) {
	if _, _, found := Called(s.World, world.After, record); !found && s.lost[record] == "" {
		s.lost[record] = "what follows from it is still there"
	}
}

// Report lists what is lost.
func (s *Sources) Report() []Lost {
	for record, by := range s.naming {
		why := by[0] + " refers to it"
		if len(by) > 1 {
			why = fmt.Sprintf("%s and %d more refer to it", by[0], len(by)-1)
		}
		s.lost[record] = cmp.Or(s.lost[record], why)
	}
	var all []Lost
	for record, why := range s.lost {
		all = append(all, Lost{record, why})
	}
	slices.SortFunc(all, func(a, b Lost) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Season, b.Season), cmp.Compare(a.Table, b.Table))
	})
	return all
}
