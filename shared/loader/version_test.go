package loader_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/loader"
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

// A load that was checked against other data than those that are there is refused.
func TestALoadIsOfTheDataThatItWasCheckedAgainst(t *testing.T) {
	s, next := inMemory(), organization(`{"id":"o","type":"club","name":"B"}`)
	load(t, s, organization(`{"id":"o","type":"club","name":"A"}`), loader.Options{})
	checked := load(t, s, next, loader.Options{DryRun: true})
	load(t, s, organization(`{"id":"x","type":"club","name":"X"}`), loader.Options{})
	if _, err := s.loader().Load(t.Context(), next, loader.Options{Version: checked.Version}); !errors.Is(err, loader.ErrChecked) {
		t.Error(err)
	}
	load(t, s, next, loader.Options{Version: load(t, s, next, loader.Options{DryRun: true}).Version})
}

// Whoever sees a new version finds the new data, also where the load was killed (D56). Once a
// first load is decided the table has a version: else a build of another layout would take it
// for an empty one, and load as well.
func TestTheVersionGrowsAfterTheData(t *testing.T) {
	club := func(name string) fstest.MapFS {
		return fstest.MapFS{"organizations.ndjson": {Data: []byte(`{"id":"o","type":"club","name":"` + name + `"}` + "\n")}}
	}
	for version, name := range []string{"A", "B"} {
		decided, raised := 0, 0
		for kill, killed := 0, errKilled; killed != nil; kill++ {
			s := inMemory()
			if version > 0 {
				load(t, s, club("A"), loader.Options{})
			}
			_, killed = s.dyingAfter(kill).Load(t.Context(), club(name), loader.Options{})
			state, err := generation.Read(t.Context(), s.table)
			if s.journaled(t) {
				decided++
			} else if version == 0 && killed != nil && state.Version == 0 {
				continue
			}
			if err != nil {
				t.Fatalf("killed after %d writes: %v", kill, err)
			}
			if state.Version == version {
				continue
			}
			var o records.OrganizationRecord
			if s.record(t, records.OrganizationKey(sport.IDFor(sport.KindOrganization, "o")), &o); o.Name != name {
				t.Errorf("killed after %d writes: version %d with the name %q", kill, state.Version, o.Name)
			}
			if killed != nil {
				raised++
			}
		}
		if decided == 0 || raised == 0 {
			t.Errorf("of the loads of %s %d were killed once they were decided, %d once they had raised the version", name, decided, raised)
		}
	}
}
