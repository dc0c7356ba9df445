package history_test

import (
	"encoding/json"
	"strings"
	"testing"

	"touchline/shared/loader/history"
	"touchline/shared/sport"
)

func called(id sport.ID) string {
	for _, key := range []string{"l6", "alpha", "beta", "twin-1", "twin-2"} {
		for _, kind := range []sport.Kind{sport.KindMatch, sport.KindTeam} {
			if sport.IDFor(kind, key) == id {
				return key
			}
		}
	}
	return string(id)
}

// named is a name, which two teams may have.
func named(id sport.ID) string { return strings.TrimRight(called(id), "-12") }

func TestAChangeReadsAsPeopleSayIt(t *testing.T) {
	match := history.Record{Kind: sport.KindMatch, ID: sport.IDFor(sport.KindMatch, "l6")}
	teams := `"homeTeamId":"` + string(sport.IDFor(sport.KindTeam, "alpha")) + `","awayTeamId":"` + string(sport.IDFor(sport.KindTeam, "beta")) + `"`
	unknown := sport.ID("0123456789abcdef01234567")
	for _, tt := range []struct {
		name          string
		of            history.Record
		before, after string
		want          string
	}{
		{"a score", match, `{"id":"l6","score":{"home":0,"away":0}}`, `{"id":"l6","score":{"home":1,"away":0}}`, "~ match l6: score 0:0 to 1:0"},
		{"more than one field", match, `{"status":"live","events":[{"a":1}]}`, `{"status":"finished","round":3,"events":[{"a":1},{}]}`,
			`~ match l6: status "live" to "finished", round none to 3, events 1 to 2`},
		{"inside an object", history.Record{Kind: sport.KindCompetition, ID: unknown, Season: 2025}, `{"rules":{"win":3,"tieBreakers":["points"]}}`, `{"rules":{"win":2,"tieBreakers":["points"]}}`,
			"~ competition " + string(unknown) + " 2025: rules.win 3 to 2"},
		{"a team that withdraws", history.Record{Kind: sport.KindCompetition, ID: unknown, Season: 2025}, `{}`, `{"withdrawals":[{"teamId":"` + string(sport.IDFor(sport.KindTeam, "alpha")) + `","matches":"annulled"}]}`,
			"~ competition " + string(unknown) + " 2025: withdrawals none to \"alpha\" (annulled)"},
		{"inside a list", match, `{"events":[{"a":1}]}`, `{"events":[{"a":2}]}`, "~ match l6: events changed"},
		{"a reference", match, `{"homeTeamId":"` + string(unknown) + `"}`, `{` + teams + `}`, "~ match l6 (alpha - beta): homeTeamId " + string(unknown) + " to alpha, awayTeamId none to beta"},
		{"a reference to another of its name", match, `{"homeTeamId":"` + string(sport.IDFor(sport.KindTeam, "twin-1")) + `"}`, `{"homeTeamId":"` + string(sport.IDFor(sport.KindTeam, "twin-2")) + `"}`, "~ match l6 (twin - ): homeTeamId twin-1 to twin-2"},
		{"a score and more", match, `{}`, `{"result":{"home":0,"away":0,"x":1}}`, `~ match l6: result none to {"home":0,"away":0,"x":1}`},
		{"a long text", match, `{}`, `{"venue":"` + strings.Repeat("é", 81) + `"}`, `~ match l6: venue none to "` + strings.Repeat("é", 79) + `…"`},
		{"a text just short enough", match, `{}`, `{"venue":"` + strings.Repeat("é", 80) + `"}`, `~ match l6: venue none to "` + strings.Repeat("é", 80) + `"`},
		{"a field that goes", match, `{"round":3}`, `{}`, "~ match l6: round 3 to none"},
		{"a new match", match, "", `{` + teams + `}`, "+ match l6: alpha - beta"},
		{"a match of nobody", match, "", `{"id":"l6"}`, "+ match l6"},
		{"a match that goes", match, `{` + teams + `}`, "", "- match l6: alpha - beta"},
		{"a season", history.Record{Kind: sport.KindCompetition, ID: unknown, Season: 2025}, "", `{"name":"Liga"}`, "+ competition " + string(unknown) + " 2025: Liga"},
		{"a given table", history.Record{Kind: history.KindStandings, ID: unknown, Season: 2025, Table: sport.TableRegular}, `{"rows":[]}`, `{"rows":[{}]}`,
			"~ standings " + string(unknown) + " 2025 regular: rows 0 to 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after []byte
			if tt.before != "" {
				before = []byte(tt.before)
			}
			if tt.after != "" {
				after = []byte(tt.after)
			}
			d, err := history.Compare(tt.of, before, after)
			if c := d.Change(history.Names{Key: called, Name: named}); err != nil || c.String() != tt.want {
				t.Errorf("got %q, %v, want %q", c, err, tt.want)
			}
		})
	}
}

func TestTheScoreOfAFinishedMatchIsAnother(t *testing.T) {
	const finished, won, lost = `"status":"finished"`, `"score":{"home":1,"away":0}`, `"score":{"home":0,"away":1}`
	for _, tt := range []struct {
		name, before, after string
		kind                sport.Kind
		want                bool
	}{
		{"another", finished + "," + won, finished + "," + lost, sport.KindMatch, true},
		{"another, and live again", finished + "," + won, `"status":"live",` + lost, sport.KindMatch, true},
		{"the same", finished + "," + won, finished + "," + won, sport.KindMatch, false},
		{"of a match that goes on", `"status":"live",` + won, finished + "," + lost, sport.KindMatch, false},
		{"the first", finished, finished + "," + won, sport.KindMatch, false},
		{"none any more, which is a loss", finished + "," + won, finished, sport.KindMatch, false},
		{"of a match that goes", finished + "," + won, "", sport.KindMatch, false},
		{"of no match", finished + "," + won, finished + "," + lost, sport.KindTeam, false},
	} {
		var after []byte
		if tt.after != "" {
			after = []byte("{" + tt.after + "}")
		}
		d, err := history.Compare(history.Record{Kind: tt.kind}, []byte("{"+tt.before+"}"), after)
		if err != nil || d.Rescored() != tt.want {
			t.Errorf("%s: %t, %v", tt.name, d.Rescored(), err)
		}
	}
}

func TestAChangeIsJSON(t *testing.T) {
	d, err := history.Compare(history.Record{Kind: sport.KindMatch, ID: sport.IDFor(sport.KindMatch, "l6")},
		[]byte(`{"score":{"home":0,"away":0}}`), []byte(`{"score":{"home":1,"away":0}}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(d.Change(history.Names{Key: called, Name: called}))
	want := `{"op":"change","kind":"match","id":"` + string(sport.IDFor(sport.KindMatch, "l6")) + `","key":"l6","fields":[{"field":"score","from":"0:0","to":"1:0"}]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
