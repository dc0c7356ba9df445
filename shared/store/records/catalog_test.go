package records

import (
	"strings"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// sample is a list with the name of its schema.
type sample struct {
	list, entries string
}

func of[T any](l List[T], schema pagedlist.Schema[T]) sample {
	return sample{string(l), schema.Name}
}

const someID sport.ID = "0123456789abcdef01234567"

// samples has a list of every row.
func samples() []sample {
	season := CompetitionSeason{ID: someID, Season: 2025}
	below := RangeOf(someID)
	return []sample{
		of(ChildrenList(sport.Club, someID, ByID, All), OrganizationSchema(nil)),
		of(ChildrenWithin(sport.Club, someID, someID, ByID, All), OrganizationSchema(nil)),
		of(OrganizationsBelow(sport.Club, below, ByID, All), OrganizationSchema(nil)),
		of(RangeSizeList(below), IDSchema()), of(TreeList(someID), TreeSchema()),
		of(CompetitionsOf(someID, ByID, Open), CompetitionSchema(nil)),
		of(CompetitionsBelow(below, ByID, Open), CompetitionSchema(nil)),
		of(CompetitionsEntered(someID, below, ByID), CompetitionSchema(nil)),
		of(TeamsOf(someID, ByID, All), TeamSchema(nil)), of(TeamsBelow(below, ByID, All), TeamSchema(nil)),
		of(TeamsEntered(someID, below, ByID), TeamSchema(nil)),
		of(PlayersOf(someID, ByID, All), PlayerSchema(nil)), of(PlayersBelow(below, ByID, All), PlayerSchema(nil)),
		of(PlayersEntered(someID, below, ByID), PlayerSchema(nil)), of(PlayersOfTeam(someID, ByID), PlayerSchema(nil)),
		of(Squad(someID), SquadSchema()), of(TournamentTeams(someID, CurrentTag), TeamSchema(nil)),
		of(TournamentPlayers(someID, CurrentTag), PlayerSchema(nil)),
		of(TournamentMatches(someID, CurrentTag, All), MatchSchema()), of(TeamMatches(someID, All), MatchSchema()),
		of(TopScorers(someID, CurrentTag, RankGoals), ScorerSchema(nil)), of(Cards(someID, CurrentTag, RankTeamCards), CardSchema(nil)),
		of(PlayerMatches(someID), PerformanceSchema()), of(ClubEntries(someID), ClubEntrySchema()),
		of(Contributions(season), ContributionSchema()), of(FriendlyContributions(someID), ContributionSchema()),
		of(Everything(sport.KindTeam), IDSchema()), of(TablesNaming(someID), TableSchema()),
		of(ChildIndex(someID), IDSchema()), of(OwnedCompetitions(someID), IDSchema()), of(OwnedTeams(someID), IDSchema()),
		of(ChildCompetitions(someID), IDSchema()), of(LineupPlayers(season), LineupSchema()),
	}
}

func TestTheTableOfListsSaysWhatEachListIs(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range samples() {
		row := rowOf(s.list)
		if row == nil || row.by == "" {
			t.Errorf("%s has no row", s.list)
			continue
		}
		if row.entries != s.entries {
			t.Errorf("%s has entries %q, its row says %q", s.list, s.entries, row.entries)
		}
		if shows := strings.Contains(s.entries, "match") || s.entries == "performance"; row.live != shows {
			t.Errorf("%s of %s entries: live is %v", s.list, s.entries, row.live)
		}
		if seen[row.name] {
			t.Errorf("two samples of %s, or two rows of that name", row.name)
		}
		seen[row.name] = true
	}
	if len(seen) != len(lists) {
		t.Errorf("%d lists are checked of %d", len(seen), len(lists))
	}
}

func TestTheTableOfItemsSaysWhatEachKeyIs(t *testing.T) {
	tests := []struct {
		key  store.Key
		what string
		live bool
	}{
		{OrganizationKey(someID), "organization", false},
		{TeamKey(someID), "team", false},
		{FixturesKey(someID, 8100), "fixtures of a team", true},
		{TeamSeasonsKey(someID), "seasons of a team", false},
		{PlayerKey(someID), "player", false},
		{PlayerSeasonsKey(someID), "seasons of a player", false},
		{MatchKey(someID), "match and its parts", true},
		{MatchDetailKey(someID), "match and its parts", true},
		{LineupsKey(someID), "match and its parts", true},
		{EventsKey(someID), "match and its parts", true},
		{FiguresKey(someID), "match and its parts", true},
		{TableKey(someID, CurrentTag), "tables of a season", true},
		{StatisticsKey(someID, SeasonTag(2025)), "statistics of a season", true},
		{CompetitionKey(someID, CurrentTag), "competition", false},
		{SeasonKey(someID, 2025), "competition", false},
		{GroupsKey(someID, CurrentTag), "competition", false},
		{GivenTableKey(someID, 2025, sport.TableRegular), "competition", false},
		{LockKey(), "state of the loader", false},
		{JournalKey(1), "state of the loader", false},
	}
	for _, tt := range tests {
		row := item(tt.key)
		if row == nil || row.what != tt.what {
			t.Errorf("%v is %+v, want %s", tt.key, row, tt.what)
		}
		if ShowsLive(tt.key) != tt.live || IsListPart(tt.key) {
			t.Errorf("%v: live %v", tt.key, ShowsLive(tt.key))
		}
	}
}

func TestPartsOfListsAreThoseBesidesTheHead(t *testing.T) {
	head := pagedlist.HeadKey(string(TeamMatches(someID, All)))
	part := store.Key{PK: head.PK, SK: "C#0000000000000001"}
	if IsListPart(head) || !IsListPart(part) || !ShowsLive(head) || !ShowsLive(part) {
		t.Errorf("%v and %v are not told apart", head, part)
	}
	if squad := pagedlist.HeadKey(string(Squad(someID))); ShowsLive(squad) {
		t.Error("a squad shows no matches")
	}
}
