package format

import (
	"bytes"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	_ "time/tzdata" // time zones, whatever the machine has

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/sport"
)

// plain is a record as a comparison sees it: without its origin, with the parts
// of a match unpacked.
type plain struct {
	Key     string
	ID      sport.ID
	Deleted bool
	Value   any
	Local   string
}

// rewritten writes a set back into files. It gives its records as well.
func rewritten(set *dataset.Set) (fsys fstest.MapFS, all []plain) {
	fsys = fstest.MapFS{}
	put := func(k files.Kind, line []byte, p plain) {
		name := files.Names()[k]
		if fsys[name] == nil {
			fsys[name] = &fstest.MapFile{}
		}
		fsys[name].Data, all = append(fsys[name].Data, line...), append(all, p)
	}
	write(put, files.Organizations, slices.All(set.Organizations))
	write(put, files.Competitions, slices.All(set.Competitions))
	write(put, files.Teams, slices.All(set.Teams))
	write(put, files.Players, set.Players.All())
	write(put, files.Matches, set.Matches.All())
	write(put, files.Standings, slices.All(set.Standings))
	return fsys, all
}

func write[T dataset.Entity](put func(files.Kind, []byte, plain), k files.Kind, records iter.Seq2[int, *dataset.Record[T]]) {
	for _, rec := range records {
		p := plain{Key: rec.Key, ID: rec.ID, Deleted: rec.Deleted, Value: rec.Value}
		if m, ok := any(&rec.Value).(*dataset.Match); ok {
			p.Value, p.Local = m.Full(), m.KickoffLocal
		}
		put(k, Append(nil, rec), p)
	}
}

// checkRoundTrip writes a set and reads it again.
func checkRoundTrip(t *testing.T, set *dataset.Set) {
	t.Helper()
	written, want := rewritten(set)
	if len(written) == 0 {
		return
	}
	again, err := Read(t.Context(), written, Options{})
	if err != nil {
		t.Fatalf("what was written does not read: %v", err)
	}
	second, got := rewritten(again)
	if !reflect.DeepEqual(want, got) { // cmp.Diff takes seconds where all is equal
		t.Fatalf("read again (-want +got):\n%s", cmp.Diff(want, got))
	}
	for name, file := range second {
		if !bytes.Equal(file.Data, written[name].Data) {
			t.Errorf("%s is written differently the second time:\n%s\n%s", name, written[name].Data, file.Data)
		}
	}
}

func TestWhatIsWrittenReadsAsTheSame(t *testing.T) {
	given := federation()
	given["organizations"] += lined(`{"id":"z","deleted":true}`, `{"id":"0123456789abcdef01234567","type":"club","name":"\"\\ü<&>😀","logo":"https://example.org/l","description":"d","season":2025,"status":"inactive","visibility":"hidden","plan":"free"}`)
	given["competitions"] += lined(`{"id":"e","deleted":true}`, `{"id":"k","season":2003,"deleted":true}`,
		`{"id":"n","season":2200,"current":true,"name":"N","logo":"https://example.org/l","type":"cup","stage":"playout","parentId":"c","format":"knockout","timezone":"Europe/Vienna","organizationId":"f","gender":"men","completed":true,"endsAt":"2025-05-24","visibility":"hidden","rules":{"loss":1,"tieBreakers":["seed"]}}`)
	given["teams"] += lined(`{"id":"w","deleted":true}`, `{"id":"v","name":"V","shortName":"V","logo":"https://example.org/l","gender":"women","status":"inactive","visibility":"private","startingPoints":-1,"seed":-1}`)
	given["players"] += lined(`{"id":"w","deleted":true}`, `{"id":"v","name":"V","teamId":"v","number":9,"position":"midfielder","photo":"https://example.org/p","status":"inactive","visibility":"hidden"}`)
	given["matches"] += lined(strings.Replace(wholeMatch, `"id":"m"`, `"id":"whole"`, 1), `{"id":"gone","deleted":true}`)
	given["standings"] += lined(`{"competitionId":"c","season":2002,"table":"playout","deleted":true}`, `{"competitionId":"c","season":2002,"table":"regular","rows":[{"teamId":"b","rank":1,"played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0,"startingPoints":-1}]}`)
	checkRoundTrip(t, mustRead(t, given))
}

// A writer of its own data knows keys, not ids, and fills in Base.
func TestKeysAreWrittenAsTheyStand(t *testing.T) {
	rec := &dataset.Record[dataset.Match]{Key: "m", Value: dataset.Match{Base: sport.Match{
		Status: sport.Upcoming, Kickoff: time.Date(2025, 8, 1, 20, 30, 0, 0, time.FixedZone("", 7200)),
		HomeTeamID: "a", AwayTeamID: "b",
		Events: []sport.Event{{Type: sport.EventPeriod, Detail: sport.PeriodStart}},
	}}}
	want := `{"id":"m","status":"upcoming","kickoffAt":"2025-08-01T18:30:00.000Z","homeTeamId":"a","awayTeamId":"b",` +
		`"events":[{"type":"period","detail":"start","minute":0}]}` + "\n"
	if diff := cmp.Diff("x"+want, string(Append([]byte("x"), rec))); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
	player := &dataset.Record[sport.Player]{ID: "0123456789abcdef01234567", Value: sport.Player{Name: "P", TeamID: "t"}}
	if got := string(Append(nil, player)); !strings.HasPrefix(got, `{"id":"0123456789abcdef01234567","name":"P","teamId":"t"`) {
		t.Errorf("a record without a key is %s", got)
	}
}

// FuzzRead holds that no bytes make reading fail otherwise than by faults, and
// that what is accepted survives being written.
func FuzzRead(f *testing.F) {
	for name, text := range federation() {
		f.Add(uint8(files.Of(name+".ndjson")), []byte(text))
	}
	f.Add(uint8(files.Matches), []byte(wholeMatch))
	f.Add(uint8(files.Matches), []byte(match(`"winner":"none","events":[{"id":"m/1","type":"goal","minute":1,"side":"home"}]`)))
	f.Add(uint8(files.Organizations), []byte("\xef\xbb\xbf{\"id\":\"\\u0000\",\"type\":\"club\",\"name\":\"\\ud83d\\ude00\"}\r\n\n{\"id\":\"b\",\"deleted\":true}"))
	f.Fuzz(func(t *testing.T, k uint8, text []byte) {
		name := files.Names()[int(k)%len(files.Names())]
		set, err := Read(t.Context(), fstest.MapFS{name: {Data: text}}, Options{})
		if err != nil {
			if bytes.HasPrefix(text, []byte("\x1f\x8b")) {
				return
			}
			var faults *dataset.Faults
			if !errors.As(err, &faults) || faults.Count() == 0 {
				t.Fatalf("not faults: %v", err)
			}
			good, _ := Read(t.Context(), fstest.MapFS{name: {Data: text}}, Options{})
			checkRoundTrip(t, good)
			return
		}
		checkRoundTrip(t, set)
	})
}
