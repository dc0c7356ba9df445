package files

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
)

func TestAKindFollowsFromTheName(t *testing.T) {
	for name, c := range map[string]struct {
		isFile, isSheet, inBook bool
		of                      Kind
	}{
		"teams.ndjson": {true, false, false, Teams}, "teams.ndjson.gz": {true, false, false, Teams}, "matches.csv": {true, true, false, Matches}, "standings.csv.gz": {true, true, false, Standings},
		"liga.xlsx": {true, false, false, Any}, "LIGA.XLSX": {true, false, false, Any}, "~$liga.xlsx": {false, false, false, Any}, ".liga.xlsx": {false, false, false, Any},
		"liga.xlsx, sheet Players": {true, true, true, Players}, "liga.xlsx, sheet Round 2": {false, true, true, Any}, "liga.txt, sheet players": {false, false, false, Any},
		"Teams.ndjson": {false, false, false, Any}, "teams": {false, false, false, Any}, "teams.txt": {false, false, false, Teams}, "teams.gz": {false, false, false, Teams},
		"competitions.ndjson.csv": {true, true, false, Competitions},
	} {
		if IsFile(name) != c.isFile || IsSheet(name) != c.isSheet || IsInBook(name) != c.inBook || Of(name) != c.of {
			t.Errorf("%s: %t, %t, %t, %v", name, IsFile(name), IsSheet(name), IsInBook(name), Of(name))
		}
	}
	for kind, want := range map[sport.Kind]Kind{sport.KindOrganization: Organizations, sport.KindCompetition: Competitions, sport.KindTeam: Teams, sport.KindPlayer: Players, sport.KindMatch: Matches, "standing": Standings} {
		if Holding(kind) != want {
			t.Errorf("%s is in %v", kind, Holding(kind))
		}
	}
	if got := fmt.Sprint(Any, Names()[Matches], InBook("a.xlsx", "b")); got != "anymatches.ndjsona.xlsx, sheet b" {
		t.Error(got)
	}
}

// page is a sheet of a workbook in a folder.
type page struct {
	fs.DirEntry
	name string
	kind Kind
}

func (p page) Name() string { return p.name }
func (p page) Kind() Kind   { return p.kind }

// paged is a folder with sheets.
type paged struct {
	fstest.MapFS
	pages []fs.DirEntry
}

func (p paged) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := p.MapFS.ReadDir(name)
	return append(entries, p.pages...), err
}

