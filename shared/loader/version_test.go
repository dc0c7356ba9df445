package loader_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/loader"
	"touchline/shared/loader/journal"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// The version of the data grows by one with each load that changed something, and
// with whatever else may have (D56); a load that is finished by another counts once.
func TestTheVersionOfTheDataGrows(t *testing.T) {
	s := newSports(t)
	version := func(want int, writing bool) {
		t.Helper()
		state, err := generation.Read(t.Context(), s.table)
		if err != nil || state.Version != want || state.Writing != writing || state.Ended.IsZero() != (want == 0) {
			t.Errorf("%+v, %v; want %d, writing %t", state, err, want, writing)
		}
	}
	club := func(name string) fstest.MapFS {
		return fstest.MapFS{"organizations.ndjson": {Data: []byte(`{"id":"o","type":"club","name":"` + name + `"}` + "\n")}}
	}
	// kill runs the load until it has written the data, or a part of it.
	kill := func(name string, writes int) {
		t.Helper()
		if _, err := s.dyingAfter(writes).Load(t.Context(), club(name), loader.Options{}); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
	}
	kill("A", 4) // its lease, its entry, the layout, its journal
	version(0, true)
	load(t, s, club("A"), loader.Options{})
	version(1, false)
	load(t, s, club("A"), loader.Options{})
	version(1, false)
	load(t, s, club("B"), loader.Options{})
	version(2, false)
	s.checked(t)
	version(2, false)

	reached := 0
	for ; reached < 30; reached++ { // until it is killed after it said that it has ended
		_, err := s.dyingAfter(reached).Load(t.Context(), club("C"), loader.Options{})
		state, unread := generation.Read(t.Context(), s.table)
		if unread != nil {
			t.Fatal(unread)
		}
		if err == nil || state.Version == 3 {
			break
		}
	}
	load(t, s, club("C"), loader.Options{})
	version(3, false)

	kill("D", 4) // its lease, its entry, its journal, that it writes
	version(3, true)
	if _, err := s.loader().Abandon(t.Context()); err != nil {
		t.Fatal(err)
	}
	version(4, false)
	load(t, s, club("D"), loader.Options{})
	version(5, false)

	extra := store.Write{Key: records.TeamSeasonsKey(sport.IDFor(sport.KindTeam, "t")), Item: store.Item{"x": &types.AttributeValueMemberS{Value: "y"}}}
	if err := s.table.Write(t.Context(), []store.Write{extra}); err != nil {
		t.Fatal(err)
	}
	if r, err := s.loader().Check(t.Context(), true); err != nil || !r.Mended {
		t.Fatalf("%+v, %v", r, err)
	}
	version(6, false)
}

// Once a first load is decided the table has a version: else a build of another layout would
// take it for an empty one, and load as well.
func TestAFirstLoadHasAVersionBeforeItIsDecided(t *testing.T) {
	decided := 0
	for kill := 0; ; kill++ {
		s := inMemory()
		_, killed := s.dyingAfter(kill).Load(t.Context(), folder(league()), loader.Options{})
		header, _, err := journal.Read(t.Context(), s.table)
		if err != nil {
			t.Fatal(err)
		}
		if header != nil {
			decided++
			if _, err := generation.Read(t.Context(), s.table); err != nil {
				t.Errorf("killed after %d writes: %v", kill, err)
			}
		}
		if killed == nil {
			break
		}
	}
	if decided == 0 {
		t.Error("no load was killed once it was decided")
	}
}

// Whoever sees a new version finds the new data, also where the load was killed (D56).
func TestTheVersionGrowsAfterTheData(t *testing.T) {
	raised := 0
	for kill := 0; ; kill++ {
		s := inMemory()
		club := func(name string) fstest.MapFS {
			return fstest.MapFS{"organizations.ndjson": {Data: []byte(`{"id":"o","type":"club","name":"` + name + `"}` + "\n")}}
		}
		load(t, s, club("A"), loader.Options{})
		_, killed := s.dyingAfter(kill).Load(t.Context(), club("B"), loader.Options{})
		state, err := generation.Read(t.Context(), s.table)
		if err != nil {
			t.Fatal(err)
		}
		var o records.OrganizationRecord
		if s.record(t, records.OrganizationKey(sport.IDFor(sport.KindOrganization, "o")), &o); state.Version == 2 && o.Name != "B" {
			t.Errorf("killed after %d writes: version 2 with the name %q", kill, o.Name)
		}
		if killed == nil {
			break
		}
		raised += state.Version - 1
	}
	if raised == 0 {
		t.Error("no load was killed after it had raised the version")
	}
}
