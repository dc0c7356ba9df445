package reader

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// items is a table in memory that counts what is read.
type items struct {
	stored map[store.Key]store.Item
	err    error
	reads  [][]store.Key
}

// BatchGet implements store.Source.
func (i *items) BatchGet(_ context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	i.reads = append(i.reads, keys)
	if i.err != nil {
		return nil, i.err
	}
	found := map[store.Key]store.Item{}
	for _, k := range keys {
		if item, ok := i.stored[k]; ok {
			found[k] = item
		}
	}
	return found, nil
}

func (i *items) put(t *testing.T, key store.Key, record any) {
	t.Helper()
	item, err := attributevalue.MarshalMap(record)
	if err != nil {
		t.Fatal(err)
	}
	if i.stored == nil {
		i.stored = map[store.Key]store.Item{}
	}
	i.stored[key] = item
}

const id sport.ID = "0123456789abcdef01234567"

func TestStandingIsThatOfTheOrganization(t *testing.T) {
	tests := map[string]struct {
		record      *records.OrganizationRecord
		active, pro bool
	}{
		"active, pro":   {&records.OrganizationRecord{Organization: records.Organization{Status: sport.Active}, Plan: sport.PlanPro}, true, true},
		"inactive":      {&records.OrganizationRecord{Organization: records.Organization{Status: sport.Inactive}, Plan: sport.PlanPro}, false, true},
		"free":          {&records.OrganizationRecord{Organization: records.Organization{Status: sport.Active}, Plan: sport.PlanFree}, true, false},
		"hidden is not": {&records.OrganizationRecord{Organization: records.Organization{Status: sport.Active}, Plan: sport.PlanPro, Visibility: sport.Hidden, Scope: records.Scope{Hidden: true}}, true, true},
		"unknown":       {nil, false, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			i := &items{}
			if tt.record != nil {
				i.put(t, records.OrganizationKey(id), tt.record)
			}
			reader := &Reader{Items: &store.Cached{Source: i, Now: time.Now}}
			active, pro, err := reader.Standing(t.Context(), id)
			if err != nil || active != tt.active || pro != tt.pro {
				t.Errorf("%v %v %v", active, pro, err)
			}
		})
	}
}

// What the check of D1 step 14 has read is not read again, for as long as a worker may use
// it: also where there is no such organization.
func TestTheOrganizationOfAKeyIsReadOnce(t *testing.T) {
	i := &items{}
	now := time.Unix(1e9, 0)
	reader := &Reader{Items: &store.Cached{Source: i, Now: func() time.Time { return now }}}
	v := sport.Viewer{Organization: id}
	stands := func(want bool, reads int) {
		t.Helper()
		active, _, err := reader.Standing(t.Context(), id)
		if err != nil || active != want || len(i.reads) != reads {
			t.Errorf("%v, %v after %d reads; want %v after %d", active, err, len(i.reads), want, reads)
		}
	}
	stands(false, 1)
	if len(i.reads[0]) != 2 || i.reads[0][1] != records.VersionKey() {
		t.Errorf("the state of the data does not come along: %v", i.reads[0])
	}
	i.put(t, records.OrganizationKey(id), records.OrganizationRecord{Organization: records.Organization{ID: id, Status: sport.Active}, Leaf: true})
	stands(false, 1)
	now = now.Add(absentLife)
	stands(true, 2)
	stands(true, 2)
	if s := reader.search(t.Context(), v, OrganizationQuery{ID: string(id)}); s.err != nil || s.organization.ID != id || len(i.reads) != 2 {
		t.Errorf("%v after %d reads", s.err, len(i.reads))
	}
	now = now.Add(recordLife)
	stands(true, 3)
}

