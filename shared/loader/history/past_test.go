package history

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

func item(t *testing.T, v any) store.Item {
	t.Helper()
	item, err := attributevalue.MarshalMap(v)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// A way back takes a record to what it was, from what the load has left.
func TestStepsLeadBack(t *testing.T) {
	of := Record{Kind: sport.KindTeam, ID: "t1"}
	table := Record{Kind: KindStandings, ID: "c1", Season: 2025, Table: sport.TableRegular}
	for _, tt := range []struct {
		name          string
		of            Record
		before, after string
		lost          string // fields
		back          string
	}{
		{"a field", of, `{"id":"t1","name":"A","city":"B"}`, `{"id":"t1","name":"C","city":"B"}`, "", `{"id":"t1","city":"B","name":"A"}`},
		{"a field that came", of, `{"id":"t1"}`, `{"id":"t1","name":"C"}`, "", `{"id":"t1","name":null}`},
		{"a field that went", of, `{"id":"t1","name":"A"}`, `{"id":"t1"}`, "name", `{"id":"t1","name":"A"}`},
		{"a state and a flag that went", of, `{"id":"t1","status":"inactive","leg":true}`, `{"id":"t1"}`, "", `{"id":"t1","status":"inactive","leg":true}`},
		{"a flag that was not set", of, `{"id":"t1","leg":false}`, `{"id":"t1"}`, "", `{"id":"t1","leg":false}`},
		{"some of a list", of, `{"id":"t1","events":[{"type":"goal"},{"type":"card"}]}`, `{"id":"t1","events":[{"type":"goal"}]}`, "some events", `{"id":"t1","events":[{"type":"goal"},{"type":"card"}]}`},
		{"as many of a list", of, `{"id":"t1","events":[{"type":"goal"}]}`, `{"id":"t1","events":[{"type":"card"}]}`, "", `{"id":"t1","events":[{"type":"goal"}]}`},
		{"a whole list", of, `{"id":"t1","events":[{"type":"goal"}]}`, `{"id":"t1"}`, "events", `{"id":"t1","events":[{"type":"goal"}]}`},
		{"created", of, "", `{"id":"t1"}`, "", `{"id":"t1","deleted":true}`},
		{"deleted", of, `{"id":"t1","name":"A"}` + "\n", "", "", `{"id":"t1","name":"A"}`},
		{"a table", table, "", `{"rows":[]}`, "", `{"competitionId":"c1","season":2025,"table":"regular","deleted":true}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line := func(text string) []byte {
				if text == "" {
					return nil
				}
				return []byte(text)
			}
			d, err := Compare(tt.of, line(tt.before), line(tt.after))
			if err != nil {
				t.Fatal(err)
			}
			if lost := strings.Join(d.Lost(), " "); lost != tt.lost {
				t.Errorf("lost %q, want %q", lost, tt.lost)
			}
			step := d.Step("left")
			back, err := step.Line(line(tt.after))
			if err != nil || string(back) != tt.back || step.Left != "left" {
				t.Errorf("%s, %v, want %s", back, err, tt.back)
			}
		})
	}
	if _, err := Compare(of, []byte("[]"), []byte("{}")); err == nil {
		t.Error("a list is taken for a record")
	}
}

// A load is read as it was kept: its way back in its item, beside it, or not at all.
func TestALoadIsKept(t *testing.T) {
	for _, tt := range []struct {
		name   string
		random int // bytes of the way back
		limit  int
		pieces int
		none   bool
	}{
		{"in the item", 1000, 1 << 20, 0, false},
		{"beside it", 900_000, 8 << 20, 3, false},
		{"too large", 900_000, 1 << 20, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
			noise := make([]byte, tt.random)
			_, _ = rand.Read(noise)
			step := Step{Record: Record{Kind: sport.KindTeam, ID: "t"}, Left: "x", Back: []byte(`"` + base64.StdEncoding.EncodeToString(noise) + `"`)}
			back := &WayBack{Limit: tt.limit}
			if err := errors.Join(back.Add(step), back.Add(Step{Left: "y"})); err != nil || back.TooLarge() != tt.none {
				t.Fatalf("%v, too large: %v", err, back.TooLarge())
			}
			p := &Past{Number: 3, ID: "load", Began: noon, Note: strings.Repeat("é", 101), Report: &Report{Entries: 7}, More: 2}
			writes, err := p.Writes(back)
			if err == nil {
				err = table.Write(t.Context(), writes)
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.Pieces != tt.pieces || len(writes) != tt.pieces+1 {
				t.Errorf("%d pieces, %d writes", p.Pieces, len(writes))
			}
			if p.Size < tt.random && !tt.none {
				t.Errorf("it counts %d bytes", p.Size)
			}
			loads, err := Read(t.Context(), table, Mark{Number: 3, ID: "load"}, Range{})
			if err != nil || len(loads) != 1 {
				t.Fatalf("%d loads, %v", len(loads), err)
			}
			got := loads[0]
			if !got.Began.Equal(noon) || len([]rune(got.Note)) != 100 || got.Report.Entries != 7 || got.More != 2 {
				t.Errorf("%+v", got)
			}
			steps, err := got.Steps(t.Context(), table)
			if tt.none {
				if !errors.Is(err, ErrNoWayBack) {
					t.Errorf("%d steps, %v", len(steps), err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual([]Step{step, {Left: "y"}}, steps) { // cmp takes seconds for so many bytes
				t.Errorf("%d other steps, %v", len(steps), err)
			}
			if got.Erased = true; tt.pieces == 0 {
				_, err = got.Steps(t.Context(), table)
			} else {
				got.Erased = false
				for _, w := range []store.Write{{Key: records.UndoKey(3, 1)}, {Key: records.UndoKey(3, 1), Item: item(t, Piece{"other", []byte{1}})}} {
					if err := table.Write(t.Context(), []store.Write{w}); err != nil {
						t.Fatal(err)
					}
					if _, err = got.Steps(t.Context(), table); !errors.Is(err, ErrNoWayBack) {
						t.Errorf("with a piece %v: %v", w.Item, err)
					}
				}
			}
			if !errors.Is(err, ErrNoWayBack) {
				t.Errorf("what is gone is read: %v", err)
			}
		})
	}
}

// So much of a way back is kept, and no byte more.
func TestAWayBackHasALimit(t *testing.T) {
	step := Step{Record: Record{Kind: sport.KindTeam, ID: "t"}}
	line, err := json.Marshal(step)
	if err != nil {
		t.Fatal(err)
	}
	for limit, large := range map[int]bool{len(line): false, len(line) - 1: true} {
		b := &WayBack{Limit: limit}
		if err := b.Add(step); err != nil || b.TooLarge() != large {
			t.Errorf("%d of %d bytes: %v, %v", len(line), limit, b.TooLarge(), err)
		}
	}
}

// Of the loads those of the range are read, and of the last number the one that the mark
// names.
func TestARangeOfLoads(t *testing.T) {
	table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
	for n := 1; n <= 5; n++ {
		writes, err := (&Past{Number: n, ID: "load"}).Writes(nil)
		if err == nil {
			err = table.Write(t.Context(), writes)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		mark Mark
		of   Range
		want []int
	}{
		{"all", Mark{Number: 5, ID: "load"}, Range{}, []int{5, 4, 3, 2, 1}},
		{"one that was not decided", Mark{Number: 5, ID: "other"}, Range{}, []int{4, 3, 2, 1}},
		{"the last two, and one that was not decided", Mark{Number: 5, ID: "other"}, Range{Limit: 2}, []int{4, 3}},
		{"the last two", Mark{Number: 5, ID: "load"}, Range{Limit: 2}, []int{5, 4}},
		{"one after the last", Mark{Number: 4, ID: "load"}, Range{}, []int{4, 3, 2, 1}},
		{"from", Mark{Number: 5, ID: "load"}, Range{From: 4}, []int{5, 4}},
		{"to", Mark{Number: 5, ID: "load"}, Range{To: 2}, []int{2, 1}},
		{"beyond the last", Mark{Number: 5, ID: "load"}, Range{From: 6}, nil},
		{"no load", Mark{}, Range{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			loads, err := Read(t.Context(), table, tt.mark, tt.of)
			var got []int
			for i := range loads {
				got = append(got, loads[i].Number)
			}
			if d := cmp.Diff(tt.want, got); err != nil || d != "" {
				t.Errorf("%v %s", err, d)
			}
		})
	}
}

// What came after a version of the data is said in words, but for the loads of a file.
func TestLoadsSinceAVersion(t *testing.T) {
	table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
	for n := 1; n <= 25; n++ {
		writes, err := (&Past{Number: n, ID: "load", Began: noon.Add(time.Duration(n) * time.Minute), File: fmt.Sprint("file ", n)}).Writes(nil)
		if err == nil {
			err = table.Write(t.Context(), writes)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const at = "2026-05-01 12:"
	for _, tt := range []struct{ version, file, want string }{
		{"25-load", "", ""}, {"24-load", "", "1 load on " + at + "25 UTC"}, {"24-load", "file 25", ""},
		{"22-load", "", "3 loads, the last on " + at + "25 UTC"}, {"22-load", "file 23", "2 loads, the last on " + at + "25 UTC"},
		{"1-load", "", "24 loads, the last on " + at + "25 UTC"}, {"24-other", "", ""}, {"0-load", "", ""}, {"x", "", ""},
	} {
		if got, err := Since(t.Context(), table, Mark{Number: 25, ID: "load"}, tt.version, tt.file); err != nil || got != tt.want {
			t.Errorf("%s %s: %q, %v, want %q", tt.version, tt.file, got, err, tt.want)
		}
	}
}

// What is kept of a report names nobody.
func TestAKeptReportHasNoTexts(t *testing.T) {
	r := Report{
		Entries: 3, Tables: []string{"Norby 1st"},
		Faults:   &dataset.Faults{List: []dataset.Fault{{Message: "Norby"}}},
		Warnings: &dataset.Warnings{List: []dataset.Fault{{Message: "Norby"}}},
		Finished: &Report{Changes: []Change{{Name: "Norby"}}},
	}
	kept := r.Kept([]Change{
		{Op: Update, Record: Record{ID: "m"}, Key: "l6", Name: "Norby", Fields: []Field{{"score", "0:0", "1:0"}, {"name", "Norby", "Ostby"}}},
		{Op: Delete, Record: Record{ID: "p"}, Erased: true},
	})
	want := &Report{
		Entries: 3, Faults: &dataset.Faults{More: 1}, Warnings: &dataset.Warnings{More: 1}, Finished: &Report{},
		Changes: []Change{{Op: Update, Record: Record{ID: "m"}, Key: "l6", Fields: []Field{{"score", "0:0", "1:0"}, {Name: "name"}}}},
	}
	text := func(r *Report) string {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if d := cmp.Diff(text(want), text(kept)); d != "" {
		t.Error(d)
	}
}

func TestMovesOfATable(t *testing.T) {
	row := func(team string, rank, points int, group string) records.TableRow {
		var r records.TableRow
		r.Team.ID, r.Team.Name, r.Rank, r.Points, r.Group, r.Played = sport.ID(team), team, rank, points, group, 1
		return r
	}
	c := records.CompetitionRef{ID: "c", Name: "Liga", Season: 2025}
	was := []records.TableRow{row("A", 1, 10, ""), row("B", 2, 9, ""), row("C", 3, 8, ""), row("D", 12, 1, ""), row("E", 1, 3, "X"), row("G", 13, 0, "")}
	is := []records.TableRow{row("B", 1, 12, ""), row("A", 2, 10, ""), row("C", 3, 9, ""), row("D", 11, 1, ""), row("E", 2, 3, "Y"), row("F", 22, 0, "")}
	liga := []string{"Liga 2025: B 2nd to 1st (9 to 12 points), A 1st to 2nd, C 3rd (8 to 9 points), D 12th to 11th", "Liga 2025: left: G; came: F"}
	if d := cmp.Diff(liga, Moved(c, was, is)); d != "" {
		t.Error(d)
	}
	c.Name = "Cup"
	was = []records.TableRow{row("A", 3, 0, "X"), row("B", 1, 0, "Y")}
	is = []records.TableRow{row("A", 23, 0, "X"), row("B", 2, 0, "Y")}
	cup := Moved(c, was, is)
	if d := cmp.Diff([]string{"Cup 2025 X: A 3rd to 23rd", "Cup 2025 Y: B 1st to 2nd"}, cup); d != "" {
		t.Error(d)
	}
	for i := range cup {
		was[i].Played, is[i].Played = 0, 3*i
	}
	if d := Moved(c, was, is); d != nil {
		t.Errorf("nobody had played, and %v moved", d)
	}
	teams := make([]records.TableRow, 13)
	for i := range teams {
		teams[i] = row(fmt.Sprint("T", i), i, 0, "")
	}
	if all, some := without(teams[:12], nil), without(teams, nil); !strings.HasSuffix(all, ", T11") || some != all+", 1 more" {
		t.Errorf("of 13 teams %s", some)
	}
	var r Report
	r.SetTables(append(liga, cup...))
	if d := cmp.Diff([]string{cup[0], cup[1], liga[0], liga[1]}, r.Tables); d != "" {
		t.Error(d)
	}
	r.SetTables(make([]string, maxTables+2))
	if len(r.Tables) != maxTables+1 || r.Tables[maxTables] != "and 2 more" {
		t.Errorf("%d lines, %q", len(r.Tables), r.Tables[maxTables])
	}
}
