package export_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/loader/export"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// stored are two leagues, of one a playoff, with a team each and a match of the first against a team of none.
var stored = map[string]string{
	"organizations": `{"id":"o","type":"federation","name":"O"}` + "\n" + `{"id":"x","type":"club","name":"X","parentId":"o"}` + "\n" + `{"id":"k","type":"club","name":"K","parentId":"o"}`,
	"competitions": `{"id":"c","season":2025,"name":"C","organizationId":"o"}` + "\n" + `{"id":"c","season":2024,"name":"C","organizationId":"o"}` + "\n" +
		`{"id":"d","season":2025,"name":"D","organizationId":"o","parentId":"c","stage":"playoff"}` + "\n" + `{"id":"e","season":2025,"name":"E","organizationId":"x"}`,
	"teams": `{"id":"b","name":"B","shortName":"B","competitionId":"d"}` + "\n" + `{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c"}` + "\n" +
		`{"id":"z","name":"Z","shortName":"Z","organizationId":"x","competitionId":"e"}` + "\n" + `{"id":"w","name":"W","shortName":"W"}`,
	"players":   `{"id":"q","name":"Q","teamId":"a","number":10}` + "\n" + `{"id":"p","name":"P","teamId":"a","number":9}` + "\n" + `{"id":"y","name":"Y","teamId":"z"}`,
	"matches":   `{"id":"m","competitionId":"c","status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"a","awayTeamId":"w"}`,
	"standings": `{"competitionId":"e","season":2025,"table":"regular","rows":[]}`,
}

type file struct {
	bytes.Buffer
	done func(string)
}

func (f *file) Close() error { f.done(f.String()); return nil }

// Each record that is wanted is in its file, by its key, in an order for people.
func TestWhatIsExported(t *testing.T) {
	table := recordstest.New(t)
	folder := fstest.MapFS{}
	for name, lines := range stored {
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(lines)}
	}
	table.Load(t, folder)
	for _, tt := range []struct {
		name        string
		competition string
		season      int
		want        map[string]string
	}{
		{"everything", "", 0, map[string]string{
			"organizations": "k x o", "competitions": "c c d e", "teams": "w a b z", "players": "p q y", "matches": "m", "standings": "",
		}},
		{"a competition", "c", 0, map[string]string{"organizations": "k o", "competitions": "c c d", "teams": "w a b", "players": "p q", "matches": "m"}},
		{"a later season of it", "c", 2025, map[string]string{"organizations": "k o", "competitions": "c d", "teams": "w a b", "players": "p q", "matches": "m"}},
		{"a season of it", "c", 2024, map[string]string{"organizations": "o", "competitions": "c"}},
		{"one with a table", "e", 2025, map[string]string{"organizations": "x o", "competitions": "e", "teams": "z", "players": "y", "standings": ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]string{}
			e := &export.Exporter{Table: table.Table, Season: tt.season, Create: func(name string) (io.WriteCloser, error) {
				return &file{done: func(text string) {
					var ids []string
					for line := range strings.Lines(text) {
						_, after, _ := strings.Cut(line, `"id":"`)
						key, _, _ := strings.Cut(after, `"`)
						ids = append(ids, key)
					}
					got[strings.TrimSuffix(name, ".ndjson")] = strings.Join(ids, " ")
				}}, nil
			}}
			if tt.competition != "" {
				e.Competition = dataset.ID(sport.KindCompetition, tt.competition)
			}
			report, err := e.Write(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for name, ids := range tt.want {
				if n += len(strings.Fields(ids)); name == "standings" {
					n++
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" || report.Total() != n {
				t.Errorf("%d records: %s", report.Total(), d)
			}
		})
	}
	if _, err := (&export.Exporter{Table: table.Table, Competition: "none"}).Write(t.Context()); !errors.Is(err, export.ErrNoCompetition) {
		t.Error(err)
	}
}

// Nothing is under the name of a target before it is kept, or once it is dropped.
func TestATargetIsThereOnceItIsKept(t *testing.T) {
	for _, name := range []string{"folder", "set.zip", "set.xlsx"} {
		path := filepath.Join(t.TempDir(), name)
		for _, keep := range []bool{false, true} {
			target, err := export.NewTarget(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := target.Create("teams.ndjson")
			if err == nil {
				_, err = io.WriteString(f, "x")
			}
			if err := errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is there: %v", name, err)
			}
			if keep {
				err = target.Keep()
			}
			target.Drop()
			left, _ := os.ReadDir(filepath.Dir(path))
			if err != nil || len(left) > 1 || keep != (len(left) == 1) {
				t.Errorf("%s, kept %v: %v, %v", name, keep, left, err)
			}
		}
		if _, err := export.NewTarget(path); err == nil {
			t.Errorf("%s is written over", name)
		}
	}
}
