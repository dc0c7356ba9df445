package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func zipped(t testing.TB, text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const oneTeam = `{"id":"a","name":"A","shortName":"A"}` + "\n"

func TestFolderErrorsNameTheFile(t *testing.T) {
	damaged := zipped(t, strings.Repeat(oneTeam, 1000))
	damaged[len(damaged)/2] ^= 0xff
	broken := zipped(t, oneTeam)
	broken[len(broken)-5] ^= 0xff
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"nothing":                {map[string]string{}, []string{"holds no dataset", "organizations.ndjson"}},
		"nothing of a dataset":   {map[string]string{"README.md": "", "package.json": "{}"}, []string{"holds no dataset"}},
		"both forms":             {map[string]string{"teams": oneTeam, "teams.ndjson.gz": ""}, []string{"teams.ndjson", "teams.ndjson.gz", "remove one"}},
		"JSON":                   {map[string]string{"players": "", "teams.json": "[]"}, []string{"teams.json", "teams.ndjson"}},
		"singular":               {map[string]string{"players": "", "team.ndjson": ""}, []string{"team.ndjson", "teams.ndjson"}},
		"capital":                {map[string]string{"Teams.ndjson": ""}, []string{"Teams.ndjson is not a file"}},
		"another compression":    {map[string]string{"players": "", "teams.ndjson.zst": ""}, []string{"teams.ndjson.zst is not a file"}},
		"another extension":      {map[string]string{"players": "", "teams.jsonl": ""}, []string{"teams.jsonl is not a file"}},
		"a folder":               {map[string]string{"teams.ndjson/x": ""}, []string{"teams.ndjson is a folder"}},
		"compressed, but plain":  {map[string]string{"teams.ndjson": string(zipped(t, oneTeam))}, []string{"rename it to teams.ndjson.gz"}},
		"plain, but compressed":  {map[string]string{"teams.ndjson.gz": oneTeam}, []string{"rename it to teams.ndjson"}},
		"an empty gzip file":     {map[string]string{"teams.ndjson.gz": ""}, []string{"teams.ndjson.gz is a damaged gzip file", "gzip -t"}},
		"a cut gzip file":        {map[string]string{"teams.ndjson.gz": string(zipped(t, oneTeam)[:20])}, []string{"teams.ndjson.gz is a damaged gzip file", "gzip -t"}},
		"a damaged gzip file":    {map[string]string{"teams.ndjson.gz": string(damaged)}, []string{"teams.ndjson.gz is a damaged gzip file", "gzip -t"}},
		"a gzip file's checksum": {map[string]string{"teams.ndjson.gz": string(broken)}, []string{"teams.ndjson.gz is a damaged gzip file after line 1", "gzip -t"}},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := Read(t.Context(), folder(c.files), Options{})
			if err == nil || set != nil {
				t.Fatalf("got %v, %v", set, err)
			}
			if errors.As(err, new(*Faults)) {
				t.Errorf("the folder's fault is told as a record's: %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

func TestFolderThatCannotBeReadIsAnError(t *testing.T) {
	missing, err := fs.Sub(fstest.MapFS{}, "missing")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), missing, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestLinesAreReadWhateverTheirEnds(t *testing.T) {
	for name, text := range map[string]string{
		"byte order mark":         "\xef\xbb\xbf" + oneTeam,
		"CRLF":                    strings.TrimSpace(oneTeam) + "\r\n",
		"no line end":             strings.TrimSpace(oneTeam),
		"empty lines":             "\n \t\r\n" + oneTeam + "\n\n",
		"longer than the buffer":  `{"id":"a","shortName":"A",` + strings.Repeat(" ", 200_000) + `"name":"A"}`,
		"compressed":              string(zipped(t, oneTeam)),
		"compressed in two parts": string(zipped(t, oneTeam[:9])) + string(zipped(t, oneTeam[9:])),
		"compressed, with a mark": string(zipped(t, "\xef\xbb\xbf"+oneTeam)),
	} {
		t.Run(name, func(t *testing.T) {
			file := "teams.ndjson"
			if strings.HasPrefix(name, "compressed") {
				file += ".gz"
			}
			set := mustRead(t, map[string]string{file: text, "README.md": "{", ".teams.ndjson.swp": "", "notes.gz": ""})
			if len(set.Teams) != 1 || set.Teams[0].Value.Name != "A" {
				t.Errorf("got %+v", set.Teams)
			}
			if at := set.Teams[0].Origin; at.File != file {
				t.Errorf("origin is %v", at)
			}
		})
	}
}

func TestEmptyFileHoldsNoRecords(t *testing.T) {
	if set := mustRead(t, map[string]string{"teams": ""}); set.Len() != 0 {
		t.Errorf("got %d records", set.Len())
	}
}

func TestLineAboveTheBoundIsSkippedAsAFault(t *testing.T) {
	long := `{"id":"b","name":"` + strings.Repeat("x", maxLine) + `","shortName":"B"}` + "\n"
	set, err := Read(t.Context(), folder(map[string]string{"teams": oneTeam + long + strings.Replace(oneTeam, `"a"`, `"c"`, 1)}), Options{GoodPart: true})
	if err == nil || err.Error() != "teams.ndjson:2: is longer than 16 MiB" {
		t.Errorf("got %v", err)
	}
	if len(set.Teams) != 2 || set.Teams[1].Origin.Line != 3 {
		t.Errorf("the lines beside it gave %d records", len(set.Teams))
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, folder(map[string]string{"teams": oneTeam}), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
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
