package endpoints_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestListsAnswerWhatTheContractSays asks lists of small federations at random
// everything, and compares with the oracle.
func TestListsAnswerWhatTheContractSays(t *testing.T) {
	worlds, questions := 10, 500
	if testing.Short() {
		worlds = 4
	}
	answered := map[string]int{}
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint("world ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			m := randomModel(r)
			s := serve(t, m.dataset(t))
			for range questions {
				k := key{organization: pick(r, m.organizations...).ID, descendants: r.IntN(4) > 0}
				if r.IntN(2) == 0 {
					k.organization = "o0"
				}
				q := m.randomQuery(r, k)
				if compare(t, s, r, m, k, q) {
					answered[q.list]++
				}
			}
		})
	}
	for _, list := range lists {
		if answered[list] < worlds*questions/200 {
			t.Errorf("only %d answers about %s held anything: that shows little", answered[list], list)
		}
	}
	t.Log(answered)
}

var lists = []string{"associations", "clubs", "competitions", "teams", "players"}

// randomQuery has filters that are mostly in the scope.
func (m *model) randomQuery(r *rand.Rand, k key) listQuery {
	var near []string
	for id := range m.scope(k) {
		near = append(near, id)
	}
	slices.Sort(near)
	some := func() string {
		if r.IntN(20) == 0 {
			return pick(r, m.organizations...).ID
		}
		return pick(r, near...)
	}
	typed := func(t string) string {
		for range 30 {
			if id := some(); m.organization(id).Type == t {
				return id
			}
		}
		return some()
	}
	q := listQuery{
		list: pick(r, lists...), organization: some(), deep: r.IntN(3) > 0,
		sort: pick(r, "", "id", "-id", "name", "-name"),
	}
	maybe := func(of ...string) bool { return slices.Contains(of, q.list) && r.IntN(3) == 0 }
	if maybe("clubs", "competitions", "teams", "players") {
		q.association = typed("association")
	}
	if maybe("competitions", "teams", "players") {
		q.club = typed("club")
	}
	if maybe("teams", "players") {
		q.competition = pick(r, m.competitions...).ID
	}
	if maybe("competitions", "players") {
		q.team = pick(r, m.teams...).ID
	}
	if maybe("competitions", "teams", "players") {
		q.season = pick(r, 2023, 2024, 2025)
	}
	if maybe("competitions") {
		q.gender = pick(r, "men", "women")
	}
	if maybe(lists...) {
		q.status = pick(r, "active", "inactive")
		if q.list == "competitions" {
			q.status = pick(r, "active", "completed")
		}
	}
	return q
}

// compare asks one page of an answer and reports whether there was any item in
// all of it.
func compare(t *testing.T, s *service, r *rand.Rand, m *model, k key, q listQuery) bool {
	t.Helper()
	page, limit := 1, pick(r, 1, 2, 3, 25, 100)
	status := m.refusal(k, q)
	var all []string
	if status == 200 {
		all = m.answer(k, q, s.now)
		page = 1 + r.IntN(len(all)/limit+2)
	}
	target := targetOf(s, q, page, limit)
	gotStatus, body := s.ask(t, key{organization: string(s.id("o:" + k.organization)), descendants: k.descendants}, target)
	if gotStatus != status {
		t.Fatalf("%+v %+v: %d %s, want %d", k, q, gotStatus, body, status)
	}
	if status != 200 {
		return false
	}
	got, total := idsIn(t, body)
	want := all[min((page-1)*limit, len(all)):min(page*limit, len(all))]
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" || total != len(all) {
		t.Fatalf("%+v %+v page %d limit %d: total %d, want %d\n%s\n%s", k, q, page, limit, total, len(all), diff, target)
	}
	var envelope struct {
		Page, Limit int
		HasMore     bool
	}
	if err := json.Unmarshal([]byte(body), &envelope); err != nil {
		t.Fatal(err)
	}
	if envelope.Page != page || envelope.Limit != limit || envelope.HasMore != (page*limit < len(all)) {
		t.Fatalf("%+v: %s", q, body)
	}
	return len(all) > 0
}

func targetOf(s *service, q listQuery, page, limit int) string {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" && value != "0" && value != "false" {
			v.Set(name, value)
		}
	}
	id := func(letter, name string) string {
		if name == "" {
			return ""
		}
		return string(s.id(letter + ":" + name))
	}
	set("includeDescendants", fmt.Sprint(q.deep))
	set("associationId", id("o", q.association))
	set("clubId", id("o", q.club))
	set("competitionId", id("c", q.competition))
	set("teamId", id("t", q.team))
	set("season", fmt.Sprint(q.season))
	set("gender", q.gender)
	set("status", q.status)
	set("sort", q.sort)
	set("page", fmt.Sprint(page))
	set("limit", fmt.Sprint(limit))
	return fmt.Sprintf("/v1/organizations/%s/%s?%s", s.id("o:"+q.organization), q.list, v.Encode())
}
