package records

import (
	"strings"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// sample is a list with the name of its kind.
type sample struct {
	list, entries string
}

func of[T any](l List[T], kind pagedlist.Kind[T]) sample {
	return sample{string(l), kind.Name}
}

const someID sport.ID = "0123456789abcdef01234567"

// samples has a list of every row.
func samples() []sample {
	season := CompetitionSeason{ID: someID, Season: 2025}
	below := RangeOf(someID)
	return []sample{
		of(ChildrenList(sport.Club, someID, ByID, All), OrganizationKind(nil)),
		of(ChildrenWithin(sport.Club, someID, someID, ByID, All), OrganizationKind(nil)),
		of(OrganizationsBelow(sport.Club, below, ByID, All), OrganizationKind(nil)),
		of(RangeSizeList(below), IDKind()), of(TreeList(someID), TreeKind()),
		of(CompetitionsOf(someID, ByID, Open), CompetitionKind(nil)),
		of(CompetitionsBelow(below, ByID, Open), CompetitionKind(nil)),
		of(CompetitionsEntered(someID, below, ByID), CompetitionKind(nil)),
		of(TeamsOf(someID, ByID, All), TeamKind(nil)), of(TeamsBelow(below, ByID, All), TeamKind(nil)),
		of(TeamsEntered(someID, below, ByID), TeamKind(nil)),
		of(PlayersOf(someID, ByID, All), PlayerKind(nil)), of(PlayersBelow(below, ByID, All), PlayerKind(nil)),
		of(PlayersEntered(someID, below, ByID), PlayerKind(nil)), of(PlayersOfTeam(someID, ByID), PlayerKind(nil)),
		of(Squad(someID), SquadKind()), of(TournamentTeams(someID, CurrentTag), TeamKind(nil)),
		of(TournamentPlayers(someID, CurrentTag), PlayerKind(nil)),
		of(TournamentMatches(someID, CurrentTag, All), MatchKind()), of(TeamMatches(someID, All), MatchKind()),
		of(TopScorers(someID, CurrentTag, RankGoals), ScorerKind(nil)), of(Cards(someID, CurrentTag, RankTeamCards), CardKind(nil)),
		of(PlayerMatches(someID), PerformanceKind()), of(ClubEntries(someID), ClubEntryKind()),
		of(Contributions(season), ContributionKind()), of(FriendlyContributions(someID), ContributionKind()),
		of(Everything(sport.KindTeam), IDKind()), of(TablesNaming(someID), TableKind()),
		of(ChildIndex(someID), IDKind()), of(OwnedCompetitions(someID), IDKind()), of(OwnedTeams(someID), IDKind()),
		of(ChildCompetitions(someID), IDKind()), of(LineupPlayers(season), LineupKind()),
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
		{JournalKey("a", 1), "state of the loader", false},
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
	head := pagedlist.HeadKeys(string(TeamMatches(someID, All)), false)[0]
	part := store.Key{PK: head.PK, SK: "C#00000001"}
	if IsListPart(head) || !IsListPart(part) || !ShowsLive(head) || !ShowsLive(part) {
		t.Errorf("%v and %v are not told apart", head, part)
	}
	if squad := pagedlist.HeadKeys(string(Squad(someID)), false)[0]; ShowsLive(squad) {
		t.Error("a squad shows no matches")
	}
}
