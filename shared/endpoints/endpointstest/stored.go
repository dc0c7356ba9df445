package endpointstest

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Put stores a record.
func (s *Service) Put(t testing.TB, key store.Key, record any) {
	t.Helper()
	item, err := attributevalue.MarshalMap(record)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Table.Write(t.Context(), []store.Write{{Key: key, Item: item}}); err != nil {
		t.Fatal(err)
	}
}

// Seasons are those of a team or player whose only season is 2025.
func Seasons[S any](t testing.TB, season *records.Seen[S]) *records.SeasonsRecord[S] {
	t.Helper()
	return records.NewSeasons(map[int]*records.Seen[S]{2025: season}, 2025, season)
}

// Fill puts entries on a list.
func Fill[T any](t testing.TB, s *Service, schema pagedlist.Schema[T], list records.List[T], entries ...T) {
	t.Helper()
	ops := make([]pagedlist.Op[T], len(entries))
	for i := range entries {
		ops[i].Put = &entries[i]
	}
	changes, err := schema.Changes(string(list), ops)
	if err == nil {
		err = pagedlist.Apply(t.Context(), s.Table.Table, schema, []pagedlist.Changes{changes}, pagedlist.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Scope is the scope of a record that the keys of organizations see.
func (s *Service) Scope(organizations ...string) records.Scope {
	var ids records.IDs
	for _, name := range organizations {
		ids = append(ids, s.ID("o:"+name))
	}
	return records.Scope{Owners: ids, Reach: ids}
}

// TeamRef is a team as other records show it.
func (s *Service) TeamRef(name string) records.TeamRef {
	return records.TeamRef{ID: s.ID("t:" + name), Name: "Team " + name, ShortName: name}
}

// PlayerRef is a player as other records show it.
func (s *Service) PlayerRef(name string) records.PlayerRef {
	return records.PlayerRef{ID: s.ID("p:" + name), Name: "Player " + name, Number: 9, Position: sport.Forward}
}

// League is a season of c:league as other records show it.
func (s *Service) League(season int) records.CompetitionRef {
	return records.CompetitionRef{
		ID: s.ID("c:league"), Name: "The league", Type: sport.League, Season: season,
		Stage: sport.Regular, Timezone: "UTC",
	}
}

// Played is a finished match of the season 2025 of c:league, which the home team
// has won by 2:1.
func (s *Service) Played(name string, kickoff time.Time, home, away string) records.Match {
	league := s.League(2025)
	return records.Match{
		ID: s.ID("m:" + name), Status: sport.Finished, Kickoff: kickoff.UnixMilli(),
		Home: s.TeamRef(home), Away: s.TeamRef(away), Score: &sport.Score{Home: 2, Away: 1},
		Winner: sport.WinnerHome, Round: 1, Season: 2025, Competition: &league,
	}
}

// Day is noon of a day of the season 2025.
func Day(n int) time.Time { return time.Date(2025, 8, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

// PutFixtures stores matches with both their teams, by quarter.
func (s *Service) PutFixtures(t testing.TB, matches ...records.MatchEntry) {
	t.Helper()
	of := map[store.Key][]records.Match{}
	for _, m := range matches {
		for _, team := range []sport.ID{m.Home.ID, m.Away.ID} {
			if key := records.FixturesKey(team, records.Quarter(m.Kickoff)); !m.Hidden {
				of[key] = append(of[key], m.Match)
			}
		}
	}
	for key, played := range of {
		s.Put(t, key, records.NewFixtures(played))
	}
}

// PutMatches stores matches as PutFixtures does, and on the lists of both teams.
func (s *Service) PutMatches(t testing.TB, matches ...records.MatchEntry) {
	t.Helper()
	of := map[records.List[records.MatchEntry]][]records.MatchEntry{}
	for _, m := range matches {
		for _, team := range []sport.ID{m.Home.ID, m.Away.ID} {
			for _, variant := range []records.Variant{records.All, records.Variant(m.Status)} {
				of[records.TeamMatches(team, variant)] = append(of[records.TeamMatches(team, variant)], m)
			}
		}
	}
	for name, entries := range of {
		Fill(t, s, records.MatchSchema(), name, entries...)
	}
	s.PutFixtures(t, matches...)
}
