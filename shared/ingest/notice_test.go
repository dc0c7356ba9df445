package ingest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/ingest"
	"touchline/shared/sport"
)

// topic keeps what is published; while it is closed it refuses.
type topic struct {
	closed bool
	kept   []ingest.Notice
}

func (p *topic) Publish(_ context.Context, message []byte) error {
	if p.closed {
		return errors.New("no right to publish")
	}
	var n ingest.Notice
	err := json.Unmarshal(message, &n)
	p.kept = append(p.kept, n)
	return err
}

// TestLoadsAreTold: with their number and the competitions that change, if they
// change something; where that fails, the load is complete nevertheless.
func TestLoadsAreTold(t *testing.T) {
	w, told := newWorld(t), &topic{}
	w.Worker.Topic = told
	const match = `{"id":"m1","status":"live","competitionId":"cup","season":2025,"kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":%,"away":0}}`
	load := func(folder string, files map[string]string) {
		t.Helper()
		w.drop(folder, `{}`, files)
		if w.load(folder) {
			t.Fatalf("%s goes back: %s", folder, w.logged.String())
		}
	}
	load("first", map[string]string{
		"organizations.ndjson": `{"id":"fed","type":"federation","name":"Fed"}`,
		"competitions.ndjson":  `{"id":"cup","season":2025,"name":"Cup","organizationId":"fed"}` + "\n" + `{"id":"league","season":2025,"name":"League","organizationId":"fed"}`,
		"teams.ndjson":         `{"id":"a","name":"A","shortName":"A","organizationId":"fed","competitionId":"cup","season":2025}` + "\n" + `{"id":"b","name":"B","shortName":"B","organizationId":"fed","competitionId":"cup","season":2025}`,
		"players.ndjson":       `{"id":"p","name":"Pia","teamId":"a"}`,
	})
	load("goal", map[string]string{"matches.ndjson": strings.ReplaceAll(match, "%", "1")})
	load("again", map[string]string{"matches.ndjson": strings.ReplaceAll(match, "%", "1")})
	load("player", map[string]string{"players.ndjson": `{"id":"p","name":"Pia B.","teamId":"a"}`})
	cup := []sport.ID{sport.IDFor(sport.KindCompetition, "cup")}
	var got []ingest.Notice
	for _, n := range told.kept {
		if n.Ended.IsZero() {
			t.Errorf("%+v", n)
		}
		got = append(got, ingest.Notice{DataVersion: n.DataVersion, Competitions: n.Competitions, All: n.All})
	}
	want := []ingest.Notice{{DataVersion: 1, Competitions: []sport.ID{}, All: true}, {DataVersion: 2, Competitions: cup}, {DataVersion: 3, Competitions: cup}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	told.closed = true
	load("closed", map[string]string{"matches.ndjson": strings.ReplaceAll(match, "%", "2")})
	if said := w.logged.String(); !strings.Contains(said, "no right to publish") {
		t.Errorf("%s", said)
	}
}
