package records_test

import (
	"reflect"
	"strings"
	"testing"

	"touchline/shared/store/records"
)

// Of two fields with one attribute name attributevalue stores one, and says
// nothing. Embedding makes that easy to overlook.
func TestNoTwoFieldsOfARecordShareAnAttribute(t *testing.T) {
	for _, record := range []any{
		records.OrganizationRecord{}, records.TreeNode{}, records.CompetitionRecord{}, records.SeasonRecord{}, records.TeamRecord{}, records.TeamEntry{},
		records.PlayerRecord{}, records.PlayerEntry{}, records.MatchRecord{}, records.MatchEntry{}, records.DetailRecord{},
		records.TableRecord{}, records.GivenTableRecord{}, records.LineupsRecord{}, records.LineupPlayer{}, records.MatchEvent{},
		records.FiguresRecord{}, records.SeasonsRecord[records.PlayerSeason]{}, records.GroupsRecord{}, records.CompetitionStatisticsRecord{}, records.ScorerEntry{},
		records.CardEntry{}, records.PerformanceEntry{}, records.ContributionEntry{}, records.LineupEntry{}, records.TableEntry{},
	} {
		of := reflect.TypeOf(record)
		t.Run(of.Name(), func(t *testing.T) {
			names := map[string]string{}
			attributes(t, of, names)
		})
	}
}

func attributes(t *testing.T, of reflect.Type, names map[string]string) {
	t.Helper()
	for i := range of.NumField() {
		f := of.Field(i)
		tag, tagged := f.Tag.Lookup("dynamodbav")
		if f.Anonymous && !tagged {
			attributes(t, f.Type, names)
			continue
		}
		name, _, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		if other, taken := names[name]; taken {
			t.Errorf("%s and %s are both stored as %q", other, f.Name, name)
		}
		names[name] = f.Name
	}
}
