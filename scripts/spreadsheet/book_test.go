package spreadsheet_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"touchline/scripts/spreadsheet"
	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/sport"
)

// made makes a workbook with the library that the command writes workbooks with. Each
// sheet has rows of cells.
func made(t testing.TB, sheets map[string][][]any, format func(*excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	for name, rows := range sheets {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			at, _ := excelize.CoordinatesToCellName(1, i+1)
			must(t, f.SetSheetRow(name, at, &row))
		}
	}
	if format != nil {
		format(f)
	}
	var b bytes.Buffer
	must(t, f.Write(&b))
	return b.Bytes()
}

// packed packs parts of a workbook, as they are.
func packed(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		must(t, err)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	must(t, z.Close())
	return b.Bytes()
}

// simple is a workbook of one sheet, whose rows are XML; more has parts in place of its own.
func simple(t testing.TB, sheet, data string, more map[string]string) []byte {
	t.Helper()
	parts := map[string]string{
		"[Content_Types].xml":        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels":                `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="` + sheet + `" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="a/worksheet" Target="worksheets/s.xml"/><Relationship Id="r2" Type="a/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="r3" Type="a/styles" Target="styles.xml"/></Relationships>`,
		"xl/sharedStrings.xml":       `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>id</t></si><si><r><t>na</t></r><r><t>me</t></r><rPh><t>x</t></rPh></si></sst>`,
		"xl/styles.xml":              `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\ hh:mm;@"/><numFmt numFmtId="165" formatCode="0000"/><numFmt numFmtId="166" formatCode="[Red]0.00&quot;days&quot;"/><numFmt numFmtId="167" formatCode="[h]:mm"/><numFmt numFmtId="168" formatCode="d. mmmm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="168"/></cellXfs></styleSheet>`,
		"xl/worksheets/s.xml":        `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData>` + data + `</sheetData></worksheet>`,
	}
	maps.Copy(parts, more)
	return packed(t, parts)
}

// read gives the CSV of a sheet.
func read(t testing.TB, book []byte, name string) (string, error) {
	t.Helper()
	var reported error
	fsys, err := spreadsheet.Workbooks(t.Context(), fstest.MapFS{"b.xlsx": {Data: book}}, func(f dataset.Fault) { reported = errors.New(f.Message) }, func(string, string) {})
	must(t, err)
	defer func() { _ = fsys.Close() }()
	if reported != nil {
		return "", reported
	}
	text, err := fs.ReadFile(fsys, name)
	return string(text), err
}

func TestACellIsWhatItsValueIs(t *testing.T) {
	for xml, want := range map[string]string{
		`<c s="1"><v>-5</v></c>`:                            "-5",
		`<c><v>1234567890123450</v></c>`:                    "1234567890123450",
		`<c s="3"><v>42.5</v></c>`:                          "0042.5",
		`<c s="5"><v>123456789012</v></c>`:                  "123456789012",
		`<c><v>12</v></c>`:                                  "12",
		`<c t="n"><v>1E3</v></c>`:                           "1000",
		`<c><v>0.30000000000000004</v></c>`:                 "0.3",
		`<c><v>12345678901234567890</v></c>`:                "1.23456789012346E+19",
		`<c><v>-5</v></c>`:                                  "-5",
		`<c s="3"><v>42</v></c>`:                            "0042",
		`<c s="5"><v>2.5</v></c>`:                           "2.5",
		`<c s="1"><v>46277</v></c>`:                         "2026-09-12",
		`<c s="1"><v>46277.770833333336</v></c>`:            "2026-09-12 18:30",
		`<c s="2"><v>46277</v></c>`:                         "2026-09-12 00:00",
		`<c s="2"><v>46277.7708333333</v></c>`:              "2026-09-12 18:30",
		`<c s="2"><v>46277.99999999999</v></c>`:             "2026-09-13 00:00",
		`<c s="7"><v>59</v></c>`:                            "1900-02-28",
		`<c s="7"><v>61</v></c>`:                            "1900-03-01",
		`<c s="4"><v>0.770833333333333</v></c>`:             "18:30",
		`<c s="6"><v>0.25</v></c>`:                          "6:00",
		`<c s="6"><v>1.0576388888888888</v></c>`:            "25:23",
		`<c s="6"><v>0.90277777777777779</v></c>`:           "21:40",
		`<c s="4"><v>1.0576388888888888</v></c>`:            "1900-01-01 01:23",
		`<c s="4"><v>0</v></c>`:                             "00:00",
		`<c s="4"><v>46277.770833333336</v></c>`:            "18:30",
		`<c t="d"><v>2026-09-12T18:30:00</v></c>`:           "2026-09-12T18:30:00",
		`<c t="b"><v>1</v></c>`:                             "TRUE",
		`<c t="b"><v>0</v></c>`:                             "FALSE",
		`<c t="e"><v>#REF!</v></c>`:                         "#REF!",
		`<c t="s"><v>1</v></c>`:                             "name",
		`<c t="inlineStr"><is><t> a "b" </t></is></c>`:      ` a ""b"" `,
		`<c t="str"><f>A1&amp;B1</f><v>xy</v></c>`:          "xy",
		`<c><f>A1+B1</f><v>3</v></c>`:                       "3",
		`<c t="str"><f>IF(A1,"","x")</f><v></v></c>`:        "",
		`<c s="99"><v>7</v></c>`:                            "7",
		`<c t="inlineStr"><is><t>Bücher &lt;3</t></is></c>`: "Bücher <3",
	} {
		got, err := read(t, simple(t, "teams", "<row>"+xml+`<c t="inlineStr"><is><t>end</t></is></c></row>`, nil), "b.xlsx, sheet teams")
		if want := `"` + want + `","end"` + "\n"; err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", xml, got, err, want)
		}
	}
}

