package erasure

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
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
