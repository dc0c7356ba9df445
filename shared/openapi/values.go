package openapi

import (
	"reflect"
	"time"

	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

const (
	// idPattern is an id (D13).
	idPattern = "^[0-9a-f]{24}$"
	// instantPattern is a point in time in an answer (D32).
	instantPattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`
	// boundPattern is a point in time in a query (D14, D35).
	boundPattern = `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])` +
		`(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$`
)

// known is the schema of a type whose values Go's reflection does not show, and
// nil for every other.
func known(t reflect.Type) *schema {
	switch t {
	case reflect.TypeFor[sport.ID]():
		return &schema{Type: typeString, Pattern: idPattern}
	case reflect.TypeFor[wire.Instant]():
		return &schema{Type: typeString, Format: "date-time", Pattern: instantPattern}
	case reflect.TypeFor[time.Time]():
		return &schema{Type: typeString, Format: "date-time"}
	}
	if values := valueSets()[t]; values != nil {
		return stringIn(values...)
	}
	return nil
}

// valueSets are the values of the string types in answers (decisions.md, Value
// sets).
func valueSets() map[reflect.Type][]string {
	sets := make(map[reflect.Type][]string)
	setOf(sets, keys.AllScopes()...)
	setOf(sets, sport.Federation, sport.Association, sport.Club)
	setOf(sets, sport.Active, sport.Inactive)
	setOf(sets, sport.League, sport.Cup, sport.Tournament)
	setOf(sets, sport.Regular, sport.Playoff, sport.Playout)
	setOf(sets, sport.FormatLeague, sport.FormatKnockout)
	setOf(sets, sport.Men, sport.Women)
	setOf(sets, sport.Upcoming, sport.Live, sport.Finished, sport.Postponed)
	setOf(sets, sport.WinnerHome, sport.WinnerAway, sport.WinnerDraw, sport.WinnerNone)
	setOf(sets, sport.Goalkeeper, sport.Defender, sport.Midfielder, sport.Forward)
	setOf(sets, sport.SideHome, sport.SideAway)
	setOf(sets, sport.FirstHalf, sport.SecondHalf, sport.ExtraTimeFirst, sport.ExtraTimeSecond, sport.PenaltyShootout)
	setOf(sets, sport.EventGoal, sport.EventCard, sport.EventSubstitution,
		sport.EventMissedPenalty, sport.EventShootoutPenalty, sport.EventPeriod)
	setOf(sets, sport.GoalRegular, sport.GoalPenalty, sport.GoalOwn, sport.CardYellow, sport.CardSecondYellow, sport.CardRed,
		sport.PenaltyMissed, sport.PenaltySaved, sport.PenaltyScored, sport.PeriodStart, sport.PeriodEnd)
	return sets
}

func setOf[S ~string](sets map[reflect.Type][]string, values ...S) {
	t := reflect.TypeFor[S]()
	for _, v := range values {
		sets[t] = append(sets[t], string(v))
	}
}
