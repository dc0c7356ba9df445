package loader_test

import (
	"errors"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/meter"
	"touchline/shared/outside"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// sports is a Sports table of an engine, with a loader.
type sports struct {
	table  *store.Table
	client *dynamodb.Client
}

func newSports(t testing.TB) *sports {
	t.Helper()
	endpoint := enginetest.Start(t)
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), records.SportsTable("sports")); err != nil {
		t.Fatal(err)
	}
	return &sports{table: &store.Table{DB: client, Name: "sports", Meter: &meter.Meter{}}, client: client}
}

func (s *sports) loader() *loader.Loader {
	return &loader.Loader{
		Table: s.table,
		Lease: &store.Lease{DB: s.client, Table: s.table.Name, Key: records.LockKey(), Holder: "test", Label: "a test", Now: time.Now},
	}
}

// austria is a folder of real seasons.
func austria(t testing.TB) string {
	t.Helper()
	return outside.Path(t, "data/austria")
}

func TestLoadingTheSameTwiceChangesNothing(t *testing.T) {
	s := newSports(t)
	files := os.DirFS(austria(t))
	first := load(t, s, files, loader.Options{})
	if first.Matches.Created != 1204 || first.Players.Created != 346 || first.Organizations.Created != 231 {
		t.Errorf("first load: %+v", *first)
	}
	s.table.Meter.Reset()
	second := load(t, s, files, loader.Options{})
	if second.Matches.Unchanged != 1204 || second.Entries != 0 {
		t.Errorf("second load: %+v", *second)
	}
	if used := s.table.Meter.Total(); used.WriteUnits != 0 {
		t.Errorf("second load wrote %v units", used.WriteUnits)
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	s := newSports(t)
	f := newFederation(3)
	f.grow(30)
	report := load(t, s, f.folder(t, f.records), loader.Options{DryRun: true})
	if report.Entries == 0 || report.Organizations.Created == 0 {
		t.Errorf("report of a dry run: %+v", *report)
	}
	if said := s.dump(t); len(said) != 0 {
		t.Errorf("a dry run wrote %d items", len(said))
	}
}

// What a faulty dataset says nothing of it is written, and the fault names its
// place (dataset.md).
func TestAFaultyDatasetChangesNothing(t *testing.T) {
	stored := `{"id":"a","type":"federation","name":"A"}
{"id":"b","type":"club","name":"B","parentId":"a"}`
	for _, test := range []struct {
		name string
		file string
		line string
		want dataset.Fault
	}{
		{"a parent that is not there", "organizations.ndjson", `{"id":"c","type":"club","name":"C","parentId":"x"}`,
			dataset.Fault{File: "organizations.ndjson", Line: 1, Field: "parentId"}},
		{"below itself over what is stored", "organizations.ndjson", `{"id":"a","type":"federation","name":"A","parentId":"b"}`,
			dataset.Fault{File: "organizations.ndjson", Line: 1, Field: "parentId"}},
		{"a parent goes that stays named", "organizations.ndjson", `{"id":"a","deleted":true}`,
			dataset.Fault{File: "organizations.ndjson", Line: 1, Field: "id"}},
		{"a team without its club", "teams.ndjson", `{"id":"t","name":"T","shortName":"T","organizationId":"x"}`,
			dataset.Fault{File: "teams.ndjson", Line: 1, Field: "organizationId"}},
		{"an unknown field", "teams.ndjson", `{"id":"t","name":"T","shortName":"T","nickname":"x"}`,
			dataset.Fault{File: "teams.ndjson", Line: 1, Field: "nickname"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSports(t)
			load(t, s, fstest.MapFS{"organizations.ndjson": &fstest.MapFile{Data: []byte(stored)}}, loader.Options{})
			was := s.dump(t)
			_, err := s.loader().Load(t.Context(), fstest.MapFS{test.file: &fstest.MapFile{Data: []byte(test.line)}}, loader.Options{})
			var faults *dataset.Faults
			if !errors.As(err, &faults) || len(faults.List) != 1 {
				t.Fatalf("load: %v, want one fault", err)
			}
			got := faults.List[0]
			got.Message = ""
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("fault, want (-) and got (+):\n%s", diff)
			}
			if diff := cmp.Diff(was, s.dump(t)); diff != "" {
				t.Errorf("table before (-) and after (+):\n%s", diff)
			}
		})
	}
}

func TestReplaceRemovesWhatTheFolderDoesNotHold(t *testing.T) {
	s := newSports(t)
	f := newFederation(11)
	f.grow(60)
	load(t, s, f.folder(t, f.records), loader.Options{})
	g := newFederation(12)
	g.grow(40)
	load(t, s, g.folder(t, g.records), loader.Options{Replace: true})
	once := newSports(t)
	load(t, once, g.folder(t, g.records), loader.Options{})
	if diff := cmp.Diff(once.dump(t), s.dump(t)); diff != "" {
		t.Errorf("loaded alone (-) and in place of another (+):\n%s", diff)
	}
}

func TestTheGoodPartLeavesOutWhatRefersToTheBad(t *testing.T) {
	s := newSports(t)
	report := load(t, s, fstest.MapFS{
		"organizations.ndjson": &fstest.MapFile{Data: []byte(`{"id":"a","type":"federation","name":"A"}
{"id":"b","type":"club","name":"B","parentId":"a","colour":"red"}`)},
		"teams.ndjson": &fstest.MapFile{Data: []byte(`{"id":"t","name":"T","shortName":"T","organizationId":"b"}
{"id":"u","name":"U","shortName":"U","organizationId":"a"}`)},
		"players.ndjson": &fstest.MapFile{Data: []byte(`{"id":"p","name":"P","teamId":"t"}`)},
	}, loader.Options{GoodPart: true})
	if report.Organizations.Created != 1 || report.Teams.Created != 1 || report.Players.Created != 0 {
		t.Errorf("loaded %+v", *report)
	}
	if report.Faults.Count() != 3 {
		t.Errorf("faults: %v, want three", report.Faults)
	}
}
