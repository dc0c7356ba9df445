package spreadsheet_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"touchline/scripts/spreadsheet"
	"touchline/shared/dataset/format"
)

// folderToRead is the variable that names the folder which the process reads.
const folderToRead = "TOUCHLINE_TEST_READ"

// most is what a process has taken at most, in KB.
var most = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// TestReadsAFolder is what the processes of TestMemoryIsAMultipleOfTheFile run. Without a
// folder it has nothing to do.
func TestReadsAFolder(t *testing.T) {
	folder := os.Getenv(folderToRead)
	if folder == "" {
		return
	}
	set, err := format.Read(t.Context(), os.DirFS(folder), format.Options{Workbooks: spreadsheet.Workbooks})
	status, unread := os.ReadFile("/proc/self/status")
	if unread != nil {
		t.Skip("the system does not say what a process takes")
	}
	fmt.Println("read", set.Len(), err)
	fmt.Print(string(status))
}

// A reader needs at most 20 times the size of a file, and 100 MB, whatever is in it.
func TestMemoryIsAMultipleOfTheFile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large files: make test-all runs it")
	}
	players := func(n int, header, row string) string {
		var b strings.Builder
		b.WriteString(header)
		for i := range n {
			fmt.Fprintf(&b, row, i, i%9973, i%500)
		}
		return b.String()
	}
	texts := func(n int, text string) []byte {
		return simple(t, "players", `<row><c t="s"><v>0</v></c></row>`, map[string]string{
			"xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>id</t></si>` + strings.Repeat(text, n) + `</sst>`,
		})
	}
	styles := func(n int) []byte {
		return simple(t, "players", `<row><c t="inlineStr"><is><t>id</t></is></c></row>`, map[string]string{
			"xl/styles.xml": `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>` + strings.Repeat("<xf/>", n) + `</cellXfs></styleSheet>`,
		})
	}
	for name, c := range map[string]struct {
		file string
		text []byte
		want string
	}{
		"NDJSON":                     {"players.ndjson", []byte(players(50_000, "", `{"id":"p%d","name":"Anna Berg %d","teamId":"t%d"}`+"\n")), "read 50000"},
		"CSV":                        {"players.csv", []byte(players(50_000, "id,name,teamId\n", "p%d,Anna Berg %d,t%d\n")), "read 50000"},
		"a workbook":                 {"b.xlsx", rowsOf(t, 50_000), "read 50000"},
		"a workbook of empty texts":  {"b.xlsx", texts(20_000_000, "<si/>"), "more texts for its size"},
		"a workbook of many texts":   {"b.xlsx", texts(2_000_000, "<si/>"), "more texts for its size"},
		"a workbook of texts":        {"b.xlsx", texts(480_000, "<si><t/></si>"), "read 0"},
		"a workbook of cells":        {"b.xlsx", simple(t, "players", strings.Repeat("<row><c><v>1</v></c></row>", 500_000), nil), "read 0"},
		"a workbook that is deep":    {"b.xlsx", simple(t, "players", strings.Repeat("<row>", 3_000_000), nil), "is damaged"},
		"a workbook of styles":       {"b.xlsx", styles(1_000_000), "more styles"},
		"a workbook of fewer styles": {"b.xlsx", styles(140_000), "read 0"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			must(t, os.WriteFile(filepath.Join(folder, c.file), c.text, 0o600))
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestReadsAFolder$", "-test.v")
			command.Env = append(os.Environ(), folderToRead+"="+folder)
			out, err := command.CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.want) {
				t.Fatalf("%v: %.500s", err, out)
			}
			found := most.FindSubmatch(out)
			if found == nil {
				t.Skipf("the system does not say what a process takes: %.500s", out)
			}
			got, err := strconv.ParseInt(string(found[1]), 10, 64)
			must(t, err)
			got <<= 10
			allowed := 20*int64(len(c.text)) + 100<<20
			t.Logf("%d bytes take %d MB", len(c.text), got>>20)
			if got > allowed {
				t.Errorf("a file of %d bytes takes %d bytes, at most %d are allowed", len(c.text), got, allowed)
			}
		})
	}
}

// rowsOf is a workbook of players.
func rowsOf(t *testing.T, n int) []byte {
	t.Helper()
	rows := make([][]any, 1, n+1)
	rows[0] = []any{"id", "name", "teamId"}
	for i := range n {
		rows = append(rows, []any{fmt.Sprintf("p%d", i), fmt.Sprintf("Anna Berg %d", i%9973), fmt.Sprintf("t%d", i%500)})
	}
	return made(t, map[string][][]any{"players": rows}, nil)
}
