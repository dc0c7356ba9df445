package records

import (
	"slices"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

const someID sport.ID = "0123456789abcdef01234567"

// sample is a list, and what is to follow from its name.
type sample struct {
	list, whole  string // whole: what it is a part of
	parts, shows bool
}

func of[T any](l List[T], schema pagedlist.Schema[T]) sample {
	return sample{list: string(l), shows: schema.Name == "match" || schema.Name == "performance"}
}

// with is a list that may have parts, and the part of a variant.
func with[T any](list func(Variant) List[T], schema pagedlist.Schema[T]) (both []sample) {
	whole, part := of(list(All), schema), of(list("some"), schema)
	whole.parts, part.whole = true, whole.list
	return []sample{whole, part}
}

// samples has a list of every name.
func samples() []sample {
	season := CompetitionSeason{ID: someID, Season: 2025}
	all := []sample{
		of(ChildrenList(sport.Club, someID, ByID, All), OrganizationSchema(nil)),
		of(OrganizationsBelow(sport.Club, someID, ByID, All), OrganizationSchema(nil)),
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
	}
	return slices.Concat(all,
		with(func(v Variant) List[Competition] { return Competitions.Of(someID, ByID, v) }, CompetitionSchema(nil)),
		with(func(v Variant) List[Competition] { return Competitions.Below(someID, ByID, v) }, CompetitionSchema(nil)),
		with(func(v Variant) List[TeamEntry] { return Teams.Of(someID, ByID, v) }, TeamSchema(nil)),
		with(func(v Variant) List[TeamEntry] { return Teams.Below(someID, ByID, v) }, TeamSchema(nil)),
		with(func(v Variant) List[PlayerEntry] { return Players.Of(someID, ByID, v) }, PlayerSchema(nil)),
		with(func(v Variant) List[PlayerEntry] { return Players.Below(someID, ByID, v) }, PlayerSchema(nil)),
		with(func(v Variant) List[MatchEntry] { return TournamentMatches(someID, CurrentTag, v) }, MatchSchema()),
		with(func(v Variant) List[MatchEntry] { return TeamMatches(someID, v) }, MatchSchema()))
}

func TestTheNameOfAListSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range samples() {
		if got := HasParts(s.list); got != s.parts {
			t.Errorf("%s has parts: %v", s.list, got)
		}
		if got := WholeOf(s.list); got != s.whole {
			t.Errorf("%s is a part of %q, want %q", s.list, got, s.whole)
		}
		if got := ShowsLive(pagedlist.HeadKey(s.list)); got != s.shows {
			t.Errorf("%s shows live matches: %v", s.list, got)
		}
		if seen[kindOf(s.list)] && s.whole == "" {
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
		{FixturesKey(someID, 8100), true},
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
	head := pagedlist.HeadKey(string(TeamMatches(someID, All)))
	chunk := store.Key{PK: head.PK, SK: "C#0000000000000001"}
	if IsChunk(head) || !IsChunk(chunk) || !ShowsLive(head) || !ShowsLive(chunk) {
		t.Errorf("%v and %v are not told apart", head, chunk)
	}
	if squad := pagedlist.HeadKey(string(Squad(someID))); ShowsLive(squad) {
		t.Error("a squad shows no matches")
	}
}
