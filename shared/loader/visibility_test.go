package loader_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
)

// unlit is a federation with a hidden record of each kind, and a league that hides its
// players, such as kid. The team x of the hidden league is entered in it alone.
var unlit = map[string][]string{
	"organizations": {`{"id":"fed","type":"federation","name":"Fed"}`, `{"id":"club","type":"club","name":"Club","parentId":"fed"}`, `{"id":"attic","type":"club","name":"Attic","parentId":"fed","visibility":"private"}`},
	"competitions": {
		`{"id":"liga","season":2025,"name":"Liga","organizationId":"fed"}`, `{"id":"kids","season":2025,"name":"Kids","organizationId":"fed","rules":{"win":2,"hidePlayers":true}}`,
		`{"id":"test","season":2025,"name":"Test","organizationId":"fed","visibility":"hidden"}`,
	},
	"teams": {
		`{"id":"a","name":"A","shortName":"A","organizationId":"club","competitionId":"liga"}`, `{"id":"b","name":"B","shortName":"B","organizationId":"club","competitionId":"liga"}`,
		`{"id":"h","name":"H","shortName":"H","organizationId":"club","competitionId":"liga","visibility":"hidden"}`, `{"id":"x","name":"X","shortName":"X","organizationId":"attic","competitionId":"test"}`,
		`{"id":"k","name":"K","shortName":"K","organizationId":"club","competitionId":"kids"}`,
	},
	"players": {`{"id":"p","name":"P","teamId":"a","number":9}`, `{"id":"q","name":"Q","teamId":"a","number":7,"visibility":"hidden"}`, `{"id":"y","name":"Y","teamId":"x"}`, `{"id":"kid","name":"Kim","teamId":"k"}`},
	"matches": {`{"id":"m","competitionId":"liga","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0},"visibility":"private"}`},
}

// saying is unlit with other text for its fields that hide.
func saying(visibility, hiding string) fstest.MapFS {
	files := map[string][]string{}
	for kind, lines := range unlit {
		for _, line := range lines {
			for _, v := range []string{"hidden", "private"} {
				line = strings.ReplaceAll(line, `,"visibility":"`+v+`"`, visibility)
			}
			files[kind] = append(files[kind], strings.ReplaceAll(line, `,"hidePlayers":true`, hiding))
		}
	}
	return folder(files)
}

// hidden are the fields by which records of unlit are hidden.
var hidden = history.Losses{
	{Kind: "organizations", Field: "visibility", Records: 1}, {Kind: "competitions", Field: "rules.hidePlayers", Records: 1}, {Kind: "competitions", Field: "visibility", Records: 1},
	{Kind: "teams", Field: "visibility", Records: 1}, {Kind: "players", Field: "visibility", Records: 1}, {Kind: "matches", Field: "visibility", Records: 1},
}

