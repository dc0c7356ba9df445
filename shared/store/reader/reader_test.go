package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

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

// Get implements Items, without a cache.
func (i *items) Get(_ context.Context, keys []store.Key, _ store.TTL) (map[store.Key]store.Item, error) {
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

// Refresh implements Items.
func (i *items) Refresh(ctx context.Context, keys []store.Key, ttl store.TTL) (map[store.Key]store.Item, error) {
	return i.Get(ctx, keys, ttl)
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

func rootOf(r *Reader, id sport.ID) *records.OrganizationRecord {
	found, _ := r.root(id)
	return found
}

func TestStandingIsThatOfTheOrganization(t *testing.T) {
	tests := map[string]struct {
		record      *records.OrganizationRecord
		active, pro bool
	}{
		"active, pro":   {&records.OrganizationRecord{Status: sport.Active, Plan: sport.PlanPro}, true, true},
		"inactive":      {&records.OrganizationRecord{Status: sport.Inactive, Plan: sport.PlanPro}, false, true},
		"free":          {&records.OrganizationRecord{Status: sport.Active, Plan: sport.PlanFree}, true, false},
		"hidden is not": {&records.OrganizationRecord{Status: sport.Active, Plan: sport.PlanPro, Visibility: sport.Hidden, Scope: records.Scope{Hidden: true}}, true, true},
		"unknown":       {nil, false, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			i := &items{}
			if tt.record != nil {
				i.put(t, records.OrganizationKey(id), tt.record)
			}
			reader := &Reader{Items: i, Now: func() time.Time { return time.Unix(0, 0) }}
			active, pro, err := reader.Standing(t.Context(), id)
			if err != nil || active != tt.active || pro != tt.pro {
				t.Errorf("%v %v %v", active, pro, err)
			}
		})
	}
}

func TestAStandingIsRememberedForLessThanTwoSeconds(t *testing.T) {
	i := &items{}
	now := time.Unix(1e9, 0)
	reader := &Reader{Items: i, Now: func() time.Time { return now }}
	standing := func() bool {
		active, _, err := reader.Standing(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return active
	}
	if standing() || rootOf(reader, id) != nil {
		t.Fatal("known before it exists")
	}
	i.put(t, records.OrganizationKey(id), records.OrganizationRecord{Organization: records.Organization{ID: id}, Status: sport.Active})
	now = now.Add(3 * time.Second)
	if !standing() {
		t.Error("that there is none is remembered for more than 3 s")
	}
	if root := rootOf(reader, id); root == nil || root.ID != id {
		t.Errorf("root %v", root)
	}
	reads := len(i.reads)
	now = now.Add(time.Second)
	if !standing() || len(i.reads) != reads {
		t.Error("read again within a second")
	}
	i.put(t, records.OrganizationKey(id), records.OrganizationRecord{Status: sport.Inactive})
	now = now.Add(time.Second)
	if rootOf(reader, id) != nil || standing() {
		t.Error("remembered for 2 s")
	}
}

// A worker that was frozen has a monotonic clock that has not moved: what it
// remembers has aged all the same.
func TestAStandingAgesWhileAWorkerIsFrozen(t *testing.T) {
	i := &items{}
	now := time.Now() // with a reading of the monotonic clock
	reader := &Reader{Items: i, Now: func() time.Time { return now }}
	i.put(t, records.OrganizationKey(id), records.OrganizationRecord{Organization: records.Organization{ID: id}, Status: sport.Active})
	if active, _, err := reader.Standing(t.Context(), id); err != nil || !active {
		t.Fatalf("%v, %v", active, err)
	}
	i.put(t, records.OrganizationKey(id), records.OrganizationRecord{Organization: records.Organization{ID: id}, Status: sport.Inactive})
	now = thawed(now, time.Hour)
	if active, _, err := reader.Standing(t.Context(), id); err != nil || active {
		t.Errorf("%v, %v an hour later", active, err)
	}
}

// thawed is a time that is later by the wall clock and not by the monotonic one,
// as a worker reads it that was frozen in between. The layout is that of
// time.Time: the seconds of the wall clock from bit 30 on.
func thawed(t time.Time, frozen time.Duration) time.Time {
	wall := (*uint64)(unsafe.Pointer(&t))
	*wall += uint64(frozen/time.Second) << 30 //nolint:gosec // not negative
	return t
}

// However many organizations ask, and however large their records are, what is
// remembered of them is bounded in bytes.
func TestStandingsTakeBoundedMemory(t *testing.T) {
	i := &items{}
	reader := &Reader{Items: i, Now: func() time.Time { return time.Unix(1e9, 0) }}
	const organizations, description = 200, 10_000
	for n := range organizations {
		id := sport.ID(fmt.Sprintf("%024x", n))
		i.put(t, records.OrganizationKey(id), records.OrganizationRecord{
			Organization: records.Organization{ID: id, Description: strings.Repeat("x", description)}, Status: sport.Active,
		})
		if active, _, err := reader.Standing(t.Context(), id); err != nil || !active {
			t.Fatal(active, err)
		}
	}
	kept := 0
	for n := range organizations {
		if rootOf(reader, sport.ID(fmt.Sprintf("%024x", n))) != nil {
			kept++
		}
	}
	if kept < 50 || kept*description > 1<<20 {
		t.Errorf("%d of %d are remembered", kept, organizations)
	}
	if rootOf(reader, sport.ID(fmt.Sprintf("%024x", organizations-1))) == nil {
		t.Error("the last one is not remembered")
	}
}

func TestASnapshotReadsAnItemOnce(t *testing.T) {
	i := &items{}
	team, player := records.TeamKey(id), records.PlayerKey(id)
	i.put(t, team, records.TeamRecord{Team: records.Team{Season: 1}})
	reader := &Reader{Items: i, Now: time.Now}
	s := reader.open()
	for range 2 {
		if err := s.fetch(t.Context(), team, player, team); err != nil {
			t.Fatal(err)
		}
	}
	if len(i.reads) != 1 || len(i.reads[0]) != 2 {
		t.Errorf("reads %v", i.reads)
	}
	i.put(t, team, records.TeamRecord{Team: records.Team{Season: 2}})
	if found, err := record[records.TeamRecord](s, team); err != nil || found == nil || found.Season != 1 {
		t.Errorf("%+v %v", found, err)
	}
	if found, err := record[records.PlayerRecord](s, player); err != nil || found != nil {
		t.Errorf("a player that does not exist: %+v %v", found, err)
	}
}

func TestWhatCouldNotBeReadIsNotTakenForMissing(t *testing.T) {
	i := &items{err: errors.New("down")}
	key := records.TeamKey(id)
	s := (&Reader{Items: i, Now: time.Now}).open()
	if err := s.fetch(t.Context(), key); !errors.Is(err, i.err) {
		t.Fatalf("error %v", err)
	}
	i.err = nil
	i.put(t, key, records.TeamRecord{})
	if err := s.fetch(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if found, err := record[records.TeamRecord](s, key); err != nil || found == nil {
		t.Errorf("%v %v", found, err)
	}
}

func TestARecordThatIsNoneIsAnError(t *testing.T) {
	i := &items{}
	key := records.TeamKey(id)
	i.put(t, key, map[string]any{"se": "not a number"})
	s := (&Reader{Items: i, Now: time.Now}).open()
	if err := s.fetch(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if _, err := record[records.TeamRecord](s, key); err == nil {
		t.Error("no error")
	}
}

func TestWhatWasNotFetchedIsNotTakenForMissing(t *testing.T) {
	s := (&Reader{Items: &items{}, Now: time.Now}).open()
	if _, err := record[records.TeamRecord](s, records.TeamKey(id)); err == nil {
		t.Error("no error")
	}
}
