package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// written is how much a load writes, which no reader of the page needs.
var written = regexp.MustCompile(`(?m)^wrote \d+ records.*\n`)

var update = flag.Bool("update", false, "write what the commands of season.md print")

// TestThePageOfASeasonSaysWhatItsWorkbookMakes runs the commands of the page, and looks up
// its series, in their order. A block of the page is a command with what it prints, or the
// series.
func TestThePageOfASeasonSaysWhatItsWorkbookMakes(t *testing.T) {
	const indent = "    "
	page, err := filepath.Abs("season.md")
	must(t, err)
	text, err := os.ReadFile(filepath.Clean(page))
	must(t, err)
	term := keeper(t)
	t.Chdir(t.TempDir())
	var blocks []string
	for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
		first, rest, _ := strings.Cut(block, "\n")
		args := strings.Fields(first)
		switch {
		case !strings.HasPrefix(block, indent):
		case args[0] == "round":
			block = indented(indent, term.series(t, "league"))
		case args[1] == "cat":
			must(t, os.MkdirAll(filepath.Dir(args[2]), 0o750))
			term.Now = func() time.Time { return terminal.ScreenTime.AddDate(0, 0, 4) } // the second match of the final is over
			writeFile(t, args[2], strings.ReplaceAll(rest+"\n", indent, ""))
		default:
			term.run(args[2:]...)
			block = first + "\n" + indented(indent, written.ReplaceAllString(term.Output.String()+term.Errors.String(), ""))
		}
		blocks = append(blocks, block)
	}
	got := strings.Join(blocks, "\n\n") + "\n"
	if *update {
		writeFile(t, page, got)
	}
	if diff := cmp.Diff(string(text), got); diff != "" {
		t.Errorf("(-page +commands):\n%s", diff)
	}
}

func indented(by, text string) string {
	return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by)
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