func TestRowsKeepTheirNumbers(t *testing.T) {
	got, err := read(t, simple(t, "Teams", `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="3"><c r="A3" s="1"/></row><row r="4"><c r="C4"><v>1</v></c></row>`, nil), "b.xlsx, sheet Teams")
	if want := "\"id\"\n\"\"\n\"\"\n\"\",\"\",\"1\"\n"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// What a person makes: dates that look like those of America, keys with zeros, a sheet
// for notes, and one that is empty.
func TestAWorkbookIsADataset(t *testing.T) {
	book := made(t, map[string][][]any{
		"competitions":  {{"id", "season", "name", "timezone", "organizationId"}, {"liga", 2026, "Liga", "Europe/Vienna", "fed"}},
		"Organizations": {{"id", "type", "name"}, {"fed", "federation", "Federation"}, {"007", "club", "Club"}},
		"teams":         {{"id", "name", "shortName", "organizationId", "competitionId"}, {"a", "A", "A", "007", "liga"}, {"b", "B", "B", "fed", "liga"}},
		"matches": {{"id", "competitionId", "status", "kickoffLocal", "homeTeamId", "awayTeamId", "score.home", "score.away", "twoLegs"},
			{1001, "liga", "finished", time.Date(2026, 9, 12, 18, 30, 0, 0, time.UTC), "a", "b", 2, 1, true},
			{1002, "liga", "upcoming", time.Date(2026, 9, 19, 0, 0, 0, 0, time.UTC), "b", "a"}},
		"Notes": {{"call the referee"}},
	}, func(f *excelize.File) {
		american := "m/d/yyyy h:mm AM/PM"
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &american})
		day, err2 := f.NewStyle(&excelize.Style{NumFmt: 14})
		err = errors.Join(err, err2, f.SetCellStyle("matches", "D2", "D2", style), f.SetCellStyle("matches", "D3", "D3", day))
		must(t, err)
	})
	set, err := format.Read(t.Context(), fstest.MapFS{"liga.xlsx": {Data: book}, "~$liga.xlsx": {Data: []byte("x")}}, format.Options{Workbooks: spreadsheet.Workbooks})
	must(t, err)
	if got := set.Matches.At(0); got.Key != "1001" || got.Value.KickoffLocal != "2026-09-12 18:30" || got.Value.Base.Score.Home != 2 || !got.Value.Base.TwoLegs {
		t.Errorf("%+v", got)
	}
	if got := set.Matches.At(1).Value; got.KickoffLocal != "2026-09-19" || !got.Base.KickoffTimeOpen {
		t.Errorf("a date alone: %+v", got)
	}
	if got := set.Organizations[1]; got.Key != "007" || got.Origin != (dataset.Origin{File: "liga.xlsx, sheet Organizations", Line: 3}) {
		t.Errorf("%+v", got)
	}
}

