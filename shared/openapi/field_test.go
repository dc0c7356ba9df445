package openapi

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
)

// plain are the names of fields that say everything, so that the field needs no
// tag. A name that only does so in some type is listed with the type.
const plain = `
	against appearances assist assists available averages away awayWins bench biggestLoss biggestWin blockedShots captain cards
	cardsPerMatch cleanSheets club coach competition competitionId competitions completed confirmed corners coverage data description
	detail drawn draws events extraMinute failedToScore finished for formation fouls from gender goals goalsAgainst goalsByMinute
	goalsFor goalsPerMatch grid groupCount groups hasPlayoff hasPlayout highestScoring home homeWins id leaders lineups live lost match
	matchId matchIds matchStatistics matches meta minuteIn minuteOut minutes name offsides organizationId overall ownGoals passes
	passesCompleted penaltyGoals performance periods played player playerCount playerIn playerOut players playoffCompleted
	playoffFormat playoutCompleted playoutFormat postponed red redCards results round saves secondYellow secondYellowCards
	shortName shots shotsOffTarget shotsOnTarget side stage started starting starts status streak substitutedIn substitutedOut team
	teamId teams timezone to totals type upcoming value won yellow yellowCards
	Event.score Figures.penalties PlayerCards.total TeamCards.total`

// fieldTags are the tags of a field that annotate reads.
var fieldTags = []string{"doc", "format", "enum", "const", "signed", "min", "max", "items"}

func TestEveryFieldSaysWhatItIs(t *testing.T) {
	uses := map[string]int{}
	for name := range strings.FieldsSeq(plain) {
		uses[name] = 0
	}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] {
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			f := of.Field(i)
			walk(f.Type)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				continue
			}
			tagged := slices.ContainsFunc(fieldTags, func(tag string) bool { return f.Tag.Get(tag) != "" })
			if tagged {
				continue
			}
			inType := of.Name() + "." + name
			if _, is := uses[inType]; is {
				uses[inType]++
			} else if _, is := uses[name]; is {
				uses[name]++
			} else {
				t.Errorf("%s: no tag says what %q is: give the field a doc tag (go doc ./shared/endpoints/wire)", inType, name)
			}
		}
	}
	for o := range groups.Table(endpoints.Deps{}).All() {
		walk(o.ReplyType)
	}
	for name, n := range uses {
		if n == 0 {
			t.Errorf("no field without a tag is called %s: take it out of plain", name)
		}
	}
}
