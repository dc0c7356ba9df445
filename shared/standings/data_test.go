package standings_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"touchline/shared/outside"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// edition is one season of a competition of the sample data. Ids are the
// operator's keys as they stand in the files.
type edition struct {
	input standings.Input
	names map[sport.ID]string
}

type editionKey struct {
	competition string
	season      int
}

// fileTeam, fileCompetition and fileMatch are the fields of dataset.md that a
// table or a tie needs.
type fileTeam struct {
	ID, Name, CompetitionID string
	OrganizationID          sport.ID
	Season                  int
	Group                   sport.ID
	StartingPoints, Seed    int
}

type fileCompetition struct {
	ID     string
	Season int
	Groups []sport.Group
	Rules  struct {
		Win, Draw, Loss *int
		TieBreakers     []sport.TieBreaker
	}
}

type fileMatch struct {
	ID                      sport.ID
	CompetitionID           string
	Season                  int
	Status                  sport.MatchStatus
	KickoffAt, KickoffLocal string
	HomeTeamID, AwayTeamID  sport.ID
	Score, Penalties        *sport.Score
	Leg, Round              int
	TwoLegs                 bool
	Winner                  sport.Winner
	Group                   sport.ID
}

// sampleData reads a folder of real seasons.
func sampleData(t *testing.T, name string) map[editionKey]*edition {
	t.Helper()
	folder := os.DirFS(outside.Path(t, "data/"+name))
	editions := map[editionKey]*edition{}
	for _, c := range readLines[fileCompetition](t, folder, "competitions.ndjson") {
		e := &edition{names: map[sport.ID]string{}}
		e.input.Groups = c.Groups
		e.input.Rules = sport.Rules{
			Win:         deref(c.Rules.Win, 3),
			Draw:        deref(c.Rules.Draw, 1),
			Loss:        deref(c.Rules.Loss, 0),
			TieBreakers: c.Rules.TieBreakers,
		}
		if c.Rules.TieBreakers == nil {
			e.input.Rules.TieBreakers = sport.DefaultTieBreakers()
		}
		editions[editionKey{c.ID, c.Season}] = e
	}
	for _, f := range readLines[fileTeam](t, folder, "teams.ndjson") {
		e := editions[editionKey{f.CompetitionID, f.Season}]
		e.names[sport.ID(f.ID)] = f.Name
		e.input.Teams = append(e.input.Teams, standings.TeamEntry{
			ID: sport.ID(f.ID), NameKey: []byte(f.Name), ClubID: f.OrganizationID, GroupID: f.Group, StartingPoints: f.StartingPoints, Seed: f.Seed,
		})
	}
	matches := "matches.ndjson.gz"
	if _, err := fs.Stat(folder, matches); err != nil {
		matches = "matches.ndjson"
	}
	for _, f := range readLines[fileMatch](t, folder, matches) {
		e := editions[editionKey{f.CompetitionID, f.Season}]
		e.input.Matches = append(e.input.Matches, f.match(t))
	}
	return editions
}

func (f fileMatch) match(t *testing.T) sport.Match {
	t.Helper()
	kickoff, err := time.Parse(time.RFC3339, f.KickoffAt)
	if f.KickoffAt == "" {
		kickoff, err = time.Parse("2006-01-02T15:04:05", (f.KickoffLocal + "T00:00:00")[:19])
	}
	if err != nil {
		t.Fatalf("match %s: %v", f.ID, err)
	}
	return sport.Match{
		ID: f.ID, Season: f.Season, Status: f.Status, Kickoff: kickoff, HomeTeamID: f.HomeTeamID,
		AwayTeamID: f.AwayTeamID, Score: f.Score, Penalties: f.Penalties, Leg: f.Leg, TwoLegs: f.TwoLegs,
		Winner: standings.MatchWinner(f.Status, f.Score, f.Penalties, f.Winner), Round: f.Round, GroupID: f.Group,
	}
}

func deref(p *int, otherwise int) int {
	if p == nil {
		return otherwise
	}
	return *p
}

func readLines[T any](t *testing.T, folder fs.FS, name string) []T {
	t.Helper()
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = bytes.NewReader(data)
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var records []T
	decoder := json.NewDecoder(r)
	for {
		var record T
		switch err := decoder.Decode(&record); {
		case errors.Is(err, io.EOF):
			return records
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		}
		records = append(records, record)
	}
}
