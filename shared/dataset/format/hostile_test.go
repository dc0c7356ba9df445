package format

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
)

// allocated reads a dataset of one file and returns how many bytes were allocated
// in all, whether they were needed at one time or not.
func allocated(t testing.TB, name string, text []byte) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(t.Context(), fstest.MapFS{name: &fstest.MapFile{Data: text}}, Options{})
	runtime.ReadMemStats(&after)
	if err != nil && !errors.As(err, new(*dataset.Faults)) {
		t.Fatal(err)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// bounded holds a file to what its size allows: 1,200 bytes for each byte and 8
// MB, in all. Faults take most of that, of which a line of three bytes has four.
func bounded(t testing.TB, name string, text []byte) {
	t.Helper()
	if got, most := allocated(t, name, text), uint64(1200*len(text)+8<<20); got > most {
		t.Errorf("%s of %d bytes, %.40q…: reading it allocates %d bytes, at most %d are allowed", name, len(text), text, got, most)
	}
}

func TestAFileTakesAMultipleOfItsSize(t *testing.T) {
	const size = 200_000
	times := func(text string) string { return strings.Repeat(text, size/len(text)) }
	for name, f := range map[string]struct{ file, text string }{
		"a name of steps":              {"players.csv", "id,type,name,a" + times(".a") + "\n1,2,3,4\n"},
		"a name of steps in a list":    {"competitions.csv", "id,groups" + times(".a") + "\n1,2|3\n"},
		"a column for each byte":       {"players.csv", times(",") + "\n"},
		"an unknown name":              {"players.csv", "id," + times("a") + "\n1,2\n"},
		"a list of objects":            {"competitions.csv", "id,groups.id,groups.name\n1," + times("a|") + "," + times("b|") + "\n"},
		"names in each element":        {"competitions.csv", "id,groups." + strings.Repeat("n", 85) + ".m\n" + strings.Repeat("1,"+strings.Repeat("a|", 9000)+"\n", 10)},
		"a list of texts":              {"organizations.csv", "id,additionalParentIds\n1," + times("|") + "\n"},
		"rows of empty cells":          {"players.csv", "id,name\n" + times(",\n")},
		"rows of a cell":               {"players.csv", "id\n" + times("1\n")},
		"lines of nothing":             {"players.ndjson", times("\n")},
		"lines of an empty object":     {"players.ndjson", times("{}\n")},
		"unknown fields":               {"players.ndjson", `{` + strings.TrimSuffix(times(`"a":1,`), ",") + `}`},
		"a list of lists":              {"matches.ndjson", `{"events":` + times("[")},
		"an object in an object":       {"competitions.ndjson", times(`{"rules":`)},
		"events of nothing":            {"matches.ndjson", `{"events":[` + strings.TrimSuffix(times("{},"), ",") + `]}`},
		"a long line":                  {"players.ndjson", strings.Repeat("a", 3<<20)},
		"a quotation mark to the end":  {"players.csv", "id,name\n1,\"" + strings.Repeat("a\n", 1<<20)},
		"a long line that is unpacked": {"players.ndjson.gz", string(zipped(t, strings.Repeat("a", 16<<20)))},
		"newlines that are unpacked":   {"players.csv.gz", string(zipped(t, strings.Repeat("\n", 16<<20)))},
	} {
		t.Run(name, func(t *testing.T) { bounded(t, f.file, []byte(f.text)) })
	}
}

// endless is a file whose content does not end, until the reading is to end.
type endless struct {
	fs.File
	text byte
	left int
	end  context.CancelFunc
}

func (e *endless) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
func (e *endless) Close() error               { return nil }
func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		e.end()
	}
	if e.left < -64<<20 {
		return 0, io.ErrNoProgress // nobody looked
	}
	for i := range p {
		p[i] = e.text
	}
	return len(p), nil
}

// folderOf is a dataset of one file.
type folderOf struct {
	fstest.MapFS
	file fs.File
}

func (f folderOf) Open(name string) (fs.File, error) {
	if name == "." {
		return f.MapFS.Open(name)
	}
	return f.file, nil
}

func TestReadingEndsWithItsContext(t *testing.T) {
	for _, name := range []string{"players.ndjson", "players.csv"} {
		for _, text := range []byte("\n a") {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := Read(ctx, folderOf{fstest.MapFS{name: {ModTime: time.Time{}}}, &endless{text: text, left: 1 << 18, end: cancel}}, Options{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s of %q: %v", name, text, err)
			}
		}
	}
}

// FuzzMemory holds every reader to a multiple of the file's size.
func FuzzMemory(f *testing.F) {
	f.Add(uint8(1), true, []byte("id,groups.id,groups.name\n1,a|b,c|d\n"))
	f.Add(uint8(4), false, []byte(`{"id":"m","events":[{},{}]}`+"\n"))
	f.Fuzz(func(t *testing.T, kind uint8, sheet bool, text []byte) {
		name := files.Names()[int(kind)%len(files.Names())]
		if sheet {
			name = strings.Replace(name, "ndjson", "csv", 1)
		}
		bounded(t, name, text)
	})
}
