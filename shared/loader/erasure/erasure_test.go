package erasure

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// Whoever is erased keeps number and position in a line-up, and is named in no event.
func TestAPlayerIsTakenOutOfAMatch(t *testing.T) {
	lea := &world.Player{Player: sport.Player{ID: "lea", Number: 9, Position: "forward"}}
	others := []sport.LineupEntry{{PlayerID: "ben", Number: 4}}
	for _, tt := range []struct {
		name, position string
		number         int
		want           sport.LineupEntry
	}{
		{"as the match says", "midfielder", 7, sport.LineupEntry{Number: 7, Position: "midfielder"}},
		{"as the player has them", "", 0, sport.LineupEntry{Number: 9, Position: "forward"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &sport.Match{Lineups: &sport.Lineups{}, Events: []sport.Event{
				{PlayerID: "lea", AssistID: "ben"}, {PlayerID: "ben", AssistID: "lea"}, {PlayerInID: "lea", PlayerOutID: "ben"}, {PlayerInID: "ben", PlayerOutID: "lea"},
			}}
			m.Lineups.Home.Starting = append([]sport.LineupEntry{{PlayerID: "lea", Number: tt.number, Position: sport.Position(tt.position)}}, others...)
			m.Lineups.Away.Bench = []sport.LineupEntry{{PlayerID: "lea", Number: 1}}
			unname(m, lea)
			if d := cmp.Diff(append([]sport.LineupEntry{tt.want}, others...), m.Lineups.Home.Starting); d != "" {
				t.Error(d)
			}
			if e := m.Lineups.Away.Bench[0]; e.PlayerID != "" || e.Number != 1 {
				t.Errorf("on the bench: %+v", e)
			}
			if d := cmp.Diff([]sport.Event{{AssistID: "ben"}, {PlayerID: "ben"}, {PlayerOutID: "ben"}, {PlayerInID: "ben"}}, m.Events); d != "" {
				t.Error(d)
			}
		})
	}
}

// What was erased comes back only where its key or its id is allowed.
func TestWhatWasErasedIsRefused(t *testing.T) {
	lea, cup := dataset.ID(sport.KindPlayer, "lea"), dataset.ID(sport.KindCompetition, "cup")
	erased := Erased{{Kind: sport.KindPlayer, ID: lea}: "2026-03-01", {Kind: sport.KindCompetition, ID: cup, Season: 2024}: "2026-03-02"}
	for _, tt := range []struct {
		name, file, line string
		allowed          []string
		let, refused     int
	}{
		{"a player", "players", `{"id":"lea","name":"L","teamId":"t"}`, nil, 0, 1},
		{"another player", "players", `{"id":"ben","name":"B","teamId":"t"}`, []string{"lea"}, 0, 0},
		{"that is deleted", "players", `{"id":"lea","deleted":true}`, nil, 0, 0},
		{"by its key", "players", `{"id":"lea","name":"L","teamId":"t"}`, []string{"lea"}, 1, 0},
		{"by its id", "players", `{"id":"lea","name":"L","teamId":"t"}`, []string{string(lea)}, 1, 0},
		{"a season", "competitions", `{"id":"cup","season":2024,"name":"C","organizationId":"o"}`, nil, 0, 1},
		{"a season that goes", "competitions", `{"id":"cup","season":2024,"deleted":true}`, nil, 0, 0},
		{"another season", "competitions", `{"id":"cup","season":2025,"name":"C","organizationId":"o"}`, nil, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set, err := format.Read(t.Context(), fstest.MapFS{tt.file + ".ndjson": {Data: []byte(tt.line)}}, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			let, faults := erased.Back(set, tt.allowed)
			if len(let) != tt.let || len(faults) != tt.refused || tt.refused > 0 && faults[0].Line != 1 {
				t.Errorf("let back %v, refused %v", let, faults)
			}
		})
	}
}

// Of what is kept of loads all goes that may say something of an erased record. A way back
// that would bring its name along goes whole.
func TestKeptLoadsAreScrubbed(t *testing.T) {
	lea, ben := history.Record{Kind: sport.KindPlayer, ID: "lea"}, history.Record{Kind: sport.KindPlayer, ID: "ben"}
	for _, tt := range []struct {
		name    string
		steps   []history.Step
		left    int // steps
		changes int
	}{
		{"a load of others", []history.Step{{Record: ben, Left: "x"}}, 1, 1},
		{"one that changed the record", []history.Step{{Record: lea, Left: "x"}, {Record: ben, Left: "x"}}, 1, 1},
		{"one that names it elsewhere", []history.Step{{Record: history.Record{Kind: sport.KindMatch, ID: "m"}, Back: []byte(`{"events":[{"playerId":"lea"}]}`)}}, -1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
			back := &history.WayBack{Limit: 1000}
			p := &history.Past{Number: 1, ID: "i", Began: time.UnixMilli(1), Note: "lea asked", File: "lea", Journal: []byte("lea"), Report: &history.Report{}}
			for i := range tt.steps {
				if err := back.Add(tt.steps[i]); err != nil {
					t.Fatal(err)
				}
			}
			p.Report.Changes = []history.Change{{Op: history.Update, Record: lea}, {Op: history.Update, Record: ben}}
			writes, err := p.Writes(back)
			if err == nil {
				err = table.Write(t.Context(), writes)
			}
			mark := history.Mark{Number: 1, ID: "i"}
			if err == nil {
				err = Scrub(t.Context(), table, mark, &Erasure{ids: []sport.ID{"lea"}})
			}
			loads, failed := history.Read(t.Context(), table, mark, history.Range{})
			if err != nil || failed != nil || len(loads) != 1 {
				t.Fatal(err, failed, loads)
			}
			if p := loads[0]; p.Note+p.File+string(p.Journal) != "" || len(p.Report.Changes) != tt.changes || p.More != 1 || p.Erased != (tt.left < 0) {
				t.Errorf("%+v", p)
			}
			if steps, err := loads[0].Steps(t.Context(), table); tt.left >= 0 && (err != nil || len(steps) != tt.left) || tt.left < 0 && err == nil {
				t.Errorf("%v, %v", steps, err)
			}
		})
	}
}

func TestWhatIsFinal(t *testing.T) {
	e := &Erasure{ids: []sport.ID{"lea"}, matches: []sport.ID{"m"}}
	for of, want := range map[history.Record]bool{
		{Kind: sport.KindPlayer, ID: "lea"}: true, {Kind: sport.KindMatch, ID: "m"}: true, {Kind: sport.KindMatch, ID: "n"}: false, {Kind: sport.KindTeam, ID: "m"}: false,
	} {
		if got := e.Final(&of); got != want || (*Erasure)(nil).Final(&of) {
			t.Errorf("%v is final: %v", of, got)
		}
	}
}
