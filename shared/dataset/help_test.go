package dataset

import (
	"errors"
	"testing"
	_ "time/tzdata" // time zones, whatever the machine has

	"touchline/shared/dataset/datasettest"
	"touchline/shared/sport"
)

const wholeMatch = datasettest.WholeMatch

// Names of datasettest, which the tables of cases use a hundred times.
var (
	folder     = datasettest.Folder
	lined      = datasettest.Lined
	match      = datasettest.Match
	federation = datasettest.Federation
	lineups    = datasettest.Lineups
)

// mustRead reads a dataset that has no faults.
func mustRead(t testing.TB, files map[string]string) *Set {
	t.Helper()
	set, err := Read(t.Context(), folder(files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// faultsOf reads a dataset and gives its faults, nil for none.
func faultsOf(t testing.TB, files map[string]string) []Fault {
	t.Helper()
	_, err := Read(t.Context(), folder(files), Options{})
	if err == nil {
		return nil
	}
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	return faults.List
}

// hash is the id of an operator's key.
func hash(kind sport.Kind, key string) sport.ID { return sport.IDFor(kind, key) }

// kickoff is an upcoming match with the fields of its kick-off.
func kickoff(fields string) string {
	return `{"id":"m","competitionId":"c","status":"upcoming","homeTeamId":"a","awayTeamId":"b",` + fields + "}"
}

// competition is a record of competition c with further fields.
func competition(fields string) string {
	return `{"id":"c","name":"C","organizationId":"o",` + fields + "}"
}
