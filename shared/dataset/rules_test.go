package dataset

import (
	"testing"

	"touchline/shared/regulations"
	"touchline/shared/sport"
)

// child is a playoff of competition d with rules.
func child(rules string) string {
	return competition(`"season":2001,"stage":"playoff","parentId":"d","rules":` + rules)
}

// rulesOf reads a competition with rules.
func rulesOf(t *testing.T, rules string) sport.Rules {
	t.Helper()
	files := federation()
	files["competitions"] += lined(`{"id":"child","season":2002,"name":"C","organizationId":"f","stage":"playoff","parentId":"c","rules":` + rules + `}`)
	set := mustRead(t, files)
	return set.Competitions[len(set.Competitions)-1].Value.Rules
}

func TestRulesAreRead(t *testing.T) {
	criteria := func(list ...sport.TieBreaker) sport.Rules {
		r := DefaultRules()
		r.TieBreakers = list
		return r
	}
	carry := func(c sport.Carry) sport.Rules {
		r := DefaultRules()
		r.Carry = &c
		return r
	}
	for _, c := range []struct {
		name  string
		rules string
		want  sport.Rules
	}{
		{"none", `{}`, DefaultRules()},
		{
			"ice hockey: three points, two after extra time", `{"extraTimeWin":2,"extraTimeLoss":1,"shootoutWin":2,"shootoutLoss":0}`,
			sport.Rules{
				Win: 3, Draw: 1, ExtraTimeWin: ptr(2), ExtraTimeLoss: ptr(1), ShootoutWin: ptr(2), ShootoutLoss: ptr(0),
				TieBreakers: sport.DefaultTieBreakers(),
			},
		},
		{"conferences", `{"acrossGroups":true}`, sport.Rules{Win: 3, Draw: 1, TieBreakers: sport.DefaultTieBreakers(), AcrossGroups: true}},
		{
			"every criterion",
			`{"tieBreakers":["points","goalDiff","goalsFor","won","awayGoals","awayWon","goalRatio","fairPlay","opponentsPoints","pointsPerMatch","halfPoint","parentRank","seed","name"],"carry":{}}`,
			sport.Rules{Win: 3, Draw: 1, TieBreakers: append(sport.TableCriteria(), sport.ByName), Carry: ptr(DefaultCarry())},
		},
		{
			"blocks of head to head, of which one is there again",
			`{"tieBreakers":["points",{"headToHead":["points","goalDiff"]},"goalDiff",{"headToHead":["points","goalDiff"]},{"headToHead":["goalsFor"],"again":false}]}`,
			criteria(sport.ByPoints, sport.HeadToHead(true, sport.ByPoints, sport.ByGoalDiff), sport.ByGoalDiff,
				sport.HeadToHead(true, sport.ByPoints, sport.ByGoalDiff), sport.HeadToHead(false, sport.ByGoalsFor)),
		},
		{
			"older names in two blocks", `{"tieBreakers":["headToHeadPoints","goalDiff","headToHeadPoints","headToHeadGoalsFor"]}`,
			criteria(sport.ByHeadToHeadPoints, sport.ByGoalDiff, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalsFor),
		},
		{"no criteria", `{"tieBreakers":[]}`, criteria(sport.ByName)},
		{"all that was won before", `{"carry":{}}`, carry(sport.Carry{Points: sport.CarryFull, Among: sport.CarryAll})},
		{
			"half of the points of the matches among those that came along", `{"carry":{"points":"halfUp","record":true,"among":"qualified"}}`,
			carry(sport.Carry{Points: sport.CarryHalfUp, Record: true, Among: sport.CarryQualified}),
		},
		{
			"a regulation", `{"like":"scotland-premiership-split"}`,
			sport.Rules{
				Win: 3, Draw: 1, TieBreakers: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff, sport.ByGoalsFor, sport.BySeed},
				Carry: &sport.Carry{Points: sport.CarryFull, Record: true, Among: sport.CarryAll},
			},
		},
		{
			"a regulation with changes before and behind its name", `{"draw":0,"like":"scotland-premiership-split","carry":{"points":"halfDown"}}`,
			sport.Rules{
				Win: 3, Draw: 0, TieBreakers: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff, sport.ByGoalsFor, sport.BySeed},
				Carry: &sport.Carry{Points: sport.CarryHalfDown, Among: sport.CarryAll},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, c.want, rulesOf(t, c.rules)) })
	}
}

func TestEachRegulationIsOneThatADatasetCanFollow(t *testing.T) {
	for _, name := range regulations.Names() {
		if _, ok := likeRegulation(name); !ok {
			t.Errorf("the rules of %s cannot be read", name)
		}
		rulesOf(t, `{"like":"`+name+`"}`)
	}
}

