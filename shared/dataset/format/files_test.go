package format

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
)

func zipped(t testing.TB, text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	must(t, z.Close())
	return b.Bytes()
}

const oneTeam = `{"id":"a","name":"A","shortName":"A"}` + "\n"

// A file that is meant for a dataset and not read is a fault (D52), and keeps
// nothing of the others from being read.
func TestFilesThatAreNotReadAreFaults(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"both forms": {map[string]string{"teams": oneTeam, "teams.ndjson.gz": ""}, "teams.ndjson.gz: is a second file of teams in addition to teams.ndjson: remove one of them"},
	} {
		t.Run(name, func(t *testing.T) {
			c.files["players"] = `{"id":"p","name":7,"teamId":"t"}`
			set, err := Read(t.Context(), folder(c.files), Options{})
			var faults *dataset.Faults
			if !errors.As(err, &faults) || set == nil || !faults.OfFiles() {
				t.Fatalf("got %v, %v", set, err)
			}
			got := strings.Split(err.Error(), "\n")
			got = slices.DeleteFunc(got, func(line string) bool { return line == "players.ndjson:1: name: must be a string, not 7" })
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if faults.Count() != len(got)+1 {
				t.Error("the faults of other files are not reported")
			}
		})
	}
}

func TestFolderThatCannotBeReadIsAnError(t *testing.T) {
	missing, err := fs.Sub(fstest.MapFS{}, "missing")
	must(t, err)
	if _, err := Read(t.Context(), missing, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestLineAboveTheBoundIsSkippedAsAFault(t *testing.T) {
	long := `{"id":"b","name":"` + strings.Repeat("x", files.MaxLine) + `","shortName":"B"}` + "\n"
	set, err := Read(t.Context(), folder(map[string]string{"teams": oneTeam + long + strings.Replace(oneTeam, `"a"`, `"c"`, 1)}), Options{})
	if err == nil || err.Error() != "teams.ndjson:2: is longer than 1024 KiB" {
		t.Errorf("got %v", err)
	}
	if len(set.Teams) != 2 || set.Teams[1].Origin.Line != 3 {
		t.Errorf("the other lines gave %d records", len(set.Teams))
	}
}

func TestProgressCountsLines(t *testing.T) {
	var calls []int
	text := strings.Repeat("\n", 2500)
	_, err := Read(t.Context(), folder(map[string]string{"teams": text}), Options{Progress: func(file string, line int) {
		if file != "teams.ndjson" {
			t.Errorf("file is %q", file)
		}
		calls = append(calls, line)
	}})
	if err != nil || len(calls) != 3 || calls[0] != 1000 || calls[2] != 2500 {
		t.Errorf("got %v, %v", calls, err)
	}
}
