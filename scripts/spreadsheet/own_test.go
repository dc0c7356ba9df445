package spreadsheet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/scripts/spreadsheet"
	"touchline/shared/dataset/format"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// own is a workbook as a league keeps it: a title, a table beside, two columns of one heading,
// headings of another language, rounds between the rows. Columns says how it is read.
func own(columns ...string) map[string][][]any {
	day := time.Date(2025, 9, 6, 0, 0, 0, 0, time.UTC)
	rows := [][]any{{"sheet", "heading", "field", "from"}}
	for _, c := range append([]string{
		"Spielplan|Datum|matches.date|4", "Spielplan|Zeit|matches.time|4", "Spielplan|heim|matches.home|4", "Spielplan|Gast|matches.away|4",
		"Spielplan|Ergebnis|matches.result|4", "Spielplan|=Kreisliga|matches.competition|4", "Spielplan|=2025|matches.season|4", "Spielplan|A|matches.round|4",
		"Spielplan|J|teams.name|4", "Spielplan|J|teams.shortName|4", "Spielplan|J|teams.club|4", "Spielplan|=liga|teams.competitionId|4", "Spielplan|=2025|teams.season|4",
		"Spielplan|J|organizations.id|4", "Spielplan|J|organizations.name|4", "Spielplan|=club|organizations.type|4", "Spielplan|=kreis|organizations.parentId|4",
	}, columns...) {
		var row []any
		for _, cell := range strings.Split(c, "|") {
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return map[string][][]any{
		"columns": rows,
		"Spielplan": {
			{"Kreisliga 2025/26"}, {"Stand", day}, {},
			{"Rd.", "Datum", "Zeit", "Heim", "Gast", "Ergebnis", "Tore", "Tore", "", "Mannschaft", "Punkte"},
			{1, day, "15:00", "HC Norby", "SC Kielby", "24:20", 24, 20, "", "HC Norby", 2},
			{1, day, "17:00", "TV Ostby", "TSV Wester", "31-28 (15-14)", 31, 28, "", "TV Ostby", 2},
			{"2. Runde", "", "", "", "", "", "", "", "", "SC Kielby", 0},
			{2, day.AddDate(0, 0, 7), "", "SC Kielby", "TV Ostby", "-:-", "", "", "", "TSV Wester", 0},
			{"Rd.", "Datum", "Zeit", "Heim", "Gast", "Ergebnis"},
			{2, day.AddDate(0, 0, 7), "19:30", "TSV Wester", "HC  Norby"},
		},
		"organizations": {{"id", "type", "name"}, {"kreis", "federation", "Kreis"}},
		"competitions":  {{"id", "season", "name", "organizationId", "timezone"}, {"liga", 2025, "Kreisliga", "kreis", "Europe/Berlin"}},
		"Notizen":       {{"Halle", "Schlüssel"}, {"A", "beim Wirt"}},
	}
}

// A workbook of one's own is read as its sheet columns says, and so is CSV.
func TestASheetOfOnesOwnIsReadAsItIs(t *testing.T) {
	csv := fstest.MapFS{
		"columns.csv":       {Data: []byte("sheet;heading;field;from\n*;Heim;matches.home;3\n*;Gast;matches.away;3\n*;Tore;matches.result;3\n*;Tag;matches.kickoffLocal;3\n*;=liga;matches.competitionId;3\n*;=2025;matches.season;3\n")},
		"plan.csv":          {Data: []byte("Unsere Liga, die erste\n\nTag;Heim;Gast;Tore\n06.09.2025 15:00;HC Norby;SC Kielby;24:20\n06.09.2025 17:00;TV Ostby;TSV Wester;31:28\n13.09.2025;SC Kielby;TV Ostby;\n13.09.2025 19:30;TSV Wester;HC Norby;\n")},
		"teams.csv":         {Data: []byte("name,shortName,club,competitionId,season\nHC Norby,N,HC Norby,liga,2025\nTV Ostby,O,TV Ostby,liga,2025\nSC Kielby,K,SC Kielby,liga,2025\nTSV Wester,W,TSV Wester,liga,2025\n")},
		"organizations.csv": {Data: []byte("id,type,name\nkreis,federation,Kreis\nHC Norby,club,HC Norby\nTV Ostby,club,TV Ostby\nSC Kielby,club,SC Kielby\nTSV Wester,club,TSV Wester\n")},
		"competitions.csv":  {Data: []byte("id,season,name,organizationId\nliga,2025,Kreisliga,kreis\n")},
	}
	for name, folder := range map[string]fstest.MapFS{"a workbook": {"liga.xlsx": {Data: made(t, own(), nil)}}, "CSV": csv} {
		set, err := format.Read(t.Context(), folder, format.Options{Workbooks: spreadsheet.Workbooks})
		must(t, err)
		names := map[sport.ID]string{}
		for _, x := range set.Teams {
			names[x.ID] = x.Value.Name
		}
		var got []string
		for _, x := range set.Matches.All() {
			m, result := x.Value.Base, ""
			if m.Score != nil && m.Status == sport.Finished {
				result = fmt.Sprintf("%d:%d", m.Score.Home, m.Score.Away)
			}
			got = append(got, strings.TrimSpace(fmt.Sprintln(m.Status, x.Value.KickoffLocal, names[m.HomeTeamID], names[m.AwayTeamID], result)))
		}
		want := "finished 2025-09-06 15:00 HC Norby SC Kielby 24:20, finished 2025-09-06 17:00 TV Ostby TSV Wester 31:28, upcoming 2025-09-13 SC Kielby TV Ostby, upcoming 2025-09-13 19:30 TSV Wester HC Norby"
		if text := strings.ReplaceAll(strings.Join(got, ", "), "06.09.2025", "2025-09-06"); strings.ReplaceAll(text, "13.09.2025", "2025-09-13") != want || len(set.Organizations) != 5 || len(set.Teams) != 4 {
			t.Errorf("%s: %s\n%d organizations, %d teams", name, text, len(set.Organizations), len(set.Teams))
		}
		if said := set.Warnings.String(); name == "a workbook" && said != `liga.xlsx, sheet Notizen: is not read: its name is no kind, and its first row has not the fields of one
liga.xlsx, sheet Spielplan: passes over rows (2) that have none of the fields that matches need` {
			t.Errorf("%s: %s", name, said)
		}
		if notes, strict := set.Warnings.Notes(), set.Warnings.Faults(); name == "a workbook" && (notes.Count() != 1 || strict.Count() != 1 || strings.Contains(strict.Error(), "passes")) {
			t.Errorf("notes %v, strictly %v", notes, strict)
		}
	}
}

// What is said of rows without ids names teams, rows and cells, and no key that was made.
func TestWhatIsSaidOfRowsWithoutIDs(t *testing.T) {
	table := recordstest.New(t)
	for name, c := range map[string]struct {
		row, column int
		value       any
		want        string
	}{
		"a team at one hour":    {5, 3, "HC Norby", `warning: liga.xlsx, sheet Spielplan:6: Datum (Spielplan!B6): team "HC Norby" plays at this hour in the match on line 5, too`},
		"a result with a mark":  {4, 5, "24:23 n.V.", `fault: liga.xlsx, sheet Spielplan:5: Ergebnis (Spielplan!F5): must be a result such as 3:1, not "24:23 n.V.": the goals stand alone; extra time has a column of its own, extraTime, with true`},
		"a result as a date":    {4, 5, "2026-03-01", `not "2026-03-01": is it the date that a spreadsheet makes of 3-1? Type 3:1, or each number`},
		"a shoot-out":           {4, 5, "4:3 n.P.", `not "4:3 n.P.": the score is that before the shoot-out`},
		"a time that is none":   {4, 2, "15.00", `fault: liga.xlsx, sheet Spielplan:5: Zeit (Spielplan!C5): must be a date`},
		"a result that is none": {4, 5, "24", `fault: liga.xlsx, sheet Spielplan:5: Ergebnis (Spielplan!F5): must be a result such as 3:1, not "24"`},
		"a team that is none":   {4, 3, "HC Nobry", `fault: liga.xlsx, sheet Spielplan:5: heim (Spielplan!D5): no entry of season 2025 of competition "liga" is called "HC Nobry"; did you mean "HC Norby"?`},
		"a column that is lacking": {3, 10, "", `fault: liga.xlsx, sheet Spielplan:5: shortName: is missing (4 times: also on line 6, 7, 8)
warning: liga.xlsx, sheet Notizen`},
	} {
		book := own()
		book["Spielplan"][c.row][c.column] = c.value
		if name == "a team at one hour" {
			book["Spielplan"][5][2] = "15:00"
		}
		if name == "a column that is lacking" {
			book["columns"] = slices.DeleteFunc(book["columns"], func(row []any) bool { return row[2] == "teams.shortName" })
		}
		if got := told(t, table, map[string]string{"liga.xlsx": string(made(t, book, nil))}); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Each column of a set is an element of the list.
func TestSetsInColumnsOfTheirOwn(t *testing.T) {
	set, err := format.Read(t.Context(), fstest.MapFS{
		"columns.csv": {Data: []byte("sheet,heading,field\nplan,S1,matches.sets\nplan,S2,matches.sets\nplan,S3,matches.sets\nplan,Id,matches.id\nplan,H,matches.homeTeamId\nplan,A,matches.awayTeamId\nplan,D,matches.kickoffAt\n")},
		"plan.csv":    {Data: []byte("Id,H,A,D,S1,S2,S3\nm,a,b,2026-01-10T18:00Z,25:20,25:23,\n")},
	}, format.Options{Workbooks: spreadsheet.Workbooks})
	must(t, err)
	if m := set.Matches.At(0).Value.Base; m.Score == nil || *m.Score != (sport.Score{Home: 2}) || *m.SetPoints != (sport.Score{Home: 50, Away: 43}) {
		t.Errorf("%+v", m)
	}
}

func TestWhatIsWrongWithColumns(t *testing.T) {
	for rule, want := range map[string]string{
		"Spielplan|Tore|matches.score.home|4":  `liga.xlsx, sheet Spielplan:4: Tore: is the heading of the columns G and H: name one by its letter`,
		"Spielplan|Halle|matches.group|4":      `liga.xlsx, sheet Spielplan:4: Halle: heads no column in row 4`,
		"Spielplan|Gast|matches.guest|4":       `liga.xlsx, sheet columns:19: field: guest is no field of matches`,
		"Spielplan|Gast|games.away|4":          `liga.xlsx, sheet columns:19: field: must be a kind and a field of it, such as matches.home, not "games.away"`,
		"|Gast|matches.away|4":                 `liga.xlsx, sheet columns:19: sheet: is missing`,
		"Spielplan||matches.away|4":            `liga.xlsx, sheet columns:19: heading: is missing`,
		"Spielplan|Gast|matches.away|x":        `liga.xlsx, sheet columns:19: from: must be the number of the row with the headings`,
		"Notizen|Tor|matches.home|1":           `liga.xlsx, sheet Notizen:1: has none of the headings of matches in this row: from in the sheet columns is the number of their row`,
		"Spielplan|Heim|matches.homeTeamId|99": `has the headings of matches in row 4 and in row 99`,
		"Spielplam|Heim|matches.home|4":        `liga.xlsx, sheet columns:19: sheet: there is no sheet Spielplam; did you mean Spielplan?`,
	} {
		_, err := format.Read(t.Context(), fstest.MapFS{"liga.xlsx": {Data: made(t, own(rule), nil)}}, format.Options{Workbooks: spreadsheet.Workbooks})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", rule, err)
		}
	}
}
