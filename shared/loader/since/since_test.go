package since_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/loader"
	"touchline/shared/loader/export"
	"touchline/shared/loader/since"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// federation has two clubs, a league with a team of each, and players who are all shown.
var federation = map[string]string{
	"organizations": `{"id":"fed","type":"federation","name":"Fed"}
{"id":"lions","type":"club","name":"Lions","parentId":"fed"}
{"id":"bears","type":"club","name":"Bears","parentId":"fed"}`,
	"competitions": `{"id":"liga","season":2025,"name":"Liga","organizationId":"fed","rules":{"win":2}}`,
	"teams": `{"id":"l","name":"Lions","shortName":"L","organizationId":"lions","competitionId":"liga","season":2025}
{"id":"b","name":"Bears","shortName":"B","organizationId":"bears","competitionId":"liga","season":2025}`,
	"players": `{"id":"ann","name":"Ann","teamId":"l","number":1}
{"id":"zoe","name":"Zoe","teamId":"l","number":2}
{"id":"bob","name":"Bob","teamId":"b","number":3}`,
	"matches": `{"id":"m","competitionId":"liga","season":2025,"homeTeamId":"l","awayTeamId":"b","kickoffAt":"2025-09-01T18:00:00Z","status":"finished","score":{"home":1,"away":0},"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"ann"}],"bench":[]},"away":{"starting":[],"bench":[]}}}`,
}

type table struct {
	*file.File
	*store.Table
}

