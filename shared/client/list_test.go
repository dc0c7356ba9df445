package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/client"
	"touchline/shared/sport"
)

func id(n int) sport.ID { return sport.ID(fmt.Sprintf("%024x", n)) }

// respond writes a page of ids.
func respond(w http.ResponseWriter, r *http.Request, ids []sport.ID) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	items := []map[string]any{}
	for _, id := range ids[min(len(ids), (page-1)*limit):min(len(ids), page*limit)] {
		items = append(items, map[string]any{"id": id})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"data": items, "page": page, "limit": limit, "total": len(ids), "hasMore": page*limit < len(ids),
	})
}

func numbers(from, to int) []sport.ID {
	var ids []sport.ID
	for n := from; n <= to; n++ {
		ids = append(ids, id(n))
	}
	return ids
}

func TestAllReadsUntilThereIsNoMore(t *testing.T) {
	for _, total := range []int{0, 1, 100, 101, 250} {
		t.Run(fmt.Sprint(total), func(t *testing.T) {
			f := newFake(t, func(_ int, w http.ResponseWriter, r *http.Request) { respond(w, r, numbers(1, total)) })
			var got []sport.ID
			for match, err := range f.client().Tournament(id(7)).Matches(client.MatchesParams{Status: sport.Live}).All(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, match.ID)
			}
			if d := cmp.Diff(numbers(1, total), got); d != "" {
				t.Error(d)
			}
			if want := max(1, (total+99)/100); len(f.sent()) != want {
				t.Errorf("%d requests, want %d", len(f.sent()), want)
			}
			if want := "/v1/tournaments/" + string(id(7)) + "/matches?status=live&page=1&limit=100"; f.sent()[0] != want {
				t.Errorf("sent %s, want %s", f.sent()[0], want)
			}
		})
	}
}

func TestAllStopsWhenNoMoreIsWanted(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, r *http.Request) { respond(w, r, numbers(1, 1000)) })
	n := 0
	for _, err := range f.client().Team(id(7)).Players().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 150 {
			break
		}
	}
	if len(f.sent()) != 2 {
		t.Errorf("%d requests", len(f.sent()))
	}
}

func TestAnEntryThatMovesToTheNextPageAppearsOnce(t *testing.T) {
	f := newFake(t, func(n int, w http.ResponseWriter, r *http.Request) {
		respond(w, r, numbers(4-3*min(n, 2)+3, 250)) // after the first page, three come before all others
	})
	seen := map[sport.ID]int{}
	for player, err := range f.client().Team(id(7)).Players().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		seen[player.ID]++
	}
	for n := 4; n <= 250; n++ {
		if seen[id(n)] != 1 {
			t.Errorf("entry %d appeared %d times", n, seen[id(n)])
		}
	}
}

func TestAPlayerMayHaveARowOfEachTeam(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		row := `{"rank":1,"player":{"id":"` + string(id(1)) + `"},"team":{"id":"%s"}}`
		_, _ = fmt.Fprintf(w, `{"data":[`+row+`,`+row+`],"page":1,"limit":100,"total":2,"hasMore":false}`, id(2), id(3))
	})
	n := 0
	for _, err := range f.client().Tournament(id(7)).TopScorers(client.TopScorersParams{}).All(t.Context()) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 2 {
		t.Errorf("%d rows", n)
	}
}

func TestAllEndsWithTheFirstError(t *testing.T) {
	item := `{"id":"` + string(id(1)) + `"}`
	for _, c := range []struct {
		name   string
		second string // page
		want   error
		items  int
	}{
		{"a refusal", "", client.NotFound, 1},
		{"an empty page that has more", `{"data":[],"page":2,"limit":100,"total":900,"hasMore":true}`, client.ErrAnswer, 1},
		{"the first page again", `{"data":[` + item + `],"page":1,"limit":100,"total":900,"hasMore":true}`, client.ErrAnswer, 1},
		{"another limit", `{"data":[` + item + `],"page":2,"limit":25,"total":900,"hasMore":true}`, client.ErrAnswer, 1},
		{"more than the limit", `{"data":[` + strings.Repeat(item+",", 100) + item + `],"page":2,"limit":100,"total":900,"hasMore":true}`, client.ErrAnswer, 1},
		{"no data", `{"page":2,"limit":100,"total":900,"hasMore":true}`, client.ErrAnswer, 1},
		{"an item without an id", `{"data":[{}],"page":2,"limit":100,"total":900,"hasMore":true}`, client.ErrAnswer, 1},
		{"not an id", `{"data":[{"id":"../x"}],"page":2,"limit":100,"total":900,"hasMore":true}`, client.ErrAnswer, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, func(n int, w http.ResponseWriter, _ *http.Request) {
				switch {
				case n == 1:
					_, _ = fmt.Fprintf(w, `{"data":[%s],"page":1,"limit":100,"total":900,"hasMore":true}`, item)
				case c.second == "":
					refuse(w, 404, `"code":"notFound"`)
				default:
					_, _ = fmt.Fprint(w, c.second)
				}
			})
			items, ended := 0, false
			for _, err := range f.client().Team(id(7)).Players().All(t.Context()) {
				switch {
				case ended:
					t.Fatal("it goes on after an error")
				case err == nil:
					items++
				case !errors.Is(err, c.want):
					t.Fatalf("%v, want %v", err, c.want)
				}
				ended = err != nil
			}
			if items != c.items || !ended {
				t.Errorf("%d items, ended with an error: %v", items, ended)
			}
		})
	}
}

func TestAPageShowsWhatIsBesideItsItems(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"data":[],"page":1,"limit":25,"total":0,"hasMore":false,"competition":{"name":"Liga"},"meta":{"kind":"club","truncated":true,"competitionsIncluded":20}}`)
	})
	page, err := f.client().Team(id(7)).Matches(client.MatchesParams{}).Page(t.Context(), 0, 0)
	if err != nil || page.Competition.Name != "Liga" || !cmp.Equal(page.Meta, &client.Meta{Kind: "club", Truncated: true, CompetitionsIncluded: 20}) {
		t.Errorf("%+v, %v", page, err)
	}
	if strings.Contains(f.sent()[0], "?") {
		t.Errorf("sent %s", f.sent()[0])
	}
}
