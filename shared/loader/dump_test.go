package loader_test

import (
	"context"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// difference says how got is not want, "" where it is. It asks the quick way first:
// nearly all tables are equal, and cmp.Diff takes a hundred times as long to say so.
func difference(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// dump is all that a Sports table says: every item that is not part of a list,
// and the entries of every list in order. How a list is cut into chunks depends
// on its history and says nothing.
func (s *sports) dump(t testing.TB) map[string]any {
	t.Helper()
	said := map[string]any{}
	lists := map[string]bool{}
	pages := dynamodb.NewScanPaginator(s.client, &dynamodb.ScanInput{TableName: aws.String(s.table.Name), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			key := store.KeyOf(item)
			if strings.HasPrefix(key.SK, records.JournalPrefix) {
				continue // a part without a head is nothing, and the next load's to sweep
			}
			if key.PK == records.JournalPK && (strings.HasPrefix(key.SK, "load#") || strings.HasPrefix(key.SK, "undo#")) {
				continue // what loads there were
			}
			if id, ok := pagedlist.ListIn(key.PK); ok {
				lists[id] = true
				continue
			}
			if key == records.LockKey() {
				if store.FreeLease(item); item["payload"] == nil {
					continue // who loaded last says nothing
				}
			}
			var values map[string]any
			if err := attributevalue.UnmarshalMap(item, &values); err != nil {
				t.Fatal(err)
			}
			if key == records.VersionKey() {
				layouts, _ := values["s"].(map[string]any)
				for _, layout := range layouts { // which loads there were, and when
					for _, name := range []string{"n", "l", "e"} {
						delete(layout.(map[string]any), name)
					}
				}
			}
			said[key.PK+" "+key.SK] = values
		}
	}
	for id := range lists {
		if base := records.WholeOf(id); base != "" {
			if !lists[base] {
				t.Errorf("there is a list %s of a part of nothing", id)
			}
			continue
		}
		names := []string{id}
		if records.HasParts(id) { // whether they have lists depends on the history, too
			for _, part := range parts {
				names = append(names, id+part)
			}
		}
		for _, name := range names {
			if entries := s.entries(t, name); len(entries) > 0 {
				said["list "+name] = entries
			}
		}
	}
	return said
}

// parts are those of all lists.
var parts = []string{
	string(records.Open), string(records.Completed), string(sport.Active), string(sport.Inactive),
	string(sport.Upcoming), string(sport.Live), string(sport.Finished), string(sport.Postponed),
}

// entries are a list's, hidden ones marked, whatever its kind.
func (s *sports) entries(t testing.TB, id string) []string {
	t.Helper()
	switch kind, _, _ := strings.Cut(id, "."); kind {
	case "od", "ob", "oc":
		return all(t, s, records.OrganizationSchema(nil), id)
	case "tree":
		return all(t, s, records.TreeSchema(), id)
	case "co", "cb", "ce":
		return all(t, s, records.CompetitionSchema(nil), id)
	case "to", "tb", "te", "kt":
		return all(t, s, records.TeamSchema(nil), id)
	case "po", "pb", "pe", "pt", "kp", "sq":
		return all(t, s, records.PlayerSchema(nil), id)
	case "km", "tm":
		return all(t, s, records.MatchSchema(), id)
	case "xl":
		return all(t, s, records.LineupSchema(), id)
	case "ct":
		return all(t, s, records.ClubEntrySchema(), id)
	case "pm":
		return all(t, s, records.PerformanceSchema(), id)
	case "xb", "xf":
		return all(t, s, records.ContributionSchema(), id)
	case "ks":
		return all(t, s, records.ScorerSchema(nil), id)
	case "kd":
		return all(t, s, records.CardSchema(nil), id)
	case "xr":
		return all(t, s, records.TableSchema(), id)
	case "on", "x", "xo", "xk", "xt", "xc":
		if id == string(records.EveryTable) {
			return all(t, s, records.TableSchema(), id)
		}
		return all(t, s, records.IDSchema(), id)
	}
	t.Fatalf("list %s is of no known kind", id)
	return nil
}

func all[T any](t testing.TB, s *sports, schema pagedlist.Schema[T], id string) []string {
	t.Helper()
	get := func(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
		return s.table.BatchGet(ctx, keys, true)
	}
	found, err := pagedlist.All(t.Context(), get, schema, pagedlist.Request[T]{List: id, Base: records.WholeOf(id), WithHidden: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, len(found))
	for i, e := range found {
		values, err := attributevalue.MarshalMap(e)
		if err != nil {
			t.Fatal(err)
		}
		var plain map[string]any
		if err := attributevalue.UnmarshalMap(values, &plain); err != nil {
			t.Fatal(err)
		}
		fields := make([]string, 0, len(plain))
		for k, v := range plain {
			fields = append(fields, fmt.Sprintf("%s=%v", k, v))
		}
		sort.Strings(fields)
		lines[i] = strings.Join(fields, " ")
	}
	return lines
}
