package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/client"
	"touchline/shared/sport"
)

// hierarchy is a service whose organizations have some players each.
type hierarchy struct {
	associations, clubs map[sport.ID][]sport.ID // directly below
	players             map[sport.ID][]sport.ID // of the organization itself
	refusal             string                  // inside error
	most                int                     // number of organizations that a list may cover
}

func (h *hierarchy) below(o sport.ID) []sport.ID {
	all := []sport.ID{o}
	for _, child := range slices.Concat(h.associations[o], h.clubs[o]) {
		for _, b := range h.below(child) {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	return all
}

func (h *hierarchy) serve(_ int, w http.ResponseWriter, r *http.Request) {
	segments := strings.Split(r.URL.Path, "/")
	o, q := sport.ID(segments[3]), r.URL.Query()
	if q.Get("includeDescendants") == "" {
		respond(w, r, map[string]map[sport.ID][]sport.ID{
			"associations": h.associations, "clubs": h.clubs, "players": h.players,
		}[segments[4]][o])
		return
	}
	if a := q.Get("associationId"); a != "" {
		o = sport.ID(a)
	}
	span := h.below(o)
	if len(span) > h.most {
		refuse(w, 422, h.refusal)
		return
	}
	page, _ := strconv.Atoi(q.Get("page"))
	if page > 100 {
		refuse(w, 400, `"code":"badRequest","details":{"field":"page","limit":10000}`)
		return
	}
	var ids []sport.ID
	for _, o := range span {
		if segments[4] == "players" {
			ids = append(ids, h.players[o]...)
		} else {
			ids = append(ids, map[string]map[sport.ID][]sport.ID{"associations": h.associations, "clubs": h.clubs}[segments[4]][o]...)
		}
	}
	slices.Sort(ids)
	respond(w, r, slices.Compact(ids))
}

const (
	general     = `"code":"scopeTooLarge","message":"Scope too large","details":{"max":5000}`
	ofPlayers   = `"code":"scopeTooLarge","message":"Scope too large","details":{"max":50,"requiresOneOf":["clubId","associationId"]}`
	otherwise   = `"code":"scopeTooLarge","message":"Scope too large","details":{"max":50,"requiresOneOf":["clubId"]}`
	unexplained = `"code":"scopeTooLarge","message":"Scope too large"`
)

// country is a federation (1) with two associations (2, 3), of which one has
// another below it (4) that the other has too; a club each (12, 13, 14), one of
// both (15), one directly below the federation (11) with another below (16).
// Organization n has the players 100n to 100n+2.
func country(most int, refusal string) *hierarchy {
	h := &hierarchy{
		associations: map[sport.ID][]sport.ID{id(1): {id(2), id(3)}, id(2): {id(4)}, id(3): {id(4)}},
		clubs: map[sport.ID][]sport.ID{
			id(1): {id(11)}, id(2): {id(12), id(15)}, id(3): {id(13), id(15)}, id(4): {id(14)}, id(11): {id(16)},
		},
		players: map[sport.ID][]sport.ID{}, most: most, refusal: refusal,
	}
	for _, o := range h.below(id(1)) {
		n, _ := strconv.ParseInt(string(o), 16, 32)
		h.players[o] = numbers(int(n)*100, int(n)*100+2)
	}
	return h
}

func TestAListTooLargeIsReadInPartsWithoutRepeatsOrGaps(t *testing.T) {
	for _, c := range []struct {
		name    string
		most    int
		refusal string
	}{
		{"not too large", 10, general},
		{"by association", 5, ofPlayers},
		{"by the general bound", 5, general},
		{"associations too large themselves", 2, general},
		{"clubs with another below them too", 1, general},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := country(c.most, c.refusal)
			f := newFake(t, h.serve)
			var got, want []sport.ID
			for _, o := range h.below(id(1)) {
				want = append(want, h.players[o]...)
			}
			for p, err := range f.client().Federation(id(1)).Players(client.PlayersParams{IncludeDescendants: true, Sort: client.SortName}).All(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, p.ID)
			}
			slices.Sort(got)
			slices.Sort(want)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if repeated := repeats(f.sent()); len(repeated) > 0 {
				t.Errorf("sent more than once: %v", repeated)
			}
			for _, target := range f.sent() {
				if strings.Contains(target, "/players?") && !strings.Contains(target, "sort=name") {
					t.Errorf("the parameters are lost: %s", target)
				}
			}
		})
	}
}

func repeats(targets []string) []string {
	seen, repeated := map[string]bool{}, []string{}
	for _, target := range targets {
		if seen[target] {
			repeated = append(repeated, target)
		}
		seen[target] = true
	}
	return repeated
}

