// Package sources reads the records that datasets have brought from the items of a
// table, as a check does: what cannot be read, or what only others still refer to, is
// lost, and named.
//
// What others refer to and is lost has a stand-in: a private record without a name,
// which no dataset can bring. So all that belongs to it is hidden, and in the lists
// that a load finds it by, until an import brings the record back.
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
	"touchline/shared/store/records"
)

// Lost is a record that a dataset has brought. The table does not hold it any more, or it
// cannot be read.
type Lost struct {
	history.Record
	Why string `json:"why"` // how that is known
}

// Sources are the records that datasets have brought, as a table holds them.
type Sources struct {
	organizations map[sport.ID]*world.Organization
	competitions  map[world.SeasonID]*world.Competition
	teams         map[sport.ID]*world.Team
	players       map[sport.ID]*world.Player
	matches       map[sport.ID]*world.Match
	tables        map[world.TableID]*sport.GivenTable

	lost   map[history.Record]string
	naming map[history.Record][]string // what refers to a record that is lost
}

func newSources() *Sources {
	return &Sources{
		organizations: map[sport.ID]*world.Organization{}, competitions: map[world.SeasonID]*world.Competition{},
		teams: map[sport.ID]*world.Team{}, players: map[sport.ID]*world.Player{},
		matches: map[sport.ID]*world.Match{}, tables: map[world.TableID]*sport.GivenTable{},
		lost: map[history.Record]string{}, naming: map[history.Record][]string{},
	}
}

// Read reads the records among the items of a table, and puts the stand-ins.
func Read(ctx context.Context, items map[store.Key]store.Item) (*Sources, error) {
	s := newSources()
	for _, key := range slices.SortedFunc(maps.Keys(items), store.Key.Compare) {
		if kind, _ := records.Source(key); kind == 0 {
			continue
		}
		if record, err := s.read(ctx, key, items); err != nil {
			s.lost[record] = "its item cannot be read: " + err.Error()
		}
	}
	return s, s.standIn()
}

// read reads the record at a key, and says which one it is.
func (s *Sources) read(ctx context.Context, key store.Key, items map[store.Key]store.Item) (history.Record, error) {
	kind, id := records.Source(key)
	record := history.Record{ID: id}
	var err error
	switch kind {
	case 'O':
		record.Kind = sport.KindOrganization
		err = take(ctx, key, items, func(r *records.OrganizationRecord) store.Key { return records.OrganizationKey(r.ID) }, func(r *records.OrganizationRecord) {
			s.organizations[id] = world.DecodeOrganization(r)
		})
	case 'T':
		record.Kind = sport.KindTeam
		err = take(ctx, key, items, func(r *records.TeamRecord) store.Key { return records.TeamKey(r.ID) }, func(r *records.TeamRecord) {
			s.teams[id] = world.DecodeTeam(r)
		})
	case 'P':
		record.Kind = sport.KindPlayer
		err = take(ctx, key, items, func(r *records.PlayerRecord) store.Key { return records.PlayerKey(r.Player.ID) }, func(r *records.PlayerRecord) {
			s.players[id] = world.DecodePlayer(r)
		})
		if err == nil && s.players[id].TeamID == "" { // it would be nowhere
			delete(s.players, id)
			err = errors.New("it has no team")
		}
	case 'M':
		record.Kind = sport.KindMatch
		err = take(ctx, key, items, func(r *records.MatchRecord) store.Key { return records.MatchKey(r.ID) }, func(r *records.MatchRecord) {
			s.matches[id] = world.DecodeMatch(r)
		})
		if err == nil {
			s.readDetails(ctx, s.matches[id], items)
		}
	case 'C':
		return s.readSeason(ctx, id, key, items)
	}
	return record, err
}