func TestFaultsOfRules(t *testing.T) {
	const criteria = "points, goalDiff, goalsFor, won, awayGoals, awayWon, goalRatio, fairPlay, opponentsPoints, pointsPerMatch, halfPoint, parentRank, seed"
	testDefects(t, []defect{
		{"an unknown tie-breaker", "competitions", []string{child(`{"tieBreakers":["luck"]}`)}, 1, "rules.tieBreakers[0]", "must be one of " + criteria + `, name, headToHeadPoints, headToHeadGoalDiff, headToHeadGoalsFor, not "luck"`},
		{"a tie-breaker twice", "competitions", []string{child(`{"tieBreakers":["won","points","won"]}`)}, 1, "rules.tieBreakers[2]", `"won" is in the list already`},
		{"an older name twice in a block", "competitions", []string{child(`{"tieBreakers":["headToHeadPoints","headToHeadGoalDiff","headToHeadPoints"]}`)}, 1, "rules.tieBreakers[2]", `"headToHeadPoints" is in the list already`},
		{"head to head by name", "competitions", []string{child(`{"tieBreakers":[{"headToHead":["points","name"]}]}`)}, 1, "rules.tieBreakers[0].headToHead[1]", "must be one of " + criteria + `, not "name"`},
		{"head to head twice by points", "competitions", []string{child(`{"tieBreakers":[{"headToHead":["points","points"]}]}`)}, 1, "rules.tieBreakers[0].headToHead[1]", `"points" is in the list already`},
		{"head to head by nothing", "competitions", []string{child(`{"tieBreakers":[{"headToHead":[]}]}`)}, 1, "rules.tieBreakers[0].headToHead", "must not be empty"},
		{"no head to head", "competitions", []string{child(`{"tieBreakers":[{"again":true}]}`)}, 1, "rules.tieBreakers[0].headToHead", "is missing"},
		{"points beyond any rule", "competitions", []string{child(`{"shootoutWin":1001}`)}, 1, "rules.shootoutWin", "must be an integer from -1000 to 1000"},
		{"a quarter carried", "competitions", []string{child(`{"carry":{"points":"quarter"}}`)}, 1, "rules.carry.points", `must be one of full, halfDown, halfUp, none, not "quarter"`},
		{"carried among nobody", "competitions", []string{child(`{"carry":{"among":"qualifed"}}`)}, 1, "rules.carry.among", `must be one of all, qualified, not "qualifed"; did you mean qualified?`},
		{"carried from nowhere", "competitions", []string{competition(`"season":2001,"rules":{"carry":{}}`)}, 1, "rules.carry", "needs a parentId"},
		{"a place in no table", "competitions", []string{competition(`"season":2001,"rules":{"tieBreakers":["points","parentRank"]}`)}, 1, "rules.tieBreakers", "parentRank needs a parentId"},
		{"half points of nothing", "competitions", []string{child(`{"tieBreakers":["points",{"headToHead":["halfPoint"]}]}`)}, 1, "rules.tieBreakers", "halfPoint needs carry"},
		{"an unknown regulation", "competitions", []string{child(`{"like":"uefa-euro-2042-groups"}`)}, 1, "rules.like", `must be a name of the catalogue of regulations, not "uefa-euro-2042-groups"; did you mean uefa-euro-2024-groups?`},
		{"a regulation far from any", "competitions", []string{child(`{"like":"our own"}`)}, 1, "rules.like", `must be a name of the catalogue of regulations, not "our own"`},
	})
}

func TestFaultsOfGivenPointsAndTieWinners(t *testing.T) {
	const upcoming = "must be left out: the match is upcoming"
	testDefects(t, []defect{
		{"points of one side", "matches", []string{match(`"points":{"home":4}`)}, 1, "points.away", "is missing"},
		{"points beyond any rule", "matches", []string{match(`"points":{"home":4,"away":-1001}`)}, 1, "points.away", "must be an integer from -1000 to 1000"},
		{"a tie that nobody wins", "matches", []string{match(`"tieWinner":"draw"`)}, 1, "tieWinner", `must be one of home, away, not "draw"`},
		{"points before the match", "matches", []string{kickoff(`"kickoffAt":"2025-08-01T20:30:00Z","points":{"home":4,"away":1}`)}, 1, "points", upcoming},
		{"a winner of the tie before the match", "matches", []string{kickoff(`"kickoffAt":"2025-08-01T20:30:00Z","tieWinner":"home"`)}, 1, "tieWinner", upcoming},
	})
}