func TestFaultsOfAWorkbookNameSheetRowAndField(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string][]byte
		want  string
	}{
		"a value": {map[string][]byte{"b.xlsx": made(t, map[string][][]any{"players": {{"id", "name", "teamId", "number"}, {}, {"p", "P", "t", "seven"}}}, nil)},
			`b.xlsx, sheet players:3: number (players!D3): must be an integer of at least 0 and at most 9 digits, not "seven"`},
		"a formula without a result": {map[string][]byte{"b.xlsx": simple(t, "players", `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>teamId</t></is></c></row><row r="4"><c t="inlineStr"><is><t>p</t></is></c><c><f>B1</f></c><c><v>1</v></c></row>`, nil)},
			`b.xlsx, sheet players: has a formula whose result was not saved, in row 4: open the workbook`},
		"an index of texts that is none": {map[string][]byte{"b.xlsx": simple(t, "players", `<row><c t="s"><v>2</v></c></row>`, nil)}, "b.xlsx: is damaged"},
		"a row in two sheets": {map[string][]byte{"b.xlsx": made(t, map[string][][]any{"players": {{"id", "name", "teamId"}, {"p", "P", "t"}}, "More": {{"id", "name", "teamId"}, {"p", "P", "t"}}}, nil)},
			"b.xlsx, sheet "},
		"a column": {map[string][]byte{"b.xlsx": made(t, map[string][][]any{"teams": {{"id", "nam"}, {"a", "A"}}}, nil)},
			"b.xlsx, sheet teams:1: nam: is not a known column; did you mean name?"},
		"a separator in the header": {map[string][]byte{"b.xlsx": made(t, map[string][][]any{"teams": {{"id", "name;shortName;logo;status"}, {"a", "A"}}}, nil)},
			"b.xlsx, sheet teams:1: name;shortName;logo;status: is not a known column"},
		"two files of a kind": {map[string][]byte{"b.xlsx": made(t, map[string][][]any{"teams": {{"id"}}}, nil), "teams.csv": []byte("id\n")},
			"is a second file of teams"},
		"nothing in the first row": {map[string][]byte{"b.xlsx": made(t, map[string][][]any{"teams": {{"id"}}, "players": {{}, {"id", "name"}, {"p", "P"}}}, nil)},
			"b.xlsx, sheet players: has no names of fields in its first row"},
		"no sheet of a dataset": {map[string][]byte{"b.xlsx": made(t, map[string][][]any{"Sheet1": {{"id"}}}, nil)},
			"b.xlsx: has no sheet of a dataset: name its sheets organizations, competitions, teams, players, matches, standings (it has Sheet1)"},
		"no workbook":  {map[string][]byte{"b.xlsx": []byte("id,name\n")}, "b.xlsx: is damaged, or no .xlsx workbook"},
		"a password":   {map[string][]byte{"b.xlsx": []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")}, "b.xlsx: has a password, or is of the format before 2007"},
		"an older one": {map[string][]byte{"teams.csv": []byte("id\n"), "b.xls": nil}, "b.xls: is not read: save it as .xlsx, or each sheet as CSV"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := fstest.MapFS{}
			for file, text := range c.files {
				folder[file] = &fstest.MapFile{Data: text}
			}
			_, err := format.Read(t.Context(), folder, format.Options{Workbooks: spreadsheet.Workbooks})
			var faults *dataset.Faults
			if !errors.As(err, &faults) || !strings.Contains(faults.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestHostileWorkbooksAreRefused(t *testing.T) {
	cell := `<c t="inlineStr"><is><t>x</t></is></c>`
	for name, book := range map[string][]byte{
		"nothing":                {},
		"an archive":             packed(t, map[string]string{"a": "b"}),
		"an endless tag":         simple(t, "teams", "<row "+strings.Repeat(`a="" `, 1<<19)+"/>", nil),
		"elements in elements":   simple(t, "teams", "<row>"+strings.Repeat("<c>", 1000), nil),
		"a column out of bounds": simple(t, "teams", `<row><c r="XFE1"><v>1</v></c></row>`, nil),
		"a row out of bounds":    simple(t, "teams", `<row r="1048577">`+cell+"</row>", nil),
		"rows out of order":      simple(t, "teams", `<row r="2">`+cell+`</row><row r="2">`+cell+"</row>", nil),
		"a text that is missing": simple(t, "teams", `<row><c t="s"><v>7</v></c></row>`, nil),
		"not XML":                simple(t, "teams", `<row><c<`, nil),
		"an entity":              simple(t, "teams", `<row><c><v>&lol;</v></c></row>`, nil),
		"more than it may hold":  simple(t, "teams", "<row>"+cell+"</row>"+strings.Repeat("<row>"+strings.Repeat(" ", 1<<20-100)+"</row>", 40), nil),
	} {
		text, err := read(t, book, "b.xlsx, sheet teams")
		if err == nil {
			t.Errorf("%s: read as %.40q", name, text)
		}
	}
}

// A season whose rounds have a sheet each, of which one is called by its kind.
func TestSheetsOfOneKindAreReadOneAfterTheOther(t *testing.T) {
	header := []any{"id", "status", "date", "time", "homeTeamId", "awayTeamId", "score.home", "score.away"}
	round := func(id string) [][]any {
		return [][]any{header, {}, {id, "finished", "2026-09-12", "18:30", "a", "b", 2, 1}}
	}
	for name, first := range map[string]string{"one is called matches": "matches", "none is": "R1"} {
		t.Run(name, func(t *testing.T) {
			book := made(t, map[string][][]any{
				first: round("1"), "2. Runde": round("2"), "Runde 3": round("3"),
				"teams": {{"id", "name", "shortName"}, {"a", "A", "A"}, {"b", "B", "B"}}, "Notes": {{"call the referee"}}, "People": {{"id", "name"}, {"p", "P"}},
			}, nil)
			set, err := format.Read(t.Context(), fstest.MapFS{"liga.xlsx": {Data: book}}, format.Options{Workbooks: spreadsheet.Workbooks})
			const said = "is not read: its name is no kind, and its first row has not the fields of one"
			if err != nil || !strings.Contains(set.Warnings.String(), "liga.xlsx, sheet Notes: "+said) || !strings.Contains(set.Warnings.String(), "liga.xlsx, sheet People: "+said) {
				t.Errorf("%v, warnings %v", err, set.Warnings)
			}
			origins := map[dataset.Origin]string{}
			for _, m := range set.Matches.All() {
				origins[m.Origin] = m.Key
				if at := set.Origin(sport.KindMatch, m.ID); at != m.Origin {
					t.Errorf("%s is at %v and at %v", m.Key, m.Origin, at)
				}
			}
			want := map[dataset.Origin]string{{File: "liga.xlsx, sheet " + first, Line: 3}: "1", {File: "liga.xlsx, sheet 2. Runde", Line: 3}: "2", {File: "liga.xlsx, sheet Runde 3", Line: 3}: "3"}
			if diff := cmp.Diff(want, origins); diff != "" {
				t.Errorf("matches (-want +got):\n%s", diff)
			}
		})
	}
}

// What is merged over rows of data, and rows that are hidden, are not as they look. What
// is merged in the first row alone, or in columns that are not read, is.
func TestMergedCellsAndHiddenRowsAreSaid(t *testing.T) {
	rows := [][]any{{"id", "name", "teamId", "number", "#Note"}}
	for i := range 30 {
		rows = append(rows, []any{fmt.Sprint("p", i), "P", "t", i + 1, "n"})
	}
	for name, c := range map[string]struct {
		merge []string
		hide  []int
		want  string
	}{
		"nothing":                {nil, nil, ""},
		"a column of numbers":    {[]string{"D2:D4"}, nil, "has merged cells (D2:D4), of which the first alone has the value: unmerge them, and fill each in"},
		"from the first row on":  {[]string{"C1:D2"}, nil, "has merged cells (C1:D2), of which"},
		"many":                   {[]string{"D2:D3", "D4:D5", "D6:D7", "D8:D9", "D10:D11", "D12:D13", "D14:D15"}, nil, "(D2:D3, D4:D5, D6:D7, D8:D9, D10:D11, 2 more)"},
		"the first row":          {[]string{"A1:C1"}, nil, ""},
		"notes":                  {[]string{"E2:E9", "G2:H9"}, nil, ""},
		"hidden":                 {nil, []int{5, 6, 7, 20}, "has hidden rows (5, 6, 7, 20), which are read like others: show them, or take them out"},
		"hidden, without values": {nil, []int{1, 40}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			book := made(t, map[string][][]any{"players": rows, "teams": {{"id", "name", "shortName"}, {"t", "T", "T"}}}, func(f *excelize.File) {
				for _, ref := range c.merge {
					first, last, _ := strings.Cut(ref, ":")
					must(t, f.MergeCell("players", first, last))
				}
				for _, row := range c.hide {
					must(t, f.SetRowVisible("players", row, false))
				}
			})
			var said []string
			fsys, err := spreadsheet.Workbooks(t.Context(), fstest.MapFS{"b.xlsx": {Data: book}}, nil, func(name, message string) {
				if name != "b.xlsx, sheet Sheet1" {
					said = append(said, name+" "+message)
				}
			})
			must(t, err)
			defer func() { _ = fsys.Close() }()
			if got := strings.Join(said, "\n"); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Where nobody reads workbooks, they are faults.
func TestAWorkbookThatNobodyReadsSaysWhatToDo(t *testing.T) {
	_, err := format.Read(t.Context(), fstest.MapFS{"liga.xlsx": {}, "teams.csv": {Data: []byte("id,name,shortName\n")}}, format.Options{})
	want := "liga.xlsx: is a workbook, which is not read here: load it with `touchline import` or in the console, or save each sheet as CSV"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
