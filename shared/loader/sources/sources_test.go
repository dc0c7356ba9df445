package sources_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/change"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/records/recordstest"
)

// stored is a record of each kind.
var stored = map[string]string{
	"organizations": `{"id":"o","type":"federation","name":"O"}`,
	"competitions":  `{"id":"c","season":2025,"name":"C","organizationId":"o"}` + "\n" + `{"id":"d","season":2025,"name":"D","organizationId":"o","parentId":"c","stage":"playoff"}` + "\n" + `{"id":"e","season":2025,"name":"E","organizationId":"o","parentId":"d","stage":"playoff"}`,
	"teams":         `{"id":"a","name":"A","shortName":"A","organizationId":"o","competitionId":"c","season":2025}` + "\n" + `{"id":"b","name":"B","shortName":"B"}`,
	"players":       `{"id":"p","name":"P","teamId":"a"}`,
	"matches": `{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b",` +
		`"score":{"home":1,"away":0},"events":[{"id":"e","type":"goal","minute":9,"side":"home","playerId":"p"}]}`,
	"standings": `{"competitionId":"c","season":2025,"table":"regular","rows":[{"rank":1,"teamId":"b","played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0}]}`,
}

func id(kind sport.Kind, key string) sport.ID { return dataset.ID(kind, key) }

// itemsOf are the items of a table with what is stored.
func itemsOf(t *testing.T) map[store.Key]store.Item {
	t.Helper()
	folder := fstest.MapFS{}
	for name, lines := range stored {
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(lines)}
	}
	table := recordstest.New(t)
	table.Load(t, folder)
	items := map[store.Key]store.Item{}
	if err := table.Scan(t.Context(), func(item store.Item) error { items[store.KeyOf(item)] = item; return nil }); err != nil {
		t.Fatal(err)
	}
	return items
}