// The state of the data is known, or not for now, or is that of another layout.
func TestTheStateOfTheDataIsRead(t *testing.T) {
	now := time.Unix(1e9, 0)
	i := &items{}
	i.put(t, records.VersionKey(), map[string]any{"o": generation.Layout, "s": map[int]any{generation.Layout: map[string]any{"n": 7, "f": space.Form}}})
	reader := &Reader{Items: &store.Cached{Source: i, Now: func() time.Time { return now }}}
	i.err = errors.New("down")
	if state, err := reader.Generation(t.Context()); state != nil || !errors.Is(err, i.err) {
		t.Errorf("before it was known: %v, %v", state, err)
	}
	i.err = nil
	if state, err := reader.Generation(t.Context()); err != nil || state == nil || state.Version != 7 {
		t.Errorf("%v, %v", state, err)
	}
	now, i.err = now.Add(generation.Life), errors.New("down")
	if state, err := reader.Generation(t.Context()); state != nil || err != nil {
		t.Errorf("once it was known: %v, %v", state, err)
	}
	i.err = nil
	delete(i.stored, records.VersionKey())
	if state, err := reader.Generation(t.Context()); state != nil || !generation.IsEmpty(err) {
		t.Errorf("without data: %v, %v", state, err)
	}
	i.err, now = errors.New("down"), now.Add(absentLife)
	if state, err := reader.Generation(t.Context()); state != nil || err == nil {
		t.Errorf("after there was none: %v, %v", state, err)
	}
}

// A season that is not there is another fault, for the log, than a competition. A match
// has the current season of its competition alone, a friendly none (D16).
func TestWhatASeasonMisses(t *testing.T) {
	const friendly sport.ID = "aaaaaaaaaaaaaaaaaaaaaaaa"
	i, scope := &items{}, records.Scope{Owners: records.IDs{id}}
	league := records.CompetitionRef{ID: id, Season: 2025}
	i.put(t, records.CompetitionKey(id, records.CurrentTag), records.CompetitionRecord{Competition: records.Competition{CompetitionRef: league}, Scope: scope})
	i.put(t, records.MatchKey(id), records.MatchRecord{Match: records.Match{ID: id, Competition: &league}, Scope: scope})
	i.put(t, records.MatchKey(friendly), records.MatchRecord{Match: records.Match{ID: friendly, Season: 2025}, Scope: scope})
	reader := &Reader{Items: &store.Cached{Source: i, Now: time.Now}}
	competition := func(v sport.Viewer, season int) error {
		_, err := reader.Competition(t.Context(), v, string(id), season)
		return err
	}
	match := func(id sport.ID) func(sport.Viewer, int) error {
		return func(v sport.Viewer, season int) error {
			_, err := reader.Match(t.Context(), v, string(id), season)
			return err
		}
	}
	for name, tt := range map[string]struct {
		read   func(sport.Viewer, int) error
		viewer sport.ID
		season int
		misses string
	}{
		"its season":           {competition, id, 2025, ""},
		"another":              {competition, id, 2024, problem.MissingSeason},
		"of another's":         {competition, "other", 2025, problem.MissingID},
		"a match":              {match(id), id, 0, ""},
		"a match in it":        {match(id), id, 2025, ""},
		"a match in another":   {match(id), id, 2024, problem.MissingSeason},
		"a friendly":           {match(friendly), id, 0, ""},
		"a friendly in season": {match(friendly), id, 2025, problem.MissingSeason},
	} {
		err := tt.read(sport.Viewer{Organization: tt.viewer}, tt.season)
		if (err != nil) != (tt.misses != "") || err != nil && problem.From(err).Missing != tt.misses {
			t.Errorf("%s: %v, want that it misses %q", name, err, tt.misses)
		}
	}
	i.reads = nil
	for _, read := range []func(sport.Viewer, int) error{match("no id"), match(id + "0"), match("")} {
		if err := read(sport.Viewer{Organization: id}, 0); problem.From(err).Missing != problem.MissingID || len(i.reads) > 0 {
			t.Errorf("what is no id: %v, after %d reads", err, len(i.reads))
		}
	}
}

