package spreadsheet_test

import (
	"encoding/binary"
	"errors"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"touchline/scripts/spreadsheet"
	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/store/records/recordstest"
)

// aSeason is a handball season as an officer keeps it, in CSV, without a mistake.
func aSeason() map[string]string {
	return map[string]string{
		"organizations.csv": "id,type,name,parentId\nfed,federation,Estavia,\nk,club,Kielby,fed\nn,club,Norby,fed\nm,club,Mölsungen,fed\nw,club,Wester,fed\n",
		"competitions.csv":  "id,season,name,organizationId,timezone,type\nliga,2026,Liga,fed,Europe/Vienna,league\n",
		"teams.csv": "id,name,shortName,organizationId,competitionId,season\nkielby,SC Kielby,KIE,k,liga,2026\nnorby,HC Norby,NOR,n,liga,2026\n" +
			"moels,TV Mölsungen,MOE,m,liga,2026\nwester,TSV Wester,WES,w,liga,2026\n",
		"players.csv": "id,name,teamId,number\np1,Anna Berg,kielby,7\np2,Eva Dahl,kielby,9\np3,Ida Falk,norby,7\np4,Mia Holm,moels,1\np5,Liv Lund,wester,5\n",
		"matches.csv": "id,competitionId,season,round,status,date,time,homeTeamId,awayTeamId,score.home,score.away\n" +
			"M1,liga,2026,1,finished,2026-09-05,18:00,kielby,norby,24,20\nM2,liga,2026,1,finished,2026-09-05,19:30,moels,wester,19,19\n" +
			"M3,liga,2026,2,finished,2026-09-12,18:00,norby,moels,22,25\nM4,liga,2026,2,finished,2026-09-12,19:30,wester,kielby,18,27\n" +
			"M5,liga,2026,3,upcoming,2026-10-03,18:00,kielby,moels,,\nM6,liga,2026,3,upcoming,2026-10-03,19:30,norby,wester,,\n",
	}
}

var update = flag.Bool("update", false, "write what is said of each mistake anew")

// TestMistakes makes each mistake of testdata/mistakes.txt in a season without one, and
// holds what is said to what is written there.
func TestMistakes(t *testing.T) {
	const file = "testdata/mistakes.txt"
	text, err := os.ReadFile(file)
	must(t, err)
	table := recordstest.New(t)
	head, cases, _ := strings.Cut(string(text), "\n== ")
	now := head
	for of := range strings.SplitSeq(cases, "\n== ") {
		name, lines, _ := strings.Cut(of, "\n")
		now += "\n== " + name + "\n"
		folder, said := aSeason(), ""
		for line := range strings.Lines(lines) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case line == "":
			case strings.HasPrefix(line, "> "):
				said += line + "\n"
			default:
				now += line + "\n"
				if !mistake(t, folder, line) {
					t.Fatalf("%s: %s changes nothing", name, line)
				}
			}
		}
		got := ""
		for line := range strings.Lines(told(t, table, folder)) {
			got += "> " + line
		}
		if now += got; diffs(got, said) && !*update {
			t.Errorf("%s:\n%swant\n%s", name, got, said)
		}
	}
	if *update {
		must(t, os.WriteFile(file, []byte(now), 0o600))
	}
}

func diffs(a, b string) bool { return strings.TrimSpace(a) != strings.TrimSpace(b) }

// mistake makes a mistake; false: it changes nothing.
func mistake(t *testing.T, folder map[string]string, line string) bool {
	t.Helper()
	unquoted := func(text string) string {
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return text
	}
	if what, files, ok := strings.Cut(line, " "); ok {
		from, to, _ := strings.Cut(files, ".csv ")
		switch what {
		case "utf-16":
			b := []byte("\xff\xfe")
			for _, c := range utf16.Encode([]rune(folder[files])) {
				b = binary.LittleEndian.AppendUint16(b, c)
			}
			folder[files] = string(b)
			return true
		case "copy", "move":
			folder[to] = folder[from+".csv"]
			if what == "move" {
				delete(folder, from+".csv")
			}
			return true
		}
	}
	if file, text, ok := strings.Cut(line, " + "); ok && !strings.Contains(file, ": ") {
		folder[file] += unquoted(text)
		return true
	}
	file, edit, _ := strings.Cut(line, ": ")
	from, to, _ := strings.Cut(edit, " => ")
	was := folder[file]
	folder[file] = strings.ReplaceAll(was, unquoted(from), unquoted(to))
	return folder[file] != was
}

// told says what a load into an empty table finds in a folder.
func told(t *testing.T, table *recordstest.Table, files map[string]string) string {
	t.Helper()
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	l := table.Loader()
	l.Workbooks, l.Now = spreadsheet.Workbooks, func() time.Time { return time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC) }
	report, err := l.Load(t.Context(), folder, loader.Options{DryRun: true})
	said, warnings := "", (*dataset.Warnings)(nil)
	if faults := (*dataset.Faults)(nil); errors.As(err, &faults) {
		for _, f := range faults.List {
			said += "fault: " + f.Error() + "\n"
		}
		warnings = faults.Warnings
	} else if err != nil {
		return "error: " + err.Error() + "\n"
	} else {
		warnings = report.Warnings
	}
	if warnings != nil {
		for _, w := range warnings.List {
			said += "warning: " + w.Error() + "\n"
		}
	}
	return said
}
