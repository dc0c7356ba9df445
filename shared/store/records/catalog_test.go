package records

import (
	"testing"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

const someID sport.ID = "0123456789abcdef01234567"

// sample is a list, and whether it shows matches, which is to follow from its name.
type sample struct {
	list  string
	shows bool
}

func of[T any](l List[T], schema pagedlist.Schema[T]) sample {
	return sample{string(l), schema.Name == "match" || schema.Name == "performance"}
}

// samples has a list of every name.
func samples() []sample {
	season := CompetitionSeason{ID: someID, Season: 2025}
	return []sample{
		of(ChildrenList(sport.Club, someID, ByID), OrganizationSchema(nil)),
		of(OrganizationsBelow(sport.Club, someID, ByID), OrganizationSchema(nil)),
		of(RangeSizeList(someID), IDSchema()), of(TreeList(someID), TreeSchema()),
		of(Competitions.Entered(someID, someID, ByID), CompetitionSchema(nil)),
		of(Teams.Entered(someID, someID, ByID), TeamSchema(nil)),
		of(Players.Entered(someID, someID, ByID), PlayerSchema(nil)), of(PlayersOfTeam(someID, ByID), PlayerSchema(nil)),
		of(Squad(someID), SquadSchema()), of(TournamentTeams(someID, CurrentTag), TeamSchema(nil)),
		of(TournamentPlayers(someID, CurrentTag), PlayerSchema(nil)),
		of(TopScorers(someID, CurrentTag, RankGoals), ScorerSchema(nil)), of(Cards(someID, CurrentTag, RankTeamCards), CardSchema(nil)),
		of(PlayerMatches(someID), PerformanceSchema()), of(ClubEntries(someID), ClubEntrySchema()),
		of(Contributions(season), ContributionSchema()), of(FriendlyContributions(someID), ContributionSchema()),
		of(Everything(sport.KindTeam), IDSchema()), of(TablesNaming(someID), TableSchema()),
		of(ChildOrganizations(someID), IDSchema()), of(OwnedCompetitions(someID), IDSchema()), of(OwnedTeams(someID), IDSchema()),
		of(ChildCompetitions(someID), IDSchema()), of(LineupPlayers(season), LineupSchema()),
		of(Competitions.Of(someID, ByID), CompetitionSchema(nil)), of(Competitions.Below(someID, ByID), CompetitionSchema(nil)),
		of(Teams.Of(someID, ByID), TeamSchema(nil)), of(Teams.Below(someID, ByID), TeamSchema(nil)),
		of(Players.Of(someID, ByID), PlayerSchema(nil)), of(Players.Below(someID, ByID), PlayerSchema(nil)),
		of(TournamentMatches(someID, CurrentTag), MatchSchema()), of(TeamMatches(someID), MatchSchema()),
	}
}

func TestTheNameOfAListSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range samples() {
		if got := ShowsLive(pagedlist.HeadKey(s.list)); got != s.shows {
			t.Errorf("%s shows live matches: %v", s.list, got)
		}
		if seen[kindOf(s.list)] {
			t.Errorf("two kinds of lists begin with %s", kindOf(s.list))
		}
		seen[kindOf(s.list)] = true
	}
}

func TestAKeySaysWhetherItsItemShowsLiveMatches(t *testing.T) {
	tests := []struct {
		key  store.Key
		live bool
	}{
		{OrganizationKey(someID), false},
		{TeamKey(someID), false},
		{TeamSeasonsKey(someID), false},
		{PlayerKey(someID), false},
		{PlayerSeasonsKey(someID), false},
		{MatchKey(someID), true},
		{MatchDetailKey(someID), true},
		{LineupsKey(someID), true},
		{EventsKey(someID), true},
		{FiguresKey(someID), true},
		{TableKey(someID, CurrentTag), true},
		{StatisticsKey(someID, SeasonTag(2025)), true},
		{CompetitionKey(someID, CurrentTag), false},
		{SeasonKey(someID, 2025), false},
		{GroupsKey(someID, CurrentTag), false},
		{GivenTableKey(someID, 2025, sport.TableRegular), false},
		{LockKey(), false},
		{JournalKey(1), false},
	}
	for _, tt := range tests {
		if ShowsLive(tt.key) != tt.live || IsChunk(tt.key) {
			t.Errorf("%v: live %v", tt.key, ShowsLive(tt.key))
		}
	}
}

func TestChunksAreWhatLiesBesideAHead(t *testing.T) {
	head := pagedlist.HeadKey(string(TeamMatches(someID)))
	chunk := store.Key{PK: head.PK, SK: "C#0000000000000001"}
	if IsChunk(head) || !IsChunk(chunk) || !ShowsLive(head) || !ShowsLive(chunk) {
		t.Errorf("%v and %v are not told apart", head, chunk)
	}
	if squad := pagedlist.HeadKey(string(Squad(someID))); ShowsLive(squad) {
		t.Error("a squad shows no matches")
	}
}
