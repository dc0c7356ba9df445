package endpoints_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
	"touchline/shared/store/records/recordstest"
)

// stage is a service over a table in which a test puts records and lists by
// hand: what is read back does not depend on how a load computes it.
func stage(t testing.TB) *service {
	t.Helper()
	s := &service{
		table: recordstest.New(t), names: map[sport.ID]string{},
		now: time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC),
	}
	s.restart()
	return s
}

func (s *service) put(t testing.TB, key store.Key, record any) {
	t.Helper()
	item, err := attributevalue.MarshalMap(record)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.table.Write(t.Context(), []store.Write{{Key: key, Item: item}}); err != nil {
		t.Fatal(err)
	}
}

// fill puts entries on a list.
func fill[T any](t testing.TB, s *service, kind pagedlist.Kind[T], list records.List[T], entries ...T) {
	t.Helper()
	edit := pagedlist.Edit[T]{List: string(list)}
	for i := range entries {
		edit.Ops = append(edit.Ops, pagedlist.Op[T]{Put: &entries[i]})
	}
	if _, err := pagedlist.Apply(t.Context(), s.table.Table, kind, []pagedlist.Edit[T]{edit}, pagedlist.Options{}); err != nil {
		t.Fatal(err)
	}
}

// mine is the scope of a record that the keys of organizations see.
func (s *service) mine(organizations ...string) records.Scope {
	var ids records.IDs
	for _, name := range organizations {
		ids = append(ids, s.id("o:"+name))
	}
	return records.Scope{Owners: ids, Reach: ids}
}

func (s *service) teamRef(name string) records.TeamRef {
	return records.TeamRef{ID: s.id("t:" + name), Name: "Team " + name, ShortName: name}
}

func (s *service) playerRef(name string) records.PlayerRef {
	return records.PlayerRef{ID: s.id("p:" + name), Name: "Player " + name, Number: 9, Position: sport.Forward}
}

func (s *service) league(season int) records.CompetitionRef {
	return records.CompetitionRef{
		ID: s.id("c:league"), Name: "The league", Type: sport.League, Season: season,
		Stage: sport.Regular, Timezone: "UTC",
	}
}

// Bodies of these references.

func teamBody(name string) string {
	return fmt.Sprintf(`{"id":"t:%s","name":"Team %s","shortName":"%s","logo":null}`, name, name, name)
}

func playerBody(name string) string {
	return fmt.Sprintf(`{"id":"p:%s","name":"Player %s","number":9,"position":"forward","photo":"https://img.example/nobody.png"}`, name, name)
}

func leagueBody(season int) string {
	return fmt.Sprintf(`{"id":"c:league","name":"The league","logo":null,"type":"league","season":%d,"stage":"regular","timezone":"UTC"}`, season)
}

// played is a finished match of a league's season 2025, 2:1 unless changed.
func (s *service) played(name string, kickoff time.Time, home, away string) records.Match {
	league := s.league(2025)
	return records.Match{
		ID: s.id("m:" + name), Status: sport.Finished, Kickoff: kickoff.UnixMilli(),
		Home: s.teamRef(home), Away: s.teamRef(away), Score: &sport.Score{Home: 2, Away: 1},
		Winner: sport.WinnerHome, Round: 1, Season: 2025, Competition: &league,
	}
}

// playedBody is the body of what played gives, without the closing brace.
func playedBody(name, kickoff, home, away string) string {
	return fmt.Sprintf(`{"id":"m:%s","status":"finished","kickoffAt":"%s","home":%s,"away":%s,"score":{"home":2,"away":1},`+
		`"penalties":null,"leg":null,"twoLegs":false,"winner":"home","round":1,"group":null`, name, kickoff, teamBody(home), teamBody(away))
}

// day is noon of a day of the season 2025.
func day(n int) time.Time { return time.Date(2025, 8, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, n) }
