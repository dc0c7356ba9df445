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
	appearances assist assists available averages away bench biggestLoss biggestWin captain cards club coach competition
	competitionId competitions completed confirmed coverage data description detail events formation gender goals
	goalsByMinute grid groups hasPlayoff hasPlayout highestScoring home id leaders lineups match matchId matchIds
	matchStatistics meta name organizationId overall performance periods player playerIn playerOut playoffCompleted
	playoffFormat playoutCompleted playoutFormat results shortName side stage started starting status streak team teamId
	teams timezone totals type Event.score`

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
			if isFigure(f.Type) && f.Tag.Get("doc") == "" && figures[name] == "" {
				t.Errorf("%s.%s: no sentence says what the figure is: give it one (figures.go)", of.Name(), name)
			} else if isFigure(f.Type) {
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

// isFigure reports whether a field is a number, or one that may be null.
func isFigure(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Int || t.Kind() == reflect.Float64
}
