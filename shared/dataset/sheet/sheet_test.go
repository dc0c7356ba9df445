package sheet_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/sheet"
)

// columns are those of a kind that has all that a kind can have.
func columns() []jsonl.Column {
	return []jsonl.Column{
		{Path: "id", Identifies: true}, {Path: "name"}, {Path: "round", Holds: jsonl.NumberCell}, {Path: "kickoffAt"}, {Path: "kickoffLocal"}, {Path: "tags", Holds: jsonl.ListCell},
		{Path: "score.home", Holds: jsonl.NumberCell}, {Path: "score.away", Holds: jsonl.NumberCell},
		{Path: "rules.margins.by", In: "rules.margins", Holds: jsonl.NumberCell}, {Path: "rules.margins.win", In: "rules.margins", Holds: jsonl.NumberCell},
		{Path: "rules.table", Holds: jsonl.TruthCell}, {Path: "deleted", Holds: jsonl.TruthCell},
	}
}

// read gives the lines of a file, each behind the number of its row, and what is wrong.
func read(text string, inBook bool, limit int) string {
	var said []string
	s, err := sheet.New(strings.NewReader(text), columns(), nil, inBook, limit)
	for err == nil {
		var line []byte
		line, err = s.Next()
		if wrong := (*sheet.RowError)(nil); errors.As(err, &wrong) {
			said = append(said, strings.TrimSpace(fmt.Sprintf("%d: %s: %s %s", s.Number(), wrong.Column, wrong.Message, line)))
			err = nil
		} else if err == nil {
			said = append(said, fmt.Sprintf("%d %s", s.Number(), line))
		}
	}
	if header := (*sheet.HeaderError)(nil); errors.As(err, &header) {
		for _, wrong := range header.Wrong {
			said = append(said, wrong.Column+": "+wrong.Message)
		}
	} else if !errors.Is(err, io.EOF) {
		said = append(said, err.Error())
	}
	return strings.Join(said, "\n")
}