func TestOrganizationsTooManyAreReadInParts(t *testing.T) {
	h := country(5, general)
	f := newFake(t, h.serve)
	o := f.client().Organization(id(1))
	var got []sport.ID
	for _, list := range []client.List[client.Organization]{
		o.Associations(client.AssociationsParams{IncludeDescendants: true}),
		o.Clubs(client.ClubsParams{IncludeDescendants: true}),
	} {
		for x, err := range list.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, x.ID)
		}
	}
	// Not 16: a club below one that is directly below the federation.
	want := []sport.ID{id(2), id(3), id(4), id(11), id(12), id(14), id(15), id(13)}
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestARefusalThatNarrowingCannotAvoidIsFinal(t *testing.T) {
	for _, c := range []struct {
		name    string
		refusal string
		params  client.PlayersParams
		edit    func(*hierarchy)
	}{
		{name: "another filter is asked for", refusal: otherwise},
		{name: "no bound is given", refusal: unexplained},
		{name: "narrowed by an association already", refusal: general, params: client.PlayersParams{AssociationID: id(2)}},
		{name: "narrowed by a club already", refusal: general, params: client.PlayersParams{ClubID: id(11)}},
		{name: "there is nothing to narrow by", refusal: general, edit: func(h *hierarchy) { h.associations, h.clubs = nil, nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := country(0, c.refusal)
			if c.edit != nil {
				c.edit(h)
				h.players = nil
			}
			f := newFake(t, h.serve)
			c.params.IncludeDescendants = true
			for p, err := range f.client().Federation(id(1)).Players(c.params).All(t.Context()) {
				if !errors.Is(err, client.ScopeTooLarge) {
					t.Errorf("%v, %v", p.ID, err)
				}
			}
			if c.edit == nil && len(f.sent()) != 1 {
				t.Errorf("sent %v", f.sent())
			}
		})
	}
}

// If the data grows while it is read, the refusal comes in the middle.
func TestAListThatGrowsTooLargeIsReadOnInParts(t *testing.T) {
	h := country(10, general)
	h.players[id(12)] = numbers(5000, 5250)
	f := newFake(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 3 {
			h.most = 5
		}
		h.serve(n, w, r)
	})
	seen := map[sport.ID]int{}
	for p, err := range f.client().Federation(id(1)).Players(client.PlayersParams{IncludeDescendants: true}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		seen[p.ID]++
	}
	for _, o := range h.below(id(1)) {
		for _, p := range h.players[o] {
			if seen[p] != 1 {
				t.Errorf("%s appeared %d times", p, seen[p])
			}
		}
	}
}

// Pages end with the window of 10,000 entries.
func TestAListLongerThanTheWindowIsReadInParts(t *testing.T) {
	h := country(10, general)
	h.players[id(12)] = numbers(20_000, 29_000)
	h.players[id(13)] = numbers(40_000, 42_000)
	f := newFake(t, h.serve)
	n := 0
	for _, err := range f.client(f.direct).Federation(id(1)).Players(client.PlayersParams{IncludeDescendants: true}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if want := 9001 + 2001 + 8*3; n != want {
		t.Errorf("%d entries, want %d", n, want)
	}
}

func TestAPartThatFailsEndsTheList(t *testing.T) {
	for _, part := range []string{"/associations?", "/clubs?", "associationId=", "/" + string(id(11)) + "/players"} {
		h := country(5, general)
		f := newFake(t, func(n int, w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.RequestURI, part) {
				refuse(w, 403, `"code":"scopeMissing"`)
				return
			}
			h.serve(n, w, r)
		})
		var last error
		for _, err := range f.client().Federation(id(1)).Players(client.PlayersParams{IncludeDescendants: true}).All(t.Context()) {
			last = err
		}
		if !errors.Is(last, client.ScopeMissing) {
			t.Errorf("%s: %v", part, last)
		}
	}
}

// A service that has ever more associations below, or next to, each other must
// not be read forever.
func TestAnEndlessHierarchyIsAnError(t *testing.T) {
	for name, beside := range map[string]int{"below": 1, "beside": 1_000_000_000} {
		t.Run(name, func(t *testing.T) {
			made := 0
			f := newFake(t, func(_ int, w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.Contains(r.RequestURI, "/associations?"):
					made += 100
					page := r.URL.Query().Get("page")
					items := []map[string]any{}
					for n := range min(beside, 100) {
						items = append(items, map[string]any{"id": id(made + n)})
					}
					_ = json.NewEncoder(w).Encode(map[string]any{
						"data": items, "page": json.Number(page), "limit": 100, "total": beside, "hasMore": beside > 1,
					})
				case strings.Contains(r.RequestURI, "associationId") && beside > 1, !strings.Contains(r.RequestURI, "includeDescendants"):
					respond(w, r, nil)
				default:
					refuse(w, 422, general)
				}
			})
			var last error
			for _, err := range f.client(f.direct).Federation(id(1)).Players(client.PlayersParams{IncludeDescendants: true}).All(t.Context()) {
				last = err
			}
			if !errors.Is(last, client.ErrAnswer) {
				t.Errorf("%d requests, %v", len(f.sent()), last)
			}
		})
	}
}
