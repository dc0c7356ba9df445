package store_test

import (
	"reflect"
	"strings"
	"testing"

	"touchline/shared/store"
)

// Of two fields with one attribute name attributevalue stores one, and says
// nothing. Embedding makes that easy to overlook.
func TestNoTwoFieldsOfARecordShareAnAttribute(t *testing.T) {
	for _, record := range []any{
		store.OrganizationRecord{}, store.TreeNode{}, store.CompetitionRecord{}, store.SeasonRecord{}, store.TeamRecord{}, store.TeamEntry{},
		store.PlayerRecord{}, store.PlayerEntry{}, store.MatchRecord{}, store.MatchEntry{}, store.DetailRecord{},
		store.TableRecord{}, store.GivenTableRecord{}, store.LineupsRecord{}, store.LineupPlayer{}, store.MatchEvent{},
		store.FiguresRecord{}, store.FixturesRecord{}, store.PlayerSeasonRecord{}, store.PlayerGuest{}, store.PlayerCompetition{}, store.TeamSeasonRecord{}, store.TeamGuest{},
		store.TeamCompetition{}, store.GroupsRecord{}, store.CompetitionStatisticsRecord{}, store.ScorerEntry{},
		store.CardEntry{}, store.PerformanceEntry{}, store.ContributionEntry{}, store.LineupEntry{}, store.TableEntry{},
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