func TestARowIsALine(t *testing.T) {
	const known = "; known here are id, name, round, kickoffAt, kickoffLocal, tags, score.home, score.away, rules.margins.by, rules.margins.win, rules.table, deleted; one of your own begins with #, and is not read"
	for name, c := range map[string]struct{ text, want string }{
		"commas, in any order and case":      {"ROUND, id ,Name\n3,a,A", `2 {"id":"a","name":"A","round":3}`},
		"semicolons":                         {"id;name\na;A,B\n", `2 {"id":"a","name":"A,B"}`},
		"tabs":                               {"id\tname\na\tA;B\n", `2 {"id":"a","name":"A;B"}`},
		"a separator that is named":          {"sep=|\nid|name\na|A\n", `3 {"id":"a","name":"A"}`},
		"numbers":                            {"id,round\na,07\nb,1.0\nc, 5 \nd,1.5\ne,-2\nf,-\ng,12345678901234567890123\n", "2 {\"id\":\"a\",\"round\":\"07\"}\n3 {\"id\":\"b\",\"round\":1}\n4 {\"id\":\"c\",\"round\":5}\n5 {\"id\":\"d\",\"round\":\"1.5\"}\n6 {\"id\":\"e\",\"round\":-2}\n7 {\"id\":\"f\",\"round\":\"-\"}\n8 {\"id\":\"g\",\"round\":\"12345678901234567890123\"}"},
		"truths":                             {"id,deleted\na,TRUE\nb,Falsch\nc,vero\nd,ja\ne,x\n", "2 {\"id\":\"a\",\"deleted\":true}\n3 {\"id\":\"b\",\"deleted\":false}\n4 {\"id\":\"c\",\"deleted\":true}\n5 {\"id\":\"d\",\"deleted\":true}\n6 {\"id\":\"e\",\"deleted\":\"x\"}"},
		"texts":                              {"id,name\n'=1,'s\nb,\"a \"\"b\"\"\"\n", "2 {\"id\":\"=1\",\"name\":\"'s\"}\n3 {\"id\":\"b\",\"name\":\"a \\\"b\\\"\"}"},
		"empty cells":                        {"id,name,round,tags,score.home,score.away,rules.margins.by\na, ,,,,,\n", `2 {"id":"a","name":null,"round":null,"tags":null,"score":{"home":null,"away":null},"rules":{"margins":null}}`},
		"a short row":                        {"id,name\na\n", `2 {"id":"a","name":null}`},
		"an object":                          {"id,score.away,score.home\na,0,1\n", `2 {"id":"a","score":{"home":1,"away":0}}`},
		"a list":                             {"id,tags\na,\"x | y|{\"\"b\"\":[1]}|{z\"\n", `2 {"id":"a","tags":["x","y",{"b":[1]},"{z"]}`},
		"a list of objects":                  {"id,rules.margins.by,rules.margins.win,rules.table\na,1|7|,2|| 3 ,true\nb,|7,2|3,\n", "2 {\"id\":\"a\",\"rules\":{\"margins\":[{\"by\":1,\"win\":2},{\"by\":7},{\"win\":3}],\"table\":true}}\n3 {\"id\":\"b\",\"rules\":{\"margins\":[{\"win\":2},{\"by\":7,\"win\":3}],\"table\":null}}"},
		"empty rows":                         {"id,name\n,\n\nb,\n", "2 {}\n4 {\"id\":\"b\",\"name\":null}"},
		"columns of one's own":               {"id,#,name,# Halle,#\na,1,A,\"x,y\",\n,note,,,\nid,#,name,# Halle,#\nb,,B\n", "2 {\"id\":\"a\",\"name\":\"A\"}\n3 {}\n4: : repeats the header: take the row out {\"id\":\"id\",\"name\":\"name\"}\n5 {\"id\":\"b\",\"name\":\"B\"}"},
		"columns of one's own alone":         {"#id,#name\n", "has no names of fields in its first row"},
		"a heading that is an error":         {"id,#REF!\na,1\n", "#REF!: is not a known column, but what a formula left"},
		"a kick-off in two cells":            {"id,date,time\na,2026-09-12,18:30\nb,2026-09-12 00:00:00,9:05\nc,12.9.2026,\ng,2026-09-12 00:00,18:30\nd,,18:30\ne,2026-09-12 00:00:00,\nf\n", "2 {\"id\":\"a\",\"kickoffLocal\":\"2026-09-12 18:30\"}\n3 {\"id\":\"b\",\"kickoffLocal\":\"2026-09-12 9:05\"}\n4 {\"id\":\"c\",\"kickoffLocal\":\"12.9.2026\"}\n5 {\"id\":\"g\",\"kickoffLocal\":\"2026-09-12 18:30\"}\n6 {\"id\":\"d\",\"kickoffLocal\":null}\n7 {\"id\":\"e\",\"kickoffLocal\":\"2026-09-12\"}\n8 {\"id\":\"f\",\"kickoffLocal\":null}"},
		"a date alone":                       {"id,date\na,2026-09-12 00:00:00\nb,\n", "2 {\"id\":\"a\",\"kickoffLocal\":\"2026-09-12\"}\n3 {\"id\":\"b\",\"kickoffLocal\":null}"},
		"a time alone":                       {"id,time\na,18:30\n", "time: is not a known column: it stands beside a column date"},
		"a kick-off in two cells and in one": {"id,date,time,kickoffAt\na,,,\n", "date: is not a known column" + known + "\ntime: is not a known column: it stands beside a column date"},
		"a quotation mark in a text":         {"id,name\na,B \"b\"\n", `2: : has a quotation mark (") out of place: a cell with one is quoted, and it is doubled in there`},
		"the header again":                   {"id,name\nID,Name\n", `2: : repeats the header: take the row out {"id":"ID","name":"Name"}`},
		"too many cells":                     {"id,name\na,A,x\n", `2: : has more cells than the header, which has 2: the first of them is "x". Is the row a column to the right, or a separator in a cell that is not quoted? {"id":"a","name":"A"}`},
		"another encoding":                   {"id,name\na,M\xfcller\n", "2: name: is not valid UTF-8: save it as CSV UTF-8, not \"M\\xfcller\" {\"id\":\"a\",\"name\":\"M\ufffdller\"}"},
		"a cell below no heading":            {"id,,name\na,,A\nb,x,B\n", "2 {\"id\":\"a\",\"name\":\"A\"}\ncolumn B: has no name in the first row, but \"x\" on line 3: name it, or empty it"},
		"a long list":                        {"id,tags\na," + strings.Repeat("|", 10_000) + "\nb," + strings.Repeat("|", 3) + "\n", "2: tags: has more than 10000 elements\n3 {\"id\":\"b\",\"tags\":[\"\",\"\",\"\",\"\"]}"},
		"a long list of objects":             {"id,rules.margins.by\na," + strings.Repeat("|", 10_000) + "\n", "2: rules.margins.by: has more than 10000 elements"},
		"a long line":                        {"id,name\na," + strings.Repeat("\"", 4000) + "\nb,B\n", "2: : says more than a line of 2 KiB\n3 {\"id\":\"b\",\"name\":\"B\"}"},
		"a row that does not end":            {"id,name\na,\"" + strings.Repeat("x\n", 1<<17), "has a row after line 1 that is longer than 2 KiB: is a quotation mark not closed?"},
		"no column of the kind":              {"Nr,Verein\n", ": the first row is not a header: it must name the columns, such as id, name, round, kickoffAt; `touchline template` writes a file with every column"},
		"a header in one cell":               {"\"id,name\"\n", ": the first row is a single cell, \"id,name\": separate cells by commas, semicolons or tabs, and quote a cell, not a row"},
		"an unknown column":                  {"id,naem,score,x.y,lineups.home,Bemerkung\n", "naem: is not a known column; did you mean name?\nscore: is not a known column; its parts have columns of their own: score.home, score.away\nx.y: is not a known column" + known + "\nlineups.home: is not a known column: events and lineups are sheets of their own, and statistics need NDJSON\nBemerkung: is not a known column" + known},
		"no id":                              {"name\nA\n", "id: has no column, and without it no row says which record it is; `touchline template` writes a file with every column"},
		"a column twice":                     {"id,name,NAME\n", "has two columns for name"},
		"no name":                            {",,\n", "has no names of fields in its first row"},
		"many columns":                       {"id" + strings.Repeat(",", 200) + "\n", "has more than 200 columns"},
		"a header in another encoding":       {"id,K\xfcrzel\n", "is not valid UTF-8: save it as CSV UTF-8"},
		"a header of quotation marks":        {"id,a\"b\n", `has a header that cannot be read: bare " in non-quoted-field`},
		"nothing":                            {"", "is empty: its first row has the names of the fields"},
		"UTF-16":                             {"\xff\xfei\x00", "is UTF-16: save it as CSV UTF-8"},
		"UTF-16 without its mark":            {"i\x00d\x00", "is UTF-16: save it as CSV UTF-8"},
		"a workbook":                         {"PK\x03\x04", "is a workbook, or an archive, and no CSV: let its name end in .xlsx, or unpack it"},
		"HTML":                               {"<table>", "is HTML or XML, and no CSV: open it in a spreadsheet program and save it as .xlsx or CSV UTF-8"},
		"JSON":                               {"{}", "is no CSV: let its name end in .ndjson, if it has a line of JSON for each record"},
		"line ends of another age":           {"id,name\ra,A\r", "has line ends of another age (CR alone): save it as CSV UTF-8"},
	} {
		if diff := cmp.Diff(c.want, read(c.text, false, 2<<10)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	const book = "\"id\",\"name\"\n\"a\",\"'=1\nx\"\n\"b\",\"sep=;\"\n"
	if got, want := read(book, true, 2<<10), "2 {\"id\":\"a\",\"name\":\"'=1\\nx\"}\n3 {\"id\":\"b\",\"name\":\"sep=;\"}"; got != want {
		t.Errorf("a sheet of a workbook: got %s, want %s", got, want)
	}
}

func TestAHeaderSaysWhatThereIs(t *testing.T) {
	s, err := sheet.New(strings.NewReader("id,score.home,date,time\n"), columns(), nil, false, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]bool{"id": true, "score": true, "score.home": true, "score.away": false, "kickoffLocal": true, "date": false, "name": false, "sco": false} {
		if s.Has(field) != want {
			t.Errorf("%s is there: %t", field, !want)
		}
	}
}

func TestTheKindOfAHeaderHasMostOfItsFields(t *testing.T) {
	of := map[files.Kind][]jsonl.Column{
		files.Teams:     {{Path: "id", Identifies: true}, {Path: "name"}, {Path: "short"}},
		files.Players:   {{Path: "id", Identifies: true}, {Path: "name"}, {Path: "number"}},
		files.Matches:   {{Path: "id", Identifies: true}, {Path: "kickoffLocal"}, {Path: "home"}},
		files.Standings: {{Path: "season", Identifies: true}, {Path: "table", Identifies: true}},
	}
	for header, want := range map[string]files.Kind{
		"id,name,short": files.Teams, "id,NAME, number ,x": files.Players, "id,name": files.Any, "name,short": files.Any, "id,date,time,home": files.Matches,
		"id,home,a,b": files.Any, "id,home,a,,": files.Matches, "season,table": files.Standings, "season,x": files.Any, "": files.Any,
	} {
		if got := sheet.KindOf(strings.Split(header, ","), func(k files.Kind) []jsonl.Column { return of[k] }); got != want {
			t.Errorf("%q is of %v, want %v", header, got, want)
		}
	}
}

func TestARecordIsARow(t *testing.T) {
	rows := sheet.NewRows(append(columns(), jsonl.Column{Path: "rules.like"}))
	var paths []string
	for _, c := range rows.Columns() {
		paths = append(paths, c.Path)
	}
	if want := "id name round kickoffAt kickoffLocal tags score.home score.away rules.margins.by rules.margins.win rules.table"; strings.Join(paths, " ") != want {
		t.Fatalf("columns are %v, want %s", paths, want)
	}
	for name, c := range map[string]struct {
		line  string
		limit int
		cells string
		lost  string
	}{
		"all":                        {`{"id":"a","name":"A","round":3,"tags":["x","y"],"score":{"home":1,"away":0},"rules":{"margins":[{"by":1,"win":2},{"by":7}],"table":true}}`, math.MaxInt, "a;A;3;;;x|y;1;0;1|7;2|;true", ""},
		"nothing":                    {`{"id":"a"}`, math.MaxInt, "a;;;;;;;;;;", ""},
		"a separator in an element":  {`{"id":"a","tags":["x|y"]}`, math.MaxInt, "a;;;;;;;;;;", "tags"},
		"a field without a column":   {`{"id":"a","events":[1]}`, math.MaxInt, "a;;;;;;;;;;", "events"},
		"an empty object in a list":  {`{"id":"a","rules":{"margins":[{}],"table":true}}`, math.MaxInt, "a;;;;;;;;;;", "rules"},
		"a cell at the bound":        {`{"id":"a","name":"AAAA"}`, 4, "a;AAAA;;;;;;;;;", ""},
		"a cell above it":            {`{"id":"a","name":"AAAAA"}`, 4, "a;;;;;;;;;;", "name"},
		"a part of a field above it": {`{"id":"a","score":{"home":1,"away":10}}`, 1, "a;;;;;;;;;;", "score"},
	} {
		record, ok := jsonl.Split([]byte(c.line))
		cells, lost := rows.Cells(record, c.limit)
		if got := strings.Join(cells, ";"); !ok || got != c.cells || strings.Join(lost, ",") != c.lost {
			t.Errorf("%s: got %s, lost %v; want %s, lost %s", name, got, lost, c.cells, c.lost)
		}
	}
}
