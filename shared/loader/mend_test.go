package loader_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// items are all items of the table.
func (s *sports) items(t testing.TB) map[store.Key]store.Item {
	t.Helper()
	items := map[store.Key]store.Item{}
	if err := s.table.Scan(t.Context(), func(item store.Item) error {
		key := store.KeyOf(item)
		items[key] = plain(item)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return items
}

// plain is an item without its key.
func plain(item store.Item) store.Item {
	item = maps.Clone(item)
	delete(item, store.PKName)
	delete(item, store.SKName)
	return item
}

// restore makes items those of the table.
func (s *sports) restore(t testing.TB, items map[store.Key]store.Item) {
	t.Helper()
	var writes []store.Write
	now := s.items(t)
	for key := range now {
		if items[key] == nil {
			writes = append(writes, store.Write{Key: key})
		}
	}
	for key, item := range items {
		if !reflect.DeepEqual(now[key], item) {
			writes = append(writes, store.Write{Key: key, Item: maps.Clone(item)})
		}
	}
	if err := s.table.Write(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
}

// write makes writes, the last one of each key.
func (s *sports) write(t testing.TB, writes ...store.Write) {
	t.Helper()
	last := map[store.Key]store.Write{}
	for _, w := range writes {
		w.Item = maps.Clone(w.Item) // which the table adds the key to
		last[w.Key] = w
	}
	if err := s.table.Write(t.Context(), slices.Collect(maps.Values(last))); err != nil {
		t.Fatal(err)
	}
}

// wide is a federation of every kind of record, with lists that have chunks and parts.
func wide(t testing.TB, seed uint64) (*federation, fs.FS) {
	t.Helper()
	f := newFederation(seed)
	f.grow(120)
	f.records["organizations"]["fed"] = fields{"id": "fed", "type": "federation", "name": "Fed"}
	for _, id := range []string{"ta", "tb", "tc"} {
		f.records["teams"][id] = fields{"id": id, "name": "Team " + id, "shortName": id, "organizationId": "fed"}
	}
	for n := range 120 {
		away := "tb"
		if n%9 == 0 {
			away = "tc"
		}
		id := fmt.Sprint("mm", n)
		f.records["matches"][id] = fields{
			"id": id, "status": "finished", "kickoffAt": fmt.Sprintf("2025-08-%02dT12:%02d:00Z", 1+n%28, n%60),
			"homeTeamId": "ta", "awayTeamId": away, "score": fields{"home": n % 4, "away": 0},
		}
	}
	return f, f.folder(t, f.records)
}

// given reports whether an item is what a dataset brought, or the loader's own.
func given(key store.Key) bool {
	source, _ := records.Source(key)
	_, id := records.Partition(key.PK)
	return source != "" || key == records.MatchDetailKey(id) || key.PK == records.JournalPK || key.PK == records.VersionKey().PK
}

// damage spoils some item that follows from others, or adds one that does not.
func damage(r *rand.Rand, items map[store.Key]store.Item, keys []store.Key) store.Write {
	key, other := keys[r.IntN(len(keys))], keys[r.IntN(len(keys))]
	spoiled := maps.Clone(items[key])
	switch r.IntN(6) {
	case 0:
		return store.Write{Key: key}
	case 1:
		return store.Write{Key: key, Item: items[other]}
	case 2: // a copy of it where nothing belongs
		key.SK += "9"
		return store.Write{Key: key, Item: spoiled}
	case 3:
		_, id := records.Partition(key.PK)
		key.PK = strings.TrimSuffix(key.PK, string(id)) + "ffffffffffffffffffffffff"
		return store.Write{Key: key, Item: spoiled}
	}
	names := slices.Sorted(maps.Keys(spoiled))
	if len(names) == 0 {
		return store.Write{Key: key}
	}
	name := names[r.IntN(len(names))]
	b, ok := spoiled[name].(*types.AttributeValueMemberB)
	if !ok || len(b.Value) == 0 || r.IntN(4) == 0 {
		if delete(spoiled, name); r.IntN(2) == 0 {
			spoiled[name] = &types.AttributeValueMemberS{Value: "spoiled"}
		}
		return store.Write{Key: key, Item: spoiled}
	}
	flipped := slices.Clone(b.Value)
	flipped[r.IntN(len(flipped))] ^= 1 << r.IntN(8)
	spoiled[name] = &types.AttributeValueMemberB{Value: flipped}
	return store.Write{Key: key, Item: spoiled}
}

// Whatever is deleted, spoiled or added of what follows from the records of a table,
// mended it says what it said.
func TestAnyDamageIsMended(t *testing.T) {
	tries := 20
	if testing.Short() {
		tries = 3
	}
	_, files := wide(t, 720)
	s := inMemory()
	load(t, s, files, loader.Options{})
	s.checked(t)
	was, said := s.items(t), s.dump(t)
	keys := slices.DeleteFunc(slices.Collect(maps.Keys(was)), given)
	slices.SortFunc(keys, func(a, b store.Key) int { return strings.Compare(a.PK+" "+a.SK, b.PK+" "+b.SK) })
	for try := range tries {
		r := rand.New(rand.NewPCG(uint64(try), 21))
		var all []store.Write
		for range 1 << r.IntN(9) {
			all = append(all, damage(r, was, keys))
		}
		if problem := s.mending(t, was, said, all); problem != "" {
			t.Fatalf("try %d: %s\nafter %+v", try, problem, all)
		}
	}
}

// mending damages a table and mends it, and returns what is wrong then.
func (s *sports) mending(t *testing.T, was map[store.Key]store.Item, said map[string]any, damages []store.Write) string {
	t.Helper()
	s.restore(t, was)
	s.write(t, damages...)
	if _, err := s.loader().Check(t.Context(), true); err != nil {
		return fmt.Sprintf("mend: %v", err)
	}
	switch report, err := s.loader().Check(t.Context(), false); {
	case err != nil:
		return fmt.Sprintf("check what is mended: %v", err)
	case len(report.Differences) > 0:
		return fmt.Sprintf("mended, a check finds %v", report.Differences)
	case len(report.Lost) > 0:
		return fmt.Sprintf("mended, records are lost: %v", report.Lost)
	}
	return difference(said, s.dump(t))
}

// lostRecord is where a record of a dataset lies, and how a report names it.
func lostRecord(file string, r fields, was map[store.Key]store.Item) (store.Key, history.Record) {
	lost := history.Record{Kind: sport.Kind(strings.TrimSuffix(file, "s")), ID: sport.IDFor(sport.Kind(strings.TrimSuffix(file, "s")), fmt.Sprint(r["id"]))}
	switch file {
	case "organizations":
		return records.OrganizationKey(lost.ID), lost
	case "teams":
		return records.TeamKey(lost.ID), lost
	case "players":
		return records.PlayerKey(lost.ID), lost
	case "matches":
		lost = history.Record{Kind: sport.KindMatch, ID: sport.IDFor(sport.KindMatch, fmt.Sprint(r["id"]))}
		return records.MatchKey(lost.ID), lost
	case "standings":
		lost = history.Record{Kind: history.KindStandings, ID: sport.IDFor(sport.KindCompetition, fmt.Sprint(r["competitionId"])), Season: r["season"].(int), Table: sport.TableName(fmt.Sprint(r["table"]))}
		return records.GivenTableKey(lost.ID, lost.Season, lost.Table), lost
	}
	lost.Season = r["season"].(int)
	key := records.CompetitionKey(lost.ID, records.SeasonTag(lost.Season))
	if was[key] == nil {
		key = records.CompetitionKey(lost.ID, records.CurrentTag)
	}
	return key, lost
}

// aloud is a record that says whether it is visible (D74).
func aloud(file string, r fields) fields {
	r = maps.Clone(r)
	if r["visibility"] == nil && file != "standings" {
		r["visibility"] = "public"
	}
	if file == "competitions" && r["rules"] == nil {
		r["rules"] = fields{"hidePlayers": false}
	}
	return r
}

// A record that is gone is named, whatever else is damaged; mended, the table is
// whole without it, and an import of it brings everything back.
func TestALostRecordIsNamedAndComesBack(t *testing.T) {
	each := 4
	if testing.Short() {
		each = 1
	}
	f, files := wide(t, 721)
	s := inMemory()
	load(t, s, files, loader.Options{})
	was, said := s.items(t), s.dump(t)
	r := rand.New(rand.NewPCG(21, 1))
	for file, byID := range f.records {
		ids := slices.Sorted(maps.Keys(byID))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		for n, id := range ids[:min(each, len(ids))] {
			key, lost := lostRecord(file, byID[id], was)
			spoiled := store.Write{Key: key}
			switch {
			case n%2 == 1:
				spoiled.Item = store.Item{"Name": &types.AttributeValueMemberBOOL{Value: true}}
			case file == "players": // it has lost its team
				spoiled.Item = maps.Clone(was[key])
				delete(spoiled.Item, "t")
			}
			s.restore(t, was)
			s.write(t, spoiled)
			if n%3 == 2 { // whatever leads to what is part of it
				for key := range was {
					if strings.HasSuffix(key.PK, "."+string(lost.ID)) {
						s.write(t, store.Write{Key: key})
					}
				}
			}
			report, err := s.loader().Check(t.Context(), true)
			if err != nil {
				t.Fatalf("%s %s: %v", file, id, err)
			}
			if !slices.ContainsFunc(report.Lost, func(l sources.Lost) bool { return l.Record == lost }) {
				t.Errorf("%s %s is not named: %+v", file, id, report.Lost)
			}
			if report, err := s.loader().Check(t.Context(), false); err != nil || len(report.Differences) > 0 {
				t.Errorf("%s %s, mended without it: %v, %v", file, id, report, err)
			}
			load(t, s, f.folder(t, map[string]map[string]fields{file: {id: aloud(file, byID[id])}}), anything())
			if diff := difference(said, s.dump(t)); diff != "" {
				t.Fatalf("%s %s, before it was lost (-) and imported (+):\n%s", file, id, diff)
			}
		}
	}
}

// A table whose version is lost is found to be as its records make it, and gets one.
func TestALostVersionIsMended(t *testing.T) {
	_, files := wide(t, 723)
	s := newSports(t)
	load(t, s, files, loader.Options{})
	s.write(t, store.Write{Key: records.VersionKey()})
	report, err := s.loader().Check(t.Context(), true)
	want := []loader.Difference{{Place: "item " + records.VersionKey().PK + " " + records.VersionKey().SK, Problem: "is missing"}}
	if err != nil || !slices.Equal(report.Differences, want) {
		t.Errorf("without a version: %+v, %v", report, err)
	}
	s.checked(t)
	load(t, s, files, loader.Options{})
}
