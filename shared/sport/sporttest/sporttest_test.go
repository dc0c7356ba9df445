package sporttest_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"touchline/shared/sport"
	"touchline/shared/sport/sporttest"
)

func TestEveryFieldHasAValue(t *testing.T) {
	for _, entity := range []any{
		sporttest.Organization(), sporttest.Competition(), sporttest.Team(), sporttest.Player(),
		sporttest.Match(), sporttest.GivenTable(),
	} {
		for _, field := range zeros(entity) {
			t.Errorf("%s has no value here: tests cannot follow it", field)
		}
	}
}

func TestZerosAreFoundAtAnyDepth(t *testing.T) {
	m := sporttest.Match()
	m.Leg = 0
	m.Lineups.Home.Starting[0].Grid = ""
	m.Statistics.Periods[0].Away.Fouls = nil
	m.Events = append(m.Events, sport.Event{})
	want := []string{
		"Match.Leg", "Match.Lineups.Home.Starting[0].Grid", "Match.Events[1]", "Match.Statistics.Periods[0].Away.Fouls",
	}
	if got := zeros(m); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// zeros names the fields of v, at any depth, that are zero or empty.
func zeros(v any) []string { return zerosAt(reflect.TypeOf(v).Name(), reflect.ValueOf(v)) }

func zerosAt(path string, v reflect.Value) []string {
	if v.IsZero() {
		return []string{path}
	}
	var found []string
	switch {
	case v.Kind() == reflect.Pointer:
		if v.Elem().Kind() != reflect.Struct {
			return nil // what it points to may be zero: it says so
		}
		return zerosAt(path, v.Elem())
	case v.Kind() == reflect.Slice:
		if v.Len() == 0 {
			return []string{path}
		}
		for i := range v.Len() {
			found = append(found, zerosAt(fmt.Sprintf("%s[%d]", path, i), v.Index(i))...)
		}
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			found = append(found, zerosAt(path+"."+v.Type().Field(i).Name, v.Field(i))...)
		}
	}
	return found
}
