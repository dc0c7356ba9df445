package openapi

import (
	"encoding/json"
	"reflect"

	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

const (
	// idPattern is an id (D13).
	idPattern = "^[0-9a-f]{24}$"
	// periodPattern is a period of a match, of any sport (D61).
	periodPattern = "^(firstHalf|secondHalf|extraTimeFirst|extraTimeSecond|penaltyShootout|(period|overtime)([1-9]|1[0-9]|20))$"
	// instantPattern is a point in time in a response (D32).
	instantPattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`
)

// known is the schema of a type whose values reflection cannot find; nil for any
// other.
func known(t reflect.Type) *Schema {
	switch t {
	case reflect.TypeFor[sport.ID]():
		return &Schema{Type: typeString, Pattern: idPattern}
	case reflect.TypeFor[json.Number]():
		return &Schema{Type: typeInteger}
	case reflect.TypeFor[sport.Position]():
		return &Schema{Type: typeString}
	case reflect.TypeFor[sport.Period]():
		return &Schema{Type: typeString, Pattern: periodPattern}
	case reflect.TypeFor[wire.Instant]():
		return &Schema{Type: typeString, Format: "date-time", Pattern: instantPattern}
	}
	if values := valueSets()[t]; values != nil {
		return stringIn(values...)
	}
	return nil
}

// valueSets are the values of the string types in responses (decisions.md, Value
// sets).
func valueSets() map[reflect.Type][]string {
	sets := make(map[reflect.Type][]string)
	setOf(sets, keys.AllScopes()...)
	setOf(sets, sport.OrganizationTypes()...)
	setOf(sets, sport.Statuses()...)
	setOf(sets, sport.CompetitionTypes()...)
	setOf(sets, sport.Stages()...)
	setOf(sets, sport.Formats()...)
	setOf(sets, sport.Genders()...)
	setOf(sets, sport.MatchStatuses()...)
	setOf(sets, sport.Winners()...)
	setOf(sets, sport.Sides()...)
	setOf(sets, sport.EventTypes()...)
	setOf(sets, sport.EventDetails()...)
	return sets
}

func setOf[S ~string](sets map[reflect.Type][]string, values ...S) {
	t := reflect.TypeFor[S]()
	for _, v := range values {
		sets[t] = append(sets[t], string(v))
	}
}
