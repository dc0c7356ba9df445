package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"touchline/scripts/touchline/database"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// beside is what no reader of a page needs: how much a load writes, the hour of an undo in the
// zone of the machine, and kinds of which
// nothing changes.
var beside = regexp.MustCompile(`(?m)^(wrote \d+ records|load \d+ of |\w+ +0 created +0 changed +0 deleted ).*\n`)

var update = flag.Bool("update", false, "write what the commands of the pages print")

// TestPagesOfOfficersSayWhatIsPrinted goes through pages as an officer does. A paragraph
// "Sheet `teams` of `x.xlsx`:" with a table behind it makes that sheet, and one that begins
// with "On 2026-03-18" is of that day. An indented block is
// an edit of a workbook (see edit), what of the data is looked up, or a command, whose output
// it shows.
func TestPagesOfOfficersSayWhatIsPrinted(t *testing.T) {
	for _, name := range []string{"season.md", "players.md", "volleyball.md"} {
		t.Run(name, func(t *testing.T) {
			page, err := filepath.Abs(name)
			must(t, err)
			text, err := os.ReadFile(filepath.Clean(page))
			must(t, err)
			o := &officer{screen: keeper(t), t: t}
			t.Chdir(t.TempDir())
			var blocks []string
			for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
				blocks = append(blocks, o.follow(block))
			}
			got := strings.Join(blocks, "\n\n") + "\n"
			if *update {
				writeFile(t, page, got)
			}
			if diff := gocmp.Diff(string(text), got); diff != "" {
				t.Errorf("(-page +commands):\n%s", diff)
			}
		})
	}
}

// officer follows a page.
type officer struct {
	*screen
	t           *testing.T
	book, sheet string // of the table that comes next
}

const indent = "    "

// follow does what a block of a page says, and gives the block as it has to be.
func (o *officer) follow(block string) string {
	first, rest, _ := strings.Cut(block, "\n")
	args := strings.Fields(first)
	if day, err := time.Parse("On 2006-01-02", first[:min(len(first), 13)]); err == nil {
		o.Now = func() time.Time { return day.Add(12 * time.Hour) }
	}
	if m := regexp.MustCompile("^Sheet `(\\w+)` of `([\\w.]+)`").FindStringSubmatch(first); m != nil {
		o.sheet, o.book = m[1], m[2]
	}
	switch {
	case strings.HasPrefix(block, "|") && o.book != "":
		for i, row := range slices.Delete(strings.Split(block, "\n"), 1, 2) { // below the header is a line
			o.fill(i+1, row[1:len(row)-1])
		}
	case !strings.HasPrefix(block, indent):
	case args[0] == "round":
		return indented(o.series(o.t, "league"))
	case args[0] == "players":
		return indented(first + "\n" + o.players(args[3], args[len(args)-1]))
	case args[0] != "$":
		o.book, o.sheet, _ = strings.Cut(strings.TrimSpace(first), ", sheet ")
		sheet, edits, _ := strings.Cut(o.sheet, ": ")
		o.sheet = sheet
		for edit := range strings.SplitSeq(edits, "; ") {
			o.edit(edit)
		}
		o.book = ""
	case args[1] == "cat":
		must(o.t, os.MkdirAll(filepath.Dir(args[2]), 0o750))
		writeFile(o.t, args[2], strings.ReplaceAll(rest+"\n", indent, ""))
	default:
		o.run(args[2:]...)
		return indented(strings.TrimSpace(first) + "\n" + beside.ReplaceAllString(o.Output.String()+o.Errors.String(), ""))
	}
	return block
}

// inBook changes the workbook, which need not be there.
func (o *officer) inBook(do func(*excelize.File) error) {
	o.t.Helper()
	f, err := excelize.OpenFile(o.book)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = excelize.NewFile(), nil
	}
	must(o.t, err)
	if at, err := f.GetSheetIndex(o.sheet); err != nil || at < 0 {
		_, err = f.NewSheet(o.sheet)
		must(o.t, err)
	}
	must(o.t, do(f))
	must(o.t, f.SaveAs(o.book))
	must(o.t, f.Close())
}

// fill fills a row with cells that "|" separates.
func (o *officer) fill(row int, cells string) {
	const inside = "\x00" // for one that is escaped
	for i, value := range strings.Split(strings.ReplaceAll(cells, `\|`, inside), "|") {
		cell, err := excelize.CoordinatesToCellName(i+1, row)
		must(o.t, err)
		o.set(cell, strings.ReplaceAll(strings.TrimSpace(value), inside, "|"))
	}
}

// set types into a cell: a number is one, and so is a date.
func (o *officer) set(cell, value string) {
	o.inBook(func(f *excelize.File) error {
		if value == "" {
			return f.SetCellValue(o.sheet, cell, nil)
		}
		if n, err := strconv.Atoi(value); err == nil {
			return f.SetCellValue(o.sheet, cell, n)
		}
		format, as := 0, any(value) // as Excel takes what is typed
		if at, err := time.Parse("2006-01-02", value); err == nil {
			format, as = 14, at
		} else if at, err := time.Parse("15:04", value); err == nil {
			format, as = 20, float64(at.Hour()*60+at.Minute())/(24*60)
		}
		style, err := f.NewStyle(&excelize.Style{NumFmt: format})
		return errors.Join(err, f.SetCellValue(o.sheet, cell, as), f.SetCellStyle(o.sheet, cell, cell, style))
	})
}

// edit edits a sheet: "C4 = text", or "add a | b".
func (o *officer) edit(edit string) {
	if cells, ok := strings.CutPrefix(edit, "add "); ok {
		var rows [][]string
		o.inBook(func(f *excelize.File) (err error) { rows, err = f.GetRows(o.sheet); return err })
		o.fill(len(rows)+1, cells)
		return
	}
	cell, value, ok := strings.Cut(edit, " =")
	if !ok {
		o.t.Fatalf("%s is no edit", edit)
	}
	o.set(cell, strings.TrimSpace(value))
}

func indented(text string) string {
	return indent + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+indent)
}

// players are the names in the list of a team or of a competition's current season.
func (o *officer) players(of, key string) (names string) {
	list := records.PlayersOfTeam(sport.IDFor(sport.KindTeam, key), records.ByName)
	if of == "competition" {
		list = records.TournamentPlayers(sport.IDFor(sport.KindCompetition, key), records.CurrentTag)
	}
	o.with(o.t, func(d *database.Database) {
		all, err := pagedlist.All(o.t.Context(), d.Sports().BatchGet, records.PlayerSchema(nil), pagedlist.Request[records.PlayerEntry]{List: string(list)})
		must(o.t, err)
		for _, p := range all {
			names += fmt.Sprintf("%s, number %d\n", p.Name, p.Number)
		}
	})
	return cmp.Or(names, "nobody")
}

// series are the ties of a competition's play-offs in the current season, a line for each.
func (t *screen) series(tb *testing.T, competition string) string {
	var text string
	t.with(tb, func(d *database.Database) {
		key := records.TableKey(sport.IDFor(sport.KindCompetition, competition), records.CurrentTag)
		item, err := d.Sports().Get(tb.Context(), key, true)
		must(tb, err)
		r, err := store.Decode[records.TableRecord](item)
		must(tb, err)
		for _, tie := range r.Playoff.Ties {
			text += fmt.Sprintf("round %d: %s - %s %d:%d, %s\n", tie.Round, tie.Home.Name, tie.Away.Name, tie.Aggregate.Home, tie.Aggregate.Away, tie.Winner)
		}
	})
	return text
}