func TestTheFilesOfAFolder(t *testing.T) {
	const all = "any: is not read: the files of a dataset are organizations.ndjson, competitions.ndjson, teams.ndjson, players.ndjson, matches.ndjson, standings.ndjson, each also as .csv, and with .gz"
	for name, c := range map[string]struct {
		names  string
		found  string // in the order of the kinds
		report string
	}{
		"one of each":               {"matches.csv teams.ndjson.gz README.md logo.png tables.json scorers.json .x.csv ~$x.csv", "teams.ndjson.gz matches.csv", ""},
		"two of a kind":             {"teams.csv teams.ndjson", "teams.csv", "teams: is a second file of teams in addition to teams.csv: remove one of them"},
		"a name that is almost one": {"Matches(1).csv", "", "matches: is not read: the file of matches is matches.ndjson or matches.csv, also with .gz"},
		"an ending of a dataset":    {"fixtures.jsonl.zip", "", all},
		"an older workbook":         {"liga.ods", "", "any: is not read: save it as .xlsx, or each sheet as CSV"},
		"a workbook":                {"liga.xlsx", "", "any: is a workbook, which is not read here: load it with `touchline import` or in the console, or save each sheet as CSV"},
		"a folder":                  {"teams.csv/x archive/teams.csv", "", "teams: is a folder, not a file"},
		"sheets":                    {"b.xlsx,sheet", "b.xlsx, sheet matches;b.xlsx, sheet R2", ""},
		"sheets beside a file":      {"matches.csv b.xlsx,sheet", "matches.csv", "matches: is a second file of matches in addition to matches.csv: remove one of them;matches: is a second file of matches in addition to matches.csv: remove one of them"},
	} {
		folder := paged{MapFS: fstest.MapFS{}}
		for _, file := range strings.Fields(c.names) {
			if file == "b.xlsx,sheet" {
				folder.pages = []fs.DirEntry{page{name: "b.xlsx, sheet matches", kind: Matches}, page{name: "b.xlsx, sheet R2", kind: Matches}}
				continue
			}
			folder.MapFS[file] = &fstest.MapFile{}
		}
		var said []string
		found, _, err := Find(folder, func(unread Kind, _, message string) { said = append(said, unread.String()+": "+message) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, of := range found {
			if len(of) > 0 {
				got = append(got, strings.Join(of, ";"))
			}
		}
		if strings.Join(got, " ") != c.found || strings.Join(said, ";") != c.report {
			t.Errorf("%s: found %q, said %q", name, got, said)
		}
	}
	if _, _, err := Find(fstest.MapFS{"README.md": {}}, nil); err == nil || !strings.HasPrefix(err.Error(), "the folder holds no dataset; its files are organizations.ndjson") {
		t.Error(err)
	}
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.Bytes()
}

func TestLinesOfAFile(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	for name, c := range map[string]struct {
		file string
		text []byte
		want []string
	}{
		"line ends":               {"a", []byte("x\ny\r\n\r\nz"), []string{"1 x", "2 y", "3 ", "4 z"}},
		"byte order marks":        {"a", []byte("\xef\xbb\xbf\xef\xbb\xbfx"), []string{"1 x"}},
		"a line at the bound":     {"a", []byte(strings.Repeat("x", 99_999) + "\ny"), []string{"1 " + strings.Repeat("x", 99_999), "2 y"}},
		"a line above it":         {"a", []byte(long + "\ny\n"), []string{"1 line too long", "2 y"}},
		"compressed":              {"a.gz", zipped("x\ny\n"), []string{"1 x", "2 y"}},
		"in two parts":            {"a.gz", slices.Concat(zipped("x\n"), zipped("y\n")), []string{"1 x", "2 y"}},
		"not compressed":          {"a.gz", []byte("x"), []string{"is not gzip-compressed: rename it to a"}},
		"compressed all the same": {"a", zipped("x"), []string{"is gzip-compressed: rename it to a.gz"}},
		"cut":                     {"a.gz", zipped("x\ny\n")[:15], []string{"1 x", "2 y", "2 is a damaged gzip file after line 2 (unexpected EOF): check it with gzip -t and copy or compress it again"}},
		"nothing":                 {"a", nil, nil},
	} {
		l, err := Open(t.Context(), fstest.MapFS{c.file: {Data: c.text}}, c.file, 100_000)
		var got []string
		for err == nil {
			var line []byte
			switch line, err = l.Next(); {
			case errors.Is(err, ErrLineTooLong):
				line, err = []byte(err.Error()), nil
			case err != nil && !errors.Is(err, io.EOF):
				line = []byte(err.Error())
			case err != nil:
				continue
			}
			got = append(got, fmt.Sprintf("%d %s", l.Number(), line))
		}
		if l == nil {
			got = []string{err.Error()}
		} else if err := l.Close(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A compressed file unpacks to a bound, whatever it says.
func TestWhatUnpacksToMoreThanItsSizeAllows(t *testing.T) {
	u := &unpacked{counted{ctx: t.Context(), from: endless{}}, &counted{n: 3 << 20}}
	block, n := make([]byte, 1<<20), 0
	var err error
	for err == nil {
		_, err = u.Read(block)
		n++
	}
	if !errors.As(err, new(*UnreadableError)) || n != 302 { // the one after 100 times 3 MB
		t.Errorf("%d blocks, %v", n, err)
	}
	u.packed.n, u.n = 1, 256<<20
	if _, err := u.Read(block); err != nil {
		t.Error(err)
	}
	if _, err := u.Read(block); err == nil {
		t.Error("256 MB of a byte")
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestAFileIsReadWholeToo(t *testing.T) {
	l, err := Open(t.Context(), fstest.MapFS{"a.gz": {Data: slices.Concat(zipped("x,y\n"), []byte("z"))}}, "a.gz", 10)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(l)
	if !errors.As(err, new(*UnreadableError)) || string(text) != "x,y\n" {
		t.Errorf("%q, %v", text, err)
	}
}
