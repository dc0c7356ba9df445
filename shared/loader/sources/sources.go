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
	err := s.standIn()
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
		_, err = m.Named()
	}
	if err != nil {
		m.Detail, m.DetailHash, m.Squad = nil, nil, nil
		s.lost[history.Record{Kind: sport.KindMatch, ID: m.ID}] = "its line-ups, events and statistics are gone"
	}
}

type referrer struct {
	kind sport.Kind
	key  string
	id   sport.ID
}

// need notes that a record refers to another one, if the other one is lost. It puts a
// stand-in for the lost one unless it has one already.
func (s *Sources) need(by referrer, to history.Record, standIn func()) {
	_, name, found := Called(s.World, world.After, to)
	if to.ID == "" || name != "" {
		return
	}
	s.naming[to] = append(s.naming[to], fmt.Sprintf("%s %q", by.kind, cmp.Or(by.key, string(by.id))))
	if !found {
		standIn()
	}
}

// standIn finds what is lost by what refers to it, and puts a stand-in for each: first
// for what matches and tables name, then for what that is part of.
func (s *Sources) standIn() error {
	w := s.World
	for m := range w.Matches.Both(slices.Sorted(slices.Values(w.Matches.Changes()))...) {
		by := referrer{sport.KindMatch, m.Key, m.ID}
		s.needSeason(by, m.SeasonID())
		s.needTeam(by, m.HomeTeamID)
		s.needTeam(by, m.AwayTeamID)
		players, err := m.Named()
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(players)) {
			s.need(by, history.Record{Kind: sport.KindPlayer, ID: id}, func() {
				s.Player(given(id, sport.Player{ID: id, TeamID: players[id], Status: sport.Active, Visibility: sport.Private}))
			})
		}
	}
	for t := range w.Tables.Both(w.Tables.Changes()...) {
		by := referrer{kind: history.KindStandings, id: t.CompetitionID}
		s.needSeason(by, world.SeasonID{ID: t.CompetitionID, Season: t.Season})
		for _, row := range t.Rows {
			s.needTeam(by, row.TeamID)
		}
	}
	for x := range w.Players.Both(slices.Sorted(slices.Values(w.Players.Changes()))...) {
		s.needTeam(referrer{sport.KindPlayer, x.Key, x.ID}, x.TeamID)
	}
	for t := range w.Teams.Both(slices.Sorted(slices.Values(w.Teams.Changes()))...) {
		by := referrer{sport.KindTeam, t.Key, t.ID}
		s.needOrganization(by, t.OrganizationID)
		s.needSeason(by, t.SeasonID())
	}
	seasons := w.Competitions.Changes()
	competitions := world.CompetitionsIn(seasons)
	slices.SortFunc(seasons, world.SeasonID.Compare)
	for c := range w.Competitions.Both(seasons...) {
		by := referrer{sport.KindCompetition, c.Key, c.ID}
		s.needOrganization(by, c.OrganizationID)
		if !competitions.Has(c.ParentID) {
			s.needSeason(by, c.ParentSeason())
		}
	}
	for o := range w.Organizations.Both(slices.Sorted(slices.Values(w.Organizations.Changes()))...) {
		for _, parent := range o.Parents() {
			s.needOrganization(referrer{sport.KindOrganization, o.Key, o.ID}, parent)
		}
	}
	return nil
}

func (s *Sources) needOrganization(by referrer, id sport.ID) {
	s.need(by, history.Record{Kind: sport.KindOrganization, ID: id}, func() {
		s.Organization(given(id, sport.Organization{ID: id, Type: sport.Association, Status: sport.Active, Visibility: sport.Private}))
	})
}

func (s *Sources) needTeam(by referrer, id sport.ID) {
	s.need(by, history.Record{Kind: sport.KindTeam, ID: id}, func() {
		s.Team(given(id, sport.Team{ID: id, Status: sport.Active, Visibility: sport.Private}))
	})
}

func (s *Sources) needSeason(by referrer, id world.SeasonID) {
	s.need(by, history.Record{Kind: sport.KindCompetition, ID: id.ID, Season: id.Season}, func() {
		hiding := rules.Default()
		hiding.HidePlayers = true
		s.Competition(given(id.ID, sport.Competition{
			ID: id.ID, Season: id.Season, Type: sport.League, Stage: sport.Regular, Timezone: "UTC",
			Visibility: sport.Private, Rules: hiding,
		}))
	})
}

func given[T dataset.Entity](id sport.ID, value T) *dataset.Record[T] {
	return &dataset.Record[T]{ID: id, Value: value}
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