// Whatever does not say that a record is visible leaves it hidden (D74).
func TestHiddenStaysHidden(t *testing.T) {
	csv := func(name, text string) fstest.MapFS { return filesOf(map[string]string{name + ".csv": text}) }
	of := func(n ...int) (some history.Losses) {
		for _, i := range n {
			some = append(some, hidden[i])
		}
		return some
	}
	for _, tt := range []struct {
		name  string
		files fstest.MapFS
		opts  loader.Options
		stay  history.Losses
	}{
		{"lines that say nothing", saying("", ""), loader.Options{}, hidden},
		{"null", saying(`,"visibility":null`, `,"hidePlayers":null`), loader.Options{}, hidden},
		{"a full load", saying("", ""), loader.Options{Replace: true}, hidden},
		{"the good part", saying("", ""), loader.Options{GoodPart: true}, hidden},
		{"a strict load", saying("", ""), loader.Options{Strict: true}, hidden},
		{"a patch", folder(map[string][]string{"players": {`{"id":"q","patch":true,"number":7}`}, "competitions": {`{"id":"kids","season":2025,"patch":true}`}}), loader.Options{}, of(1, 4)},
		{"a patch with null", folder(map[string][]string{"teams": {`{"id":"h","patch":true,"visibility":null}`}, "competitions": {`{"id":"kids","season":2025,"patch":true,"rules":{"win":2}}`}}), loader.Options{}, of(1, 3)},
		{"the master, with an empty column", csv("players", "id,name,teamId,number,visibility\nq,Q,a,7,\n"), loader.Options{}, of(4)},
		{"a sheet without the column", csv("players", "id,name,teamId,number\nq,Q,a,7\n"), loader.Options{}, of(4)},
		{"a sheet of matches", csv("matches", "id,visibility,score.home\nm,  ,1\n"), loader.Options{}, of(5)},
		{"a sheet of seasons", csv("competitions", "id,season,visibility,rules.win,rules.hidePlayers\nkids,2025,,2,\ntest,2025,,3,\n"), loader.Options{}, of(1, 2)},
		{"a row with patch", csv("organizations", "id,visibility,patch\nattic,,true\n"), loader.Options{}, of(0)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := inMemory()
			load(t, s, folder(unlit), loader.Options{})
			before := s.dump(t)
			r := load(t, s, tt.files, tt.opts)
			if d := cmp.Diff(tt.stay, r.StayHidden); d != "" || r.Entries != 0 || len(r.Shown) > 0 {
				t.Errorf("%d entries, shown %v, stay (-want +got): %s", r.Entries, r.Shown, d)
			}
			if d := difference(before, s.dump(t)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A record may change in all else: rules of a regulation hide as before, and so does a season
// that is new.
func TestWhatIsNewStaysHidden(t *testing.T) {
	for _, tt := range []struct {
		name, kind, line string
		want             string // of the export
		stay             history.Losses
	}{
		{"rules like", "competitions", `{"id":"kids","season":2025,"name":"Kids","organizationId":"fed","rules":{"like":"uefa-euro-2024-groups"}}`, `"hidePlayers":true`, hidden[1:2]},
		{"without rules", "competitions", `{"id":"kids","season":2025,"name":"Kids","organizationId":"fed"}`, `"rules":{"win":3,"draw":1,"loss":0,"hidePlayers":true}`, hidden[1:2]},
		{"rules that show", "competitions", `{"id":"kids","season":2025,"name":"Kids","organizationId":"fed","rules":{"like":"uefa-euro-2024-groups","hidePlayers":false}}`, ``, nil},
		{"a season", "competitions", `{"id":"kids","season":2026,"name":"Kids","organizationId":"fed"}`, `"season":2026,"name":"Kids","organizationId":"fed","rules":{"win":3,"draw":1,"loss":0,"hidePlayers":true}`, hidden[1:2]},
		{"a season of a hidden one", "competitions", `{"id":"test","season":2026,"name":"Test","organizationId":"fed"}`, `"season":2026,"name":"Test","organizationId":"fed","visibility":"hidden"`, hidden[2:3]},
		{"an earlier season", "competitions", `{"id":"test","season":2020,"name":"Test","organizationId":"fed"}`, `"season":2020,"name":"Test","organizationId":"fed","visibility":"hidden"`, hidden[2:3]},
		{"a season that says it", "competitions", `{"id":"test","season":2026,"name":"Test","organizationId":"fed","visibility":"public"}`, `"season":2026,"name":"Test","organizationId":"fed"}`, nil},
		{"a player of another name", "players", `{"id":"q","name":"Quentin","teamId":"b"}`, `"name":"Quentin","teamId":"b","formerNumbers"`, hidden[4:5]},
		{"a new player", "players", `{"id":"z","name":"Z","teamId":"a"}`, `{"id":"z","name":"Z","teamId":"a"}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := inMemory()
			load(t, s, folder(unlit), loader.Options{})
			r := load(t, s, folder(map[string][]string{tt.kind: {tt.line}}), loader.Options{})
			if text := string(s.exported(t)[tt.kind+".ndjson"].Data); !strings.Contains(text, tt.want) || tt.want == "" && strings.Contains(text, "hidePlayers") {
				t.Errorf("%s is not in\n%s", tt.want, text)
			}
			if d := cmp.Diff(tt.stay, r.StayHidden); d != "" {
				t.Error(d)
			}
			s.hasToComeBack(t)
		})
	}
}

// A load says whom it shows, whatever record does it, and asks; a strict one refuses it.
func TestALoadSaysWhomItShows(t *testing.T) {
	shown := func(kind string, keys ...string) history.Shown {
		return history.Shown{Kind: kind, Records: len(keys), Keys: keys}
	}
	says := func(kind, key string) history.Shown {
		return history.Shown{Kind: kind, Records: 1, Said: true, Keys: []string{key}}
	}
	for _, tt := range []struct {
		name, kind, line string
		want             []history.Shown
	}{
		{"a player", "players", `{"id":"q","patch":true,"visibility":"public"}`, []history.Shown{says("players", "q")}},
		{"a match", "matches", `{"id":"m","patch":true,"visibility":"public"}`, []history.Shown{says("matches", "m")}},
		{"a team that is still hidden by others", "teams", `{"id":"x","patch":true,"visibility":"public"}`, nil},
		{"a player moves to an open league", "players", `{"id":"y","patch":true,"teamId":"a"}`, []history.Shown{shown("players", "y")}},
		{"a team does", "teams", `{"id":"x","patch":true,"competitionId":"liga"}`, []history.Shown{shown("teams", "x"), shown("players", "y")}},
		{"a club", "organizations", `{"id":"attic","patch":true,"visibility":"public"}`, []history.Shown{says("organizations", "attic"), shown("teams", "x"), shown("players", "y")}},
		{"a season", "competitions", `{"id":"test","season":2025,"patch":true,"visibility":"public"}`, []history.Shown{says("competitions", "test 2025"), shown("teams", "x"), shown("players", "y")}},
		{"a children's league", "competitions", `{"id":"kids","season":2025,"patch":true,"rules":{"hidePlayers":false}}`, []history.Shown{shown("players", "kid"), shown("matches", "km")}},
		{"a child moves to an open league", "players", `{"id":"kid","patch":true,"teamId":"a"}`, []history.Shown{shown("players", "kid")}},
		{"a match leaves a children's league", "matches", `{"id":"km","patch":true,"competitionId":null,"season":null}`, []history.Shown{shown("matches", "km")}},
		{"rules that do not say it", "competitions", `{"id":"kids","season":2025,"patch":true,"rules":null}`, nil},
		{"a player who stays hidden", "players", `{"id":"q","name":"Quentin","teamId":"b"}`, nil},
		{"a player who is new", "players", `{"id":"z","name":"Z","teamId":"a"}`, nil},
		{"a player who goes", "players", `{"id":"q","deleted":true}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := inMemory()
			load(t, s, folder(unlit), loader.Options{})
			load(t, s, folder(map[string][]string{"matches": {`{"id":"km","competitionId":"kids","status":"postponed","kickoffAt":"2026-03-02T15:00:00Z","homeTeamId":"k","awayTeamId":"a","lineups":{"confirmed":true,"home":{"coach":"Carla","starting":[],"bench":[]},"away":{"starting":[],"bench":[]}}}`}}), loader.Options{})
			files := folder(map[string][]string{tt.kind: {tt.line}})
			before := s.dump(t)
			if r := load(t, s, files, loader.Options{DryRun: true}); cmp.Diff(tt.want, r.Shown) != "" {
				t.Errorf("a dry run: %s", cmp.Diff(tt.want, r.Shown))
			}
			if _, err := s.loader().Load(t.Context(), files, loader.Options{Strict: true, DryRun: true}); tt.want != nil && !tt.want[len(tt.want)-1].Said {
				faults, ok := errors.AsType[*dataset.Faults](err)
				if first := tt.want[0]; !ok || !first.Said && faults.List[0].Error() != fmt.Sprintf("shows hidden %s: %s", first.Kind, first.Keys[0]) && len(faults.List) == len(tt.want) {
					t.Errorf("strict: %v", err)
				}
			} else if err != nil {
				t.Errorf("strict: %v", err)
			}
			refused := errors.New("not meant")
			l := s.loader()
			var asked *loader.Report
			l.Confirm = func(_ context.Context, r *loader.Report) error { asked = r; return refused }
			_, err := l.Load(t.Context(), files, loader.Options{})
			switch {
			case tt.want != nil && (!errors.Is(err, refused) || cmp.Diff(tt.want, asked.Shown) != "" || difference(before, s.dump(t)) != ""):
				t.Errorf("%v, asked of %+v", err, asked)
			case tt.want == nil && asked != nil && !asked.Takes():
				t.Errorf("asked of %+v", asked)
			}
		})
	}
}

// An undo of what hides says so, and asks.
func TestAnUndoSaysWhomItShows(t *testing.T) {
	s := inMemory()
	load(t, s, saying("", ""), loader.Options{})
	open := s.dump(t)
	load(t, s, folder(unlit), loader.Options{})
	refused := errors.New("not meant")
	l := s.loader()
	l.Confirm = func(context.Context, *loader.Report) error { return refused }
	if _, _, err := l.Undo(t.Context(), loader.Options{}); !errors.Is(err, refused) {
		t.Error(err)
	}
	r, _, err := s.loader().Undo(t.Context(), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, shown := range r.Shown {
		kinds = append(kinds, shown.Kind+" "+shown.Named())
	}
	if d := cmp.Diff([]string{"organizations attic", "competitions test 2025", "teams h, x", "players kid, q, y", "matches m"}, kinds); d != "" {
		t.Error(d)
	}
	if d := difference(open, s.dump(t)); d != "" || r.StayHidden != nil {
		t.Errorf("stay hidden %v: %s", r.StayHidden, d)
	}
	loads, err := loader.Loads(t.Context(), s.table, history.Range{Limit: 1})
	if err != nil || len(loads[0].Report.Shown) != 5 || loads[0].Report.Shown[3].Records != 3 || loads[0].Report.Shown[3].Keys != nil {
		t.Errorf("%+v, %v", loads, err)
	}
}

// Deletion leaves no trace: what was hidden is public when it comes again. The report says so.
func TestADeletionOfWhatIsHiddenSaysSo(t *testing.T) {
	s := inMemory()
	load(t, s, folder(unlit), loader.Options{})
	gone := folder(map[string][]string{
		"players": {`{"id":"q","deleted":true}`, `{"id":"p","deleted":true}`, `{"id":"kid","deleted":true}`}, "teams": {`{"id":"k","deleted":true}`},
		"competitions": {`{"id":"kids","deleted":true}`}, "matches": {`{"id":"m","deleted":true}`},
	})
	want := history.Losses{hidden[1], hidden[4], hidden[5]}
	if r := load(t, s, gone, loader.Options{}); cmp.Diff(want, r.HiddenDeleted) != "" {
		t.Error(cmp.Diff(want, r.HiddenDeleted))
	}
	r := load(t, s, saying("", ""), loader.Options{})
	if text := string(s.exported(t)["players.ndjson"].Data); strings.Contains(text, "hidden") || r.Players.Created != 3 || len(r.Shown) > 0 {
		t.Errorf("%+v: %s", r.Players, text)
	}
	rest := folder(map[string][]string{"organizations": unlit["organizations"][:1]})
	if r := load(t, s, rest, replacing()); len(r.HiddenDeleted) != 3 {
		t.Errorf("a full load: %+v", r.HiddenDeleted)
	}
}

// A good part is not loaded without a faulty record that would hide what it brings.
func TestTheGoodPartHides(t *testing.T) {
	for _, tt := range []struct {
		name, kind, line string
		refused          bool
	}{
		{"a season", "competitions", `{"id":"liga","season":2025,"name":"Liga","organizationId":"fed","rules":{"win":"x","hidePlayers":true}}`, true},
		{"a season by a word that is none", "competitions", `{"id":"liga","season":2025,"patch":true,"rules":{"hidePlayers":"ja"}}`, true},
		{"a season that refers to nobody", "competitions", `{"id":"liga","season":2025,"name":"Liga","organizationId":"nobody","rules":{"hidePlayers":true}}`, true},
		{"a team", "teams", `{"id":"a","patch":true,"visibility":"Hidden"}`, true},
		{"a club", "organizations", `{"id":"club","type":"club","name":1,"visibility":"private"}`, true},
		{"a season that is hidden", "competitions", `{"id":"kids","season":2025,"patch":true,"rules":{"win":"x","hidePlayers":true}}`, false},
		{"a season that hides nobody", "competitions", `{"id":"liga","season":2025,"patch":true,"visibility":"public","rules":{"win":"x","hidePlayers":false}}`, false},
		{"a season that does not say it", "competitions", `{"id":"liga","season":2025,"patch":true,"visibility":null,"rules":{"win":"x","hidePlayers":null}}`, false},
		{"a team that is new", "teams", `{"id":"n","name":"N","shortName":1,"visibility":"hidden"}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := inMemory()
			load(t, s, folder(unlit), loader.Options{})
			before := s.dump(t)
			files := folder(map[string][]string{tt.kind: {tt.line}, "players": {`{"id":"z","name":"Zoe","teamId":"a"}`}})
			_, err := s.loader().Load(t.Context(), files, loader.Options{GoodPart: true})
			if _, faulty := errors.AsType[*dataset.Faults](err); faulty != tt.refused || (difference(before, s.dump(t)) == "") != tt.refused {
				t.Errorf("%v: %s", err, difference(before, s.dump(t)))
			}
		})
	}
	files := folder(map[string][]string{"organizations": {`{"id":"o","type":"club","name":"O"}`}})
	files["organizations.csv"] = files["organizations.ndjson"] // which is not read: nothing is known of whom it hides
	if _, err := inMemory().loader().Load(t.Context(), files, loader.Options{GoodPart: true}); !errors.As(err, new(*dataset.Faults)) {
		t.Errorf("without a file: %v", err)
	}
}