// readSeason reads a season of a competition, or a table given for one.
func (s *Sources) readSeason(ctx context.Context, id sport.ID, key store.Key, items map[store.Key]store.Item) (history.Record, error) {
	if records.IsGivenTableSK(key.SK) {
		record := history.Record{Kind: history.KindStandings, ID: id}
		season, table, _ := strings.Cut(key.SK[2:], "#")
		record.Season, _ = strconv.Atoi(season)
		record.Table = sport.TableName(table)
		is := func(r *records.GivenTableRecord) store.Key { return records.GivenTableKey(id, r.Season, r.Table) }
		return record, take(ctx, key, items, is, func(r *records.GivenTableRecord) {
			t := &sport.GivenTable{CompetitionID: id, Season: r.Season, Table: r.Table, Rows: r.Rows}
			s.tables[tableID(t)] = t
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
		c := world.DecodeCompetition(r)
		s.competitions[c.SeasonID()] = c
	})
}

func tableID(t *sport.GivenTable) world.TableID {
	return world.TableID{SeasonID: world.SeasonID{ID: t.CompetitionID, Season: t.Season}, Table: t.Table}
}

// take decodes the item at a key and puts it, unless its place is elsewhere.
func take[R any](ctx context.Context, key store.Key, items map[store.Key]store.Item, place func(*R) store.Key, put func(*R)) error {
	all := func(context.Context, []store.Key) (map[store.Key]store.Item, error) { return items, nil }
	whole, err := records.Whole(ctx, map[store.Key]store.Item{key: items[key]}, all)
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
func (s *Sources) readDetails(ctx context.Context, m *world.Match, items map[store.Key]store.Item) {
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

// refer notes that a record refers to another one, and reports whether that is lost.
func (s *Sources) refer(stored bool, to history.Record, kind sport.Kind, key string, id sport.ID) bool {
	if to.ID == "" || stored {
		return false
	}
	s.naming[to] = append(s.naming[to], fmt.Sprintf("%s %q", kind, cmp.Or(key, string(id))))
	return true
}

// standIn finds what is lost by what refers to it, and puts a stand-in for each: first
// for what matches and tables name, then for what that is part of.
func (s *Sources) standIn() error {
	for _, m := range sorted(s.matches) {
		s.needSeason(m.SeasonID(), sport.KindMatch, m.Key, m.ID)
		s.needTeam(m.HomeTeamID, sport.KindMatch, m.Key, m.ID)
		s.needTeam(m.AwayTeamID, sport.KindMatch, m.Key, m.ID)
		players, err := m.Named()
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(players)) {
			x, ok := s.players[id]
			if s.refer(ok && x.Name != "", history.Record{Kind: sport.KindPlayer, ID: id}, sport.KindMatch, m.Key, m.ID) && !ok {
				s.players[id] = &world.Player{Player: sport.Player{ID: id, TeamID: players[id], Status: sport.Active, Visibility: sport.Private}}
			}
		}
	}
	for id, t := range s.tables {
		s.needSeason(id.SeasonID, history.KindStandings, string(id.ID), id.ID)
		for _, row := range t.Rows {
			s.needTeam(row.TeamID, history.KindStandings, string(id.ID), id.ID)
		}
	}
	for _, x := range sorted(s.players) {
		s.needTeam(x.TeamID, sport.KindPlayer, x.Key, x.ID)
	}
	for _, t := range sorted(s.teams) {
		s.needOrganization(t.OrganizationID, sport.KindTeam, t.Key, t.ID)
		s.needSeason(t.SeasonID(), sport.KindTeam, t.Key, t.ID)
	}
	competitions := world.Set[sport.ID]{}
	for id := range s.competitions {
		competitions.Add(id.ID)
	}
	for _, id := range slices.SortedFunc(maps.Keys(s.competitions), world.SeasonID.Compare) {
		c := s.competitions[id]
		s.needOrganization(c.OrganizationID, sport.KindCompetition, c.Key, c.ID)
		if !competitions.Has(c.ParentID) {
			s.needSeason(c.ParentSeason(), sport.KindCompetition, c.Key, c.ID)
		}
	}
	for _, o := range sorted(s.organizations) {
		for _, parent := range o.Parents() {
			s.needOrganization(parent, sport.KindOrganization, o.Key, o.ID)
		}
	}
	return nil
}

func (s *Sources) needOrganization(id sport.ID, by sport.Kind, key string, of sport.ID) {
	o, ok := s.organizations[id]
	if s.refer(ok && o.Name != "", history.Record{Kind: sport.KindOrganization, ID: id}, by, key, of) && !ok {
		s.organizations[id] = &world.Organization{Organization: sport.Organization{
			ID: id, Type: sport.Association, Status: sport.Active, Visibility: sport.Private,
		}}
	}
}

func (s *Sources) needTeam(id sport.ID, by sport.Kind, key string, of sport.ID) {
	t, ok := s.teams[id]
	if s.refer(ok && t.Name != "", history.Record{Kind: sport.KindTeam, ID: id}, by, key, of) && !ok {
		s.teams[id] = &world.Team{Team: sport.Team{ID: id, Status: sport.Active, Visibility: sport.Private}}
	}
}

func (s *Sources) needSeason(id world.SeasonID, by sport.Kind, key string, of sport.ID) {
	c, ok := s.competitions[id]
	if s.refer(ok && c.Name != "", history.Record{Kind: sport.KindCompetition, ID: id.ID, Season: id.Season}, by, key, of) && !ok {
		s.competitions[id] = &world.Competition{Competition: sport.Competition{
			ID: id.ID, Season: id.Season, Type: sport.League, Stage: sport.Regular, Timezone: "UTC",
			Visibility: sport.Private, Rules: rules.Default(),
		}}
	}
}

func sorted[T any](of map[sport.ID]*T) []*T {
	all := make([]*T, 0, len(of))
	for _, id := range slices.Sorted(maps.Keys(of)) {
		all = append(all, of[id])
	}
	return all
}

// Apply brings the records into the view after, each kind after those that it refers
// to, and returns how many there are.
func (s *Sources) Apply(ch *change.Changes) int {
	for _, o := range sorted(s.organizations) {
		ch.Organization(&dataset.Record[sport.Organization]{ID: o.ID, Key: o.Key, Value: o.Organization})
	}
	ids := world.Set[sport.ID]{}
	for id, c := range s.competitions {
		ids.Add(id.ID)
		ch.Competition(&dataset.Record[sport.Competition]{ID: c.ID, Key: c.Key, Value: c.Competition})
	}
	for id := range ids {
		ch.World.SetCurrent(id)
	}
	for _, t := range s.tables {
		ch.Table(&dataset.Record[sport.GivenTable]{Value: *t})
	}
	for _, t := range sorted(s.teams) {
		ch.Team(&dataset.Record[sport.Team]{ID: t.ID, Key: t.Key, Value: t.Team})
	}
	for _, x := range sorted(s.players) {
		ch.Player(&dataset.Record[sport.Player]{ID: x.ID, Key: x.Key, Value: x.Player})
	}
	for _, m := range sorted(s.matches) {
		ch.SetMatch(&dataset.Record[dataset.Match]{ID: m.ID}, m)
	}
	return len(s.organizations) + len(s.competitions) + len(s.tables) + len(s.teams) + len(s.players) + len(s.matches)
}

// LeftOver finds the record that an item was made of which follows from none.
func (s *Sources) LeftOver(key store.Key) {
	kind, of := records.Partition(key.PK)
	switch kind {
	case 'T':
		s.gone(history.Record{Kind: sport.KindTeam, ID: of}, s.teams[of] != nil)
	case 'P':
		s.gone(history.Record{Kind: sport.KindPlayer, ID: of}, s.players[of] != nil)
	case 'M':
		s.gone(history.Record{Kind: sport.KindMatch, ID: of}, s.matches[of] != nil)
	case 'C':
		if season, ok := records.SeasonOf(key.SK); ok {
			s.gone(history.Record{Kind: sport.KindCompetition, ID: of, Season: season}, s.competitions[world.SeasonID{ID: of, Season: season}] != nil)
		}
	}
}

// Listed finds the record that an entry was made of which follows from none.
func (s *Sources) Listed(list, key string) {
	id := sport.ID(key)
	switch list {
	case string(records.Everything(sport.KindOrganization)):
		s.gone(history.Record{Kind: sport.KindOrganization, ID: id}, s.organizations[id] != nil)
	case string(records.Everything(sport.KindTeam)):
		s.gone(history.Record{Kind: sport.KindTeam, ID: id}, s.teams[id] != nil)
	case string(records.Everything(sport.KindPlayer)):
		s.gone(history.Record{Kind: sport.KindPlayer, ID: id}, s.players[id] != nil)
	case string(records.Everything(sport.KindMatch)):
		s.gone(history.Record{Kind: sport.KindMatch, ID: id}, s.matches[id] != nil)
	case string(records.EveryTable):
		if t, ok := records.TableOf([]byte(key)); ok {
			s.gone(history.Record{Kind: history.KindStandings, ID: t.Competition, Season: t.Season, Table: t.Table}, false)
		}
	}
}

// gone notes that what follows from a record is there, and that the record may not be.
func (s *Sources) gone(record history.Record, stored bool) {
	if !stored && s.lost[record] == "" {
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