func read(t *testing.T, items map[store.Key]store.Item) *sources.Sources {
	t.Helper()
	given := sources.Items{}
	for key, item := range items {
		given.Put(key, item)
	}
	s, err := sources.Read(t.Context(), given, &change.Changes{World: world.NewWorld(), Report: &history.Report{}}, func(int, int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A record that is lost is named by what refers to it, and has a stand-in that nobody sees.
func TestWhatIsLostIsNamed(t *testing.T) {
	a, p := id(sport.KindTeam, "a"), id(sport.KindPlayer, "p")
	for _, tt := range []struct {
		name string
		key  store.Key
		want string
		left func(w *world.World) bool
	}{
		{"nothing", store.Key{PK: "none"}, "", func(*world.World) bool { return true }},
		{"an organization", records.OrganizationKey(id(sport.KindOrganization, "o")), `organization: team "a" and 3 more refer to it`,
			func(w *world.World) bool {
				return w.Organizations.At(world.After, id(sport.KindOrganization, "o")).Visibility == sport.Private
			}},
		{"a season", records.CompetitionKey(id(sport.KindCompetition, "c"), records.CurrentTag), `competition 2025: match "m" and 2 more refer to it`,
			func(w *world.World) bool {
				return w.SeasonOf(world.After, id(sport.KindCompetition, "c"), 2025).Visibility == sport.Private
			}},
		{"a season that only a playoff names", records.CompetitionKey(id(sport.KindCompetition, "d"), records.CurrentTag), `competition 2025: competition "e" refers to it`,
			func(w *world.World) bool {
				return w.SeasonOf(world.After, id(sport.KindCompetition, "d"), 2025).Visibility == sport.Private
			}},
		{"a team", records.TeamKey(a), `team: match "m" and 1 more refer to it`,
			func(w *world.World) bool { return w.Teams.At(world.After, a).Visibility == sport.Private }},
		{"a player", records.PlayerKey(p), `player: match "m" refers to it`,
			func(w *world.World) bool {
				x := w.Players.At(world.After, p)
				return x.Visibility == sport.Private && x.TeamID == a
			}},
		{"the details of a match", records.MatchDetailKey(id(sport.KindMatch, "m")), `match: its line-ups, events and statistics are gone`,
			func(w *world.World) bool {
				return len(w.Matches.At(world.After, id(sport.KindMatch, "m")).DetailHash) == 0
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items := itemsOf(t)
			delete(items, tt.key)
			s := read(t, items)
			var got []string
			for _, l := range s.Report() {
				text := string(l.Kind)
				if l.Season > 0 {
					text += fmt.Sprint(" ", l.Season)
				}
				got = append(got, text+": "+l.Why)
			}
			if d := cmp.Diff(tt.want, strings.Join(got, "; ")); d != "" {
				t.Error(d)
			}
			if !tt.left(s.World) {
				t.Error("the stand-in is not as it should be")
			}
		})
	}
}

// An item in the place of another one, and what follows from a record that is not there,
// say that the record is lost.
func TestWhatIsLeftOverNamesARecord(t *testing.T) {
	items := itemsOf(t)
	b := records.TeamKey(id(sport.KindTeam, "b"))
	items[b] = items[records.TeamKey(id(sport.KindTeam, "a"))]
	s := read(t, items)
	s.LeftOver(records.PlayerKey("gone"))
	s.LeftOver(records.PlayerKey(id(sport.KindPlayer, "p")))
	s.Listed(string(records.Everything(sport.KindMatch)), "lost")
	s.Listed(string(records.Everything(sport.KindMatch)), string(id(sport.KindMatch, "m")))
	why := map[sport.ID]string{}
	for _, l := range s.Report() {
		why[l.ID] = string(l.Kind) + " " + l.Why
	}
	const follows = " what follows from it is still there"
	if len(why) != 3 || why["gone"] != "player"+follows || why["lost"] != "match"+follows || !strings.HasPrefix(why[id(sport.KindTeam, "b")], "team its item cannot be read: it is that of ") {
		t.Errorf("%q", why)
	}
}

// A line has the ids of what it names, or what a dataset calls them.
func TestLinesOfRecords(t *testing.T) {
	s := read(t, itemsOf(t))
	called := func(id sport.ID) sport.ID {
		for kind, keys := range map[sport.Kind]string{sport.KindOrganization: "o", sport.KindCompetition: "c", sport.KindTeam: "a b", sport.KindPlayer: "p"} {
			for _, key := range strings.Fields(keys) {
				if id == dataset.ID(kind, key) {
					return sport.ID(key)
				}
			}
		}
		return id
	}
	for name, of := range map[string]history.Record{
		"organizations": {Kind: sport.KindOrganization, ID: id(sport.KindOrganization, "o")},
		"competitions":  {Kind: sport.KindCompetition, ID: id(sport.KindCompetition, "c"), Season: 2025},
		"teams":         {Kind: sport.KindTeam, ID: id(sport.KindTeam, "a")},
		"players":       {Kind: sport.KindPlayer, ID: id(sport.KindPlayer, "p")},
		"matches":       {Kind: sport.KindMatch, ID: id(sport.KindMatch, "m")},
		"standings":     {Kind: history.KindStandings, ID: id(sport.KindCompetition, "c"), Season: 2025, Table: sport.TableRegular},
	} {
		line, err := sources.Shape{Called: called}.Line(s.World, of, world.After)
		set, failed := format.Read(t.Context(), fstest.MapFS{name + ".ndjson": {Data: line}}, format.Options{})
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		want, _, _ := strings.Cut(stored[name], "\n")
		again, _ := format.Read(t.Context(), fstest.MapFS{name + ".ndjson": {Data: []byte(want)}}, format.Options{})
		for ref := range set.References() {
			if key := ref.Given(); len(key) > 1 {
				t.Errorf("%s: %s is %s", name, ref.Field(), key)
			}
		}
		if set.Len() != 1 || again.Len() != 1 || name == "matches" && strings.Contains(string(line), "winner") { // it follows
			t.Errorf("%s: %s", name, line)
		}
		plain, err := sources.Line(s.World, of, world.After)
		if err != nil || name != "organizations" && string(plain) == string(line) {
			t.Errorf("%s: %s, %v", name, plain, err)
		}
		if _, _, found := sources.Called(s.World, world.After, of); !found || sources.Stored(s.World, of) {
			t.Errorf("%s: there %v", name, found)
		}
	}
	if key, name := sources.Names(s.World, id(sport.KindTeam, "a")); key != "a" || name != "A" {
		t.Errorf("%s %s", key, name)
	}
	if key, name := sources.Names(s.World, id(sport.KindPlayer, "p")); key != "p" || name != "" {
		t.Errorf("%s %s", key, name)
	}
}