func TestASnapshotReadsAnItemOnce(t *testing.T) {
	i := &items{}
	team, player := records.TeamKey(id), records.PlayerKey(id)
	i.put(t, team, records.TeamRecord{Team: records.Team{Season: 1}})
	reader := &Reader{Items: &store.Cached{Source: i, Now: time.Now}}
	s := reader.open()
	for range 2 {
		s.fetch(t.Context(), team, player, team)
	}
	if len(i.reads) != 1 || len(i.reads[0]) != 2 {
		t.Errorf("reads %v", i.reads)
	}
	i.put(t, team, records.TeamRecord{Team: records.Team{Season: 2}})
	if found := record[records.TeamRecord](s, team); found == nil || found.Season != 1 {
		t.Errorf("%+v", found)
	}
	if found := record[records.PlayerRecord](s, player); found != nil || s.err != nil {
		t.Errorf("a player that does not exist: %+v %v", found, s.err)
	}
}

// A record in pieces that was written since a worker has read where they are is read again,
// past what the worker keeps.
func TestARecordWhosePiecesAreGoneIsReadAgain(t *testing.T) {
	i, key := &items{}, records.TeamKey(id)
	noise := make([]byte, 300_000)
	_, _ = rand.Read(noise)
	reader := &Reader{Items: &store.Cached{Source: i, Now: time.Now, MaxBytes: len(noise) / 2}} // too little for the pieces
	for season := range 2 {
		i.put(t, key, records.TeamRecord{Team: records.Team{TeamRef: records.TeamRef{Logo: hex.EncodeToString(noise)}, Season: season}})
		stub, pieces, err := records.Split(key, i.stored[key])
		if err != nil || len(pieces) == 0 {
			t.Fatal(len(pieces), err)
		}
		maps.Copy(stub, key.Item())
		i.stored = map[store.Key]store.Item{key: stub}
		for _, p := range pieces {
			i.stored[p.Key] = p.Item
		}
		s := reader.open()
		s.fetch(t.Context(), key)
		if found := record[records.TeamRecord](s, key); s.err != nil || found.Season != season {
			t.Errorf("season %d: %v", season, s.err)
		}
	}
}

// Of the matches of a player those are left out that are hidden since, or not there.
func TestAPlayersMatchesAreThoseThatAreShown(t *testing.T) {
	i := &items{}
	for n, hidden := range map[sport.ID]bool{"shown": false, "hidden": true} {
		i.put(t, records.MatchKey(n), records.MatchRecord{Match: records.Match{ID: n}, Scope: records.Scope{Hidden: hidden}})
	}
	s := (&Reader{Items: &store.Cached{Source: i, Now: time.Now}}).open()
	played := s.played(t.Context(), []records.PerformanceEntry{{Match: "gone"}, {Match: "hidden"}, {Match: "shown"}})
	if s.err != nil || len(played) != 1 || played[0].Match.ID != "shown" || played[0].Performance.Match != "shown" {
		t.Errorf("%+v, %v", played, s.err)
	}
}

// What could not be read, or decoded, or was not asked for, is not taken for missing: the
// first error stays, and whatever is asked for afterwards is not read.
func TestTheFirstErrorOfASnapshotStays(t *testing.T) {
	down, key := errors.New("down"), records.TeamKey(id)
	for name, fails := range map[string]func(i *items, s *snapshot){
		"not read": func(i *items, s *snapshot) {
			i.err = down
			s.fetch(t.Context(), key)
			i.err = nil
		},
		"not decoded": func(i *items, s *snapshot) {
			i.put(t, key, map[string]any{"se": "not a number"})
			s.fetch(t.Context(), key)
			record[records.TeamRecord](s, key)
		},
		"not fetched": func(_ *items, s *snapshot) { record[records.TeamRecord](s, key) },
	} {
		i := &items{}
		i.put(t, key, records.TeamRecord{})
		s := (&Reader{Items: &store.Cached{Source: i, Now: time.Now}}).open()
		fails(i, s)
		first, reads := s.err, len(i.reads)
		if first == nil || name == "not read" && !errors.Is(first, down) || problem.From(first).Code != problem.InternalError {
			t.Errorf("%s: %v", name, first)
		}
		s.fetch(t.Context(), key, records.PlayerKey(id))
		if found := find[records.TeamRecord](s, sport.Viewer{}, key, problem.MissingID); found == nil || !errors.Is(s.err, first) || len(i.reads) != reads {
			t.Errorf("%s: then %v, %v, after %d more reads", name, found, s.err, len(i.reads)-reads)
		}
	}
}
