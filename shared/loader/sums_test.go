package loader_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// career is a federation in which Ann and Eve have played so many seasons, one
// match each.
func career(seasons int) fstest.MapFS {
	file := func(lines string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(lines)} }
	var competitions, matches strings.Builder
	for year := 2001; year <= 2025; year++ {
		fmt.Fprintf(&competitions, `{"id":"l","season":%d,"name":"The league of %d, %s","organizationId":"f"}`+"\n", year, year, strings.Repeat("name ", 18))
		id := fmt.Sprint("of ", year)
		if year < 2001+seasons {
			matches.WriteString(friendly(id, fmt.Sprintf(`"competitionId":"l","season":%d,`, year)))
		} else {
			fmt.Fprintf(&matches, `{"id":%q,"deleted":true}`+"\n", id)
		}
	}
	return fstest.MapFS{
		"organizations.ndjson": file(`{"id":"f","type":"federation","name":"F"}`),
		"competitions.ndjson":  file(competitions.String()),
		"teams.ndjson": file(`{"id":"free","name":"Free","shortName":"Free","organizationId":"f"}
{"id":"entered","name":"Entered","shortName":"Entered","organizationId":"f","competitionId":"l","season":2001}`),
		"players.ndjson": file(`{"id":"ann","name":"Ann","teamId":"free"}
{"id":"eve","name":"Eve","teamId":"entered"}`),
		"matches.ndjson": file(matches.String()),
	}
}

// sumsOf is what Ann's record holds of her sums, and the item that there is beside
// it, nil if there isn't one.
func (s *sports) sumsOf(t testing.TB) (records.PlayerSums, store.Item) {
	t.Helper()
	ann := sport.IDFor(sport.KindPlayer, "ann")
	var r records.PlayerRecord
	s.record(t, records.PlayerKey(ann), &r)
	item, err := s.table.Get(t.Context(), records.PlayerSeasonsKey(ann), true)
	if err != nil {
		t.Fatal(err)
	}
	return r.PlayerSums, item
}

const short, long = 3, 25 // seasons

// The sums of a few seasons are in the player's record, those of many beside it,
// whichever way they became as many.
func TestSumsAreInTheRecordWhileTheyAreShort(t *testing.T) {
	s := newSports(t)
	for _, seasons := range []int{short, long, short, 0, long} {
		load(t, s, career(seasons), loader.Options{})
		sums, item := s.sumsOf(t)
		if in, beside := sums.Short != nil, item != nil; in != (seasons == short) || beside != (seasons == long) || sums.Apart != beside {
			t.Errorf("%d seasons: in the record %v, beside it %v, which it says %v", seasons, in, beside, sums.Apart)
		}
		s.same(t, career(seasons))
	}
}

func TestSumsMoveWhereverTheLoadIsKilled(t *testing.T) {
	for _, seasons := range []int{short, long} {
		t.Run(fmt.Sprintf("%d seasons instead of %d", seasons, short+long-seasons), func(t *testing.T) {
			s := killedEverywhere(t, career(short+long-seasons), career(seasons), 40, 0)
			s.same(t, career(seasons))
		})
	}
}

// A record that is written for another reason keeps the sums, and none of what
// they are computed from is read for it.
func TestARecordThatIsWrittenAgainKeepsItsSums(t *testing.T) {
	for _, seasons := range []int{short, long} {
		files := career(seasons)
		s := newSports(t)
		load(t, s, files, loader.Options{})
		before, _ := s.sumsOf(t)
		// Ann's record names what is above her team's owner.
		files["organizations.ndjson"] = &fstest.MapFile{Data: []byte(`{"id":"f","type":"federation","name":"F","parentId":"g"}
{"id":"g","type":"federation","name":"G"}`)}
		load(t, s, fstest.MapFS{"organizations.ndjson": files["organizations.ndjson"]}, loader.Options{})
		after, _ := s.sumsOf(t)
		if string(before.Short) != string(after.Short) || before.Apart != after.Apart {
			t.Errorf("%d seasons: %v before, %v after", seasons, before, after)
		}
		s.same(t, files)
	}
}