func open(t *testing.T, path string) table {
	t.Helper()
	f, err := file.Open(path, file.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return table{f, &store.Table{DB: f, Name: "sports"}}
}

func (x table) loader() *loader.Loader {
	return &loader.Loader{Table: x.Table, Lease: &store.Lease{DB: x.File, Table: "sports", Key: records.LockKey(), Holder: "test", Now: time.Now}}
}

func (x table) load(t *testing.T, files map[string]string, opts loader.Options) {
	t.Helper()
	fsys := fstest.MapFS{}
	for kind, lines := range files {
		fsys[kind+".ndjson"] = &fstest.MapFile{Data: []byte(lines)}
	}
	if _, err := x.loader().Load(t.Context(), fsys, opts); err != nil {
		t.Fatal(err)
	}
}

type member struct {
	bytes.Buffer
	to *strings.Builder
}

func (m *member) Close() error { _, err := m.WriteTo(m.to); return err }

// lines is the dataset that a table holds.
func (x table) lines(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	e := export.Exporter{Table: x.Table, Erasures: true, Create: func(string) (io.WriteCloser, error) { return &member{to: &all}, nil }}
	if _, err := e.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func TestACopyKeepsWhatWasDecidedSince(t *testing.T) {
	const patch = `","patch":true,`
	all := 100
	for name, tt := range map[string]struct {
		since     []map[string]string // loads after the copy was made
		has, not  []string            // in the copy
		says      string              // erased, hidden, back
		showAgain bool
	}{
		"a player is erased": {[]map[string]string{{"players": `{"id":"ann","erase":true}`}},
			[]string{`{"playerId":null,"number":1}`, `"kind":"player"`}, []string{"Ann"}, "1 [] []", false},
		"a team is erased, with its players deleted before": {[]map[string]string{
			{"players": `{"id":"bob","deleted":true}`, "matches": `{"id":"m","deleted":true}`}, {"teams": `{"id":"b","erase":true}`}},
			[]string{`"id":"l"`}, []string{`"id":"b"`, "Bob"}, "1 [] []", false},
		"a player is hidden": {[]map[string]string{{"players": `{"id":"ann` + patch + `"visibility":"private"}`}},
			[]string{`"name":"Ann","teamId":"l","number":1,"visibility":"private"`}, nil, "0 [{players 1 false [ann]}] []", false},
		"and is to be shown again": {[]map[string]string{{"players": `{"id":"ann` + patch + `"visibility":"hidden"}`}},
			nil, []string{"hidden"}, "0 [] []", true},
		"a club is hidden": {[]map[string]string{{"organizations": `{"id":"bears` + patch + `"visibility":"hidden"}`}},
			[]string{`"name":"Bears","parentId":"fed","visibility":"hidden"`}, []string{`"teamId":"b","number":3,"visibility"`}, "0 [{organizations 1 false [bears]}] []", false},
		"a season hides its players": {[]map[string]string{{"competitions": `{"id":"liga","season":2025,"patch":true,"rules":{"hidePlayers":true,"win":4}}`}},
			[]string{`"win":2`, `"hidePlayers":true`}, []string{`"visibility"`}, "0 [{competitions 1 false [liga 2025]}] []", false},
		"a player is hidden by a new team": {[]map[string]string{
			{"teams": `{"id":"new","name":"New","shortName":"N","organizationId":"lions","visibility":"hidden"}`}, {"players": `{"id":"ann` + patch + `"teamId":"new"}`}},
			[]string{`"name":"Ann","teamId":"l","number":1,"visibility":"hidden"`}, []string{`"new"`}, "0 [{players 1 false [ann]}] []", false},
		"a player is hidden under another id": {[]map[string]string{
			{"players": `{"id":"ann","deleted":true}` + "\n" + `{"id":"ann2","name":"ANN","teamId":"l","visibility":"hidden"}`, "matches": `{"id":"m` + patch + `"lineups":null}`}},
			[]string{`"name":"Ann","teamId":"l","number":1,"visibility":"hidden"`}, nil, "0 [{players 1 false [ann]}] [{players 1 false [ann]}]", false},
		"a son is hidden beside his father": {[]map[string]string{{"players": `{"id":"son","name":"Ann","teamId":"l","visibility":"hidden"}`}},
			nil, []string{"hidden"}, "0 [] []", false},
		"records are deleted": {[]map[string]string{{"players": `{"id":"bob","deleted":true}`, "matches": `{"id":"m","deleted":true}`}},
			[]string{"Bob"}, nil, "0 [] [{players 1 false [bob]} {matches 1 false [m]}]", false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "data")
			now := open(t, filepath.Join(folder, "now.db"))
			now.load(t, federation, loader.Options{})
			path := filepath.Join(folder, "copy.db")
			if _, err := now.CopyTo(t.Context(), path, nil); err != nil {
				t.Fatal(err)
			}
			for _, files := range tt.since {
				now.load(t, files, loader.Options{AllowDeletes: &all, Yes: true})
			}
			copied := open(t, path)
			s := &since.Since{Table: now.Table, Copy: copied.Table, ShowAgain: tt.showAgain, Now: time.Now, Load: func(ctx context.Context, files fs.FS) error {
				_, err := copied.loader().Load(ctx, files, since.Options())
				return err
			}}
			report, err := s.Take(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if says := fmt.Sprint(report.Erased, report.Hidden, report.Back); says != tt.says || report.Lost != len(tt.since) || len(report.Loads) != len(tt.since) {
				t.Errorf("it says %s, and %d loads; want %s", says, report.Lost, tt.says)
			}
			lines := copied.lines(t)
			for _, text := range tt.has {
				if !strings.Contains(lines, text) {
					t.Errorf("%s is not in\n%s", text, lines)
				}
			}
			for _, text := range tt.not {
				if strings.Contains(lines, text) {
					t.Errorf("%s is in\n%s", text, lines)
				}
			}
			again, err := s.Take(t.Context())
			if err != nil || again.Erased != 0 || len(again.Hidden) > 0 || copied.lines(t) != lines {
				t.Errorf("again: %+v, %v", again, err)
			}
			was, err := generation.Read(t.Context(), now.Table)
			if err != nil {
				t.Fatal(err)
			}
			if is, err := generation.Read(t.Context(), copied.Table); err != nil || is.Version <= was.Version {
				t.Errorf("version %d after %d, %v", is.Version, was.Version, err)
			}
		})
	}
}
