package reader

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
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
	if _, known := reader.isLeaf(v, id); known {
		t.Error("known before it exists")
	}
	i.put(t, records.OrganizationKey(id), records.OrganizationRecord{Organization: records.Organization{ID: id, Status: sport.Active}, Leaf: true})
	stands(false, 1)
	now = now.Add(absentLife)
	stands(true, 2)
	stands(true, 2)
	if leaf, known := reader.isLeaf(v, id); !leaf || !known {
		t.Errorf("leaf %v, known %v", leaf, known)
	}
	if _, known := reader.isLeaf(sport.Viewer{Organization: "other"}, id); known {
		t.Error("it is not the organization of that key")
	}
	if s := reader.search(t.Context(), v, OrganizationQuery{ID: string(id)}); s.err != nil || s.organization.ID != id || len(i.reads) != 2 {
		t.Errorf("%v after %d reads", s.err, len(i.reads))
	}
	now = now.Add(recordLife)
	if _, known := reader.isLeaf(v, id); known {
		t.Error("known for too long")
	}
	stands(true, 3)
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
