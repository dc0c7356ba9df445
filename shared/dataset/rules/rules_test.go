package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/regulations"
	"touchline/shared/sport"
)

// read reads rules, and gives what is wrong with them by field.
func read(t *testing.T, text string) (sport.Rules, []string) {
	t.Helper()
	var faults []string
	report := func(f jsonl.Fault) { faults = append(faults, f.Field+": "+f.Message) }
	l := jsonl.New(ids.NewTable(), report, report)
	l.Start([]byte(text), jsonl.Origin{})
	r := Value.Read(l)
	l.End()
	return r.Rules, faults
}

// rulesOf reads rules that have no faults.
func rulesOf(t *testing.T, text string) sport.Rules {
	t.Helper()
	r, faults := read(t, text)
	faults = slices.DeleteFunc(faults, func(f string) bool { return strings.Contains(f, "unless it is meant") })
	if len(faults) > 0 {
		t.Fatalf("%s: %q", text, faults)
	}
	return r
}

func ptr[T any](v T) *T { return &v }

// What stands beside the name of a regulation and says something else is told, with both.
func TestAValueBesideARegulationIsToldOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"like":"handball-bundesliga","win":3}`:                                    `["win: is 3, but handball-bundesliga has 2: leave it out, unless it is meant"]`,
		`{"win":2,"draw":1,"like":"handball-bundesliga","carry":{"points":"full"}}`: `[]`,
		`{"win":3}`: `[]`,
	} {
		if _, said := read(t, text); fmt.Sprintf("%q", said) != want {
			t.Errorf("%s: %q, want %s", text, said, want)
		}
	}
}

func TestRulesAreRead(t *testing.T) {
	criteria := func(list ...sport.TieBreaker) sport.Rules {
		r := Default()
		r.TieBreakers = list
		return r
	}
	carry := func(c sport.Carry) sport.Rules {
		r := Default()
		r.Carry = &c
		return r
	}
	tied := func(t sport.TieRules) sport.Rules {
		r := Default()
		r.Ties = &t
		return r
	}
	for _, c := range []struct {
		name  string
		rules string
		want  sport.Rules
	}{
		{"none", `{}`, Default()},
		{
			"ice hockey: three points, two after extra time", `{"extraTimeWin":2,"extraTimeLoss":1,"shootoutWin":2,"shootoutLoss":0}`,
			sport.Rules{
				Win: 3, Draw: 1, ExtraTimeWin: ptr(2), ExtraTimeLoss: ptr(1), ShootoutWin: ptr(2), ShootoutLoss: ptr(0),
				TieBreakers: sport.DefaultTieBreakers(),
			},
		},
		{
			"volleyball and rugby: points by margin", `{"margins":[{"by":1,"win":2,"loss":1},{"by":7,"loss":0}]}`,
			sport.Rules{
				Win: 3, Draw: 1, Margins: []sport.Margin{{By: 1, Win: ptr(2), Loss: ptr(1)}, {By: 7, Loss: ptr(0)}},
				TieBreakers: sport.DefaultTieBreakers(),
			},
		},
		{
			"what a shoot-out and a forfeit give besides", `{"shootoutGoal":true,"forfeit":{"goals":20,"setPoints":75,"win":2,"loss":0}}`,
			sport.Rules{
				Win: 3, Draw: 1, ShootoutGoal: true, Forfeit: &sport.Forfeit{Goals: 20, SetPoints: 75, Win: ptr(2), Loss: ptr(0)},
				TieBreakers: sport.DefaultTieBreakers(),
			},
		},
		{"a forfeit of nothing", `{"forfeit":{"goals":0}}`, Default()},
		{"a series", `{"ties":{"bestOf":7}}`, tied(sport.TieRules{BestOf: 7})},
		{"goals away", `{"ties":{"awayGoals":true}}`, tied(sport.TieRules{AwayGoals: true})},
		{"ties as ever", `{"ties":{"awayGoals":false}}`, Default()},
		{
			"head to head that waits", `{"tieBreakers":["points",{"headToHead":["points"],"once":"allPlayed"}]}`,
			criteria(sport.ByPoints, sport.HeadToHead(sport.Block{AllPlayed: true, Criteria: []sport.TieBreaker{sport.ByPoints}})),
		},
		{"conferences", `{"acrossGroups":true}`, sport.Rules{Win: 3, Draw: 1, TieBreakers: sport.DefaultTieBreakers(), AcrossGroups: true}},
		{
			"every criterion",
			`{"tieBreakers":["points","goalDiff","goalsFor","won","awayGoals","awayWon","goalRatio","fairPlay","opponentsPoints","opponentsGoalDiff","opponentsGoalsFor","sonnebornBerger","setPointsRatio","setPointsDiff","groupPointsPerMatch","pointsPerMatch","halfPoint","parentRank","seed","name"],"carry":{}}`,
			sport.Rules{Win: 3, Draw: 1, TieBreakers: append(sport.TableCriteria(), sport.ByName), Carry: ptr(DefaultCarry())},
		},
		{
			"blocks of head to head, of which one is there again",
			`{"tieBreakers":["points",{"headToHead":["points","goalDiff"]},"goalDiff",{"headToHead":["points","goalDiff"]},{"headToHead":["goalsFor"],"again":false}]}`,
			criteria(sport.ByPoints, sport.HeadToHead(sport.Block{Criteria: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff}}), sport.ByGoalDiff,
				sport.HeadToHead(sport.Block{Criteria: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff}}), sport.HeadToHead(sport.Block{Once: true, Criteria: []sport.TieBreaker{sport.ByGoalsFor}})),
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
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, rulesOf(t, c.rules)); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEachRegulationIsOneThatADatasetCanFollow(t *testing.T) {
	for _, name := range regulations.Names() {
		if _, ok := Like(name); !ok {
			t.Errorf("the rules of %s cannot be read", name)
		}
		rulesOf(t, `{"like":"`+name+`"}`)
	}
}

func TestFaultsOfRules(t *testing.T) {
	const criteria = "points, goalDiff, goalsFor, won, awayGoals, awayWon, goalRatio, fairPlay, opponentsPoints, opponentsGoalDiff, opponentsGoalsFor, sonnebornBerger, setPointsRatio, setPointsDiff, groupPointsPerMatch, pointsPerMatch, halfPoint, parentRank, seed"
	for _, c := range []struct{ name, rules, field, message string }{
		{"an unknown tie-breaker", `{"tieBreakers":["luck"]}`, "tieBreakers[0]", "must be one of " + criteria + `, name, headToHeadPoints, headToHeadGoalDiff, headToHeadGoalsFor, not "luck"`},
		{"a tie-breaker twice", `{"tieBreakers":["won","points","won"]}`, "tieBreakers[2]", `"won" is in the list already`},
		{"an older name twice in a block", `{"tieBreakers":["headToHeadPoints","headToHeadGoalDiff","headToHeadPoints"]}`, "tieBreakers[2]", `"headToHeadPoints" is in the list already`},
		{"head to head by name", `{"tieBreakers":[{"headToHead":["points","name"]}]}`, "tieBreakers[0].headToHead[1]", "must be one of " + criteria + `, not "name"`},
		{"head to head twice by points", `{"tieBreakers":[{"headToHead":["points","points"]}]}`, "tieBreakers[0].headToHead[1]", `"points" is in the list already`},
		{"head to head by nothing", `{"tieBreakers":[{"headToHead":[]}]}`, "tieBreakers[0].headToHead", "must not be empty"},
		{"no head to head", `{"tieBreakers":[{"again":true}]}`, "tieBreakers[0].headToHead", "is missing"},
		{"points beyond any rule", `{"shootoutWin":1001}`, "shootoutWin", "must be an integer from -1000 to 1000, not 1001"},
		{"more goals than a score has", `{"forfeit":{"goals":1000}}`, "forfeit.goals", "must be an integer from 0 to 999, not 1000"},
		{"an even series", `{"ties":{"bestOf":4}}`, "ties.bestOf", "must be odd"},
		{"a series of one", `{"ties":{"bestOf":1}}`, "ties.bestOf", "must be an integer from 3 to 15, not 1"},
		{"waiting for something else", `{"tieBreakers":[{"headToHead":["points"],"once":"met"}]}`, "tieBreakers[0].once", `must be one of allPlayed, not "met"`},
		{"a quarter carried", `{"carry":{"points":"quarter"}}`, "carry.points", `must be one of full, halfDown, halfUp, none, not "quarter"`},
		{"carried among nobody", `{"carry":{"among":"qualifed"}}`, "carry.among", `must be one of all, qualified, not "qualifed"; did you mean qualified?`},
		{"an unknown regulation", `{"like":"uefa-euro-2042-groups"}`, "like", `must be a name of the catalogue of regulations, not "uefa-euro-2042-groups"; did you mean uefa-euro-2024-groups?`},
		{"a regulation far from any", `{"like":"our own"}`, "like", `must be a name of the catalogue of regulations, not "our own"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, faults := read(t, c.rules)
			if diff := cmp.Diff([]string{c.field + ": " + c.message}, faults); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}
