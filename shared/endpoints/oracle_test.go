package endpoints_test

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"touchline/shared/sport"
)

// What the contract says of organization lists, read word by word over a model:
// slow, and without a thought of how the answer is stored.

// listQuery is a question to an organization list; empty: not sent.
type listQuery struct {
	list         string // associations, clubs, competitions, teams, players
	organization string
	deep         bool

	association, club, competition, team string

	season         int
	gender, status string
	sort           string
}

// set is a set of organizations.
type set map[string]bool

func (s set) and(other set) set {
	both := set{}
	for id := range s {
		if other[id] {
			both[id] = true
		}
	}
	return both
}

// below is an organization and everything below it over public organizations,
// by primary and additional parents (D19).
func (m *model) below(id string) set {
	found := set{id: true}
	for grown := true; grown; {
		grown = false
		for _, o := range m.organizations {
			if found[o.ID] || o.Visibility != "public" {
				continue
			}
			if slices.ContainsFunc(o.parents(), func(p string) bool { return found[p] }) {
				found[o.ID], grown = true, true
			}
		}
	}
	return found
}

func (o organization) parents() []string { return append([]string{o.Parent}, o.Additional...) }

// scope is D19 and D20.
func (m *model) scope(k key) set {
	if !k.descendants {
		return set{k.organization: true}
	}
	return m.below(k.organization)
}

// seen reports whether an organization is public, and so are those on some way up from it
// (D68).
func (m *model) seen(id string) bool {
	o := m.organization(id)
	if o == nil || o.Visibility != "public" {
		return false
	}
	return o.Parent == "" && o.Additional == nil || slices.ContainsFunc(o.parents(), m.seen)
}

// competitionShown reports whether any federation sees a season of a competition.
func (m *model) competitionShown(c *competition) bool {
	return c != nil && c.Visibility == "public" && m.seen(c.Organization)
}

// teamShown is the same of a team.
func (m *model) teamShown(t team) bool {
	return t.Visibility == "public" && (m.seen(t.Organization) || m.competitionShown(m.season(t.Competition, t.Season)))
}

// playerShown is the same of a player; those of children are hidden (D75).
func (m *model) playerShown(p player) bool {
	t := m.team(p.Team)
	return p.Visibility == "public" && m.teamShown(*t) && !m.hidesPlayers(t.Competition, t.Season)
}

func (m *model) hidesPlayers(competition string, season int) bool {
	c := m.season(competition, season)
	return c != nil && c.Rules.HidePlayers
}

// refusal is the status that a question is refused with, or 200.
func (m *model) refusal(k key, q listQuery) int {
	if q.deep && !k.descendants {
		return 403
	}
	scope := m.scope(k)
	typed := func(id, t string) bool {
		return id == "" || scope[id] && m.organization(id).Type == t
	}
	if !scope[q.organization] || !typed(q.association, "association") || !typed(q.club, "club") {
		return 404
	}
	if q.competition != "" {
		if c := m.current(q.competition); !m.competitionShown(c) || !scope[c.Organization] {
			return 404
		}
	}
	if q.team != "" && !m.teamInScope(q.team, scope) {
		return 404
	}
	return 200
}

// teamInScope is D24.
func (m *model) teamInScope(id string, scope set) bool {
	t := m.team(id)
	if t == nil || !m.teamShown(*t) {
		return false
	}
	c := m.season(t.Competition, t.Season)
	return scope[t.Organization] || m.competitionShown(c) && scope[c.Organization]
}

// answer is the ids of all pages, in order.
func (m *model) answer(k key, q listQuery, now time.Time) []string {
	if q.list == "associations" || q.list == "clubs" {
		return m.answerChildren(k, q)
	}
	// D21: everything below and its own, or its own; filters by organization
	// mean it and everything below.
	owners := set{q.organization: true}
	if q.deep {
		owners = m.below(q.organization)
	}
	if q.association != "" {
		owners = owners.and(m.below(q.association))
	}
	var items []item
	switch q.list {
	case "competitions":
		for _, c := range m.competitions {
			if owners[c.Organization] && m.keepsCompetition(q, c, now) {
				items = append(items, item{sport.KindCompetition, c.ID, c.Name})
			}
		}
	case "teams":
		owners = m.narrow(owners, q.club)
		for _, t := range m.teams {
			if owners[t.Organization] && m.listed(t) && q.keeps(m.listedSeason(t), t.Status) && (q.competition == "" || t.Competition == q.competition) {
				items = append(items, item{sport.KindTeam, t.ID, t.Name})
			}
		}
	case "players":
		owners = m.narrow(owners, q.club)
		for _, p := range m.players {
			t := m.team(p.Team)
			if owners[t.Organization] && m.listed(*t) && m.playerShown(p) && q.keeps(m.listedSeason(*t), p.Status) &&
				(q.team == "" || t.ID == q.team) && (q.competition == "" || m.plays(p, m.current(q.competition))) {
				items = append(items, item{sport.KindPlayer, p.ID, p.Name})
			}
		}
	}
	return sorted(items, q.sort)
}

func (m *model) narrow(owners set, club string) set {
	if club == "" {
		return owners
	}
	return owners.and(m.below(club))
}

func (m *model) answerChildren(k key, q listQuery) []string {
	within := set{}
	for _, o := range m.organizations {
		if slices.Contains(o.parents(), q.organization) {
			within[o.ID] = true
		}
	}
	if q.deep {
		within = m.below(q.organization)
	}
	if q.association != "" {
		within = within.and(m.below(q.association))
	}
	var items []item
	for _, o := range m.organizations {
		if k.descendants && within[o.ID] && o.ID != q.organization && o.Visibility == "public" &&
			o.Type == strings.TrimSuffix(q.list, "s") && (q.status == "" || o.Status == q.status) {
			items = append(items, item{sport.KindOrganization, o.ID, o.Name})
		}
	}
	return sorted(items, q.sort)
}

func (m *model) keepsCompetition(q listQuery, c competition, now time.Time) bool {
	over := c.Completed
	if end, err := time.Parse(time.RFC3339, c.EndsAt); err == nil {
		over = over || end.Before(now)
	}
	if !c.Current || !m.competitionShown(&c) ||
		q.season != 0 && c.Season != q.season || q.gender != "" && c.Gender != q.gender ||
		q.status == "active" && over || q.status == "completed" && !c.Completed {
		return false
	}
	entered := func(by func(team) bool) bool {
		return slices.ContainsFunc(m.teams, func(t team) bool {
			return t.Competition == c.ID && t.Season == c.Season && m.teamShown(t) && by(t)
		})
	}
	if q.team != "" && !entered(func(t team) bool { return t.ID == q.team }) {
		return false
	}
	if q.club == "" {
		return true
	}
	club := m.below(q.club)
	return club[c.Organization] || entered(func(t team) bool { return club[t.Organization] })
}

// listed is D37 and D38.
func (m *model) listed(t team) bool {
	return m.teamShown(t) && (t.Competition == "" || m.season(t.Competition, t.Season).Current)
}

// listedSeason is the season that D17 selects by: of the competition, where
// there is one that is to be named (D40); 0: none.
func (m *model) listedSeason(t team) int {
	if c := m.season(t.Competition, t.Season); m.competitionShown(c) {
		return c.Season
	}
	return 0
}

func (q listQuery) keeps(season int, status string) bool {
	return (q.season == 0 || season == q.season) && (q.status == "" || status == q.status)
}

// plays reports whether a player is on the list of a season of a competition: its team is
// entered, or a match names it (dataset.md).
func (m *model) plays(p player, c *competition) bool {
	if c.Rules.HidePlayers {
		return false
	}
	if t := m.team(p.Team); t.Competition == c.ID && t.Season == c.Season {
		return true
	}
	return slices.ContainsFunc(m.matches, func(x match) bool {
		return x.Competition == c.ID && x.Season == c.Season && m.shown(x) &&
			(x.Lineups != nil && x.Lineups.Confirmed && x.Lineups.Home.Starting[0].Player == p.ID ||
				slices.ContainsFunc(x.Events, func(e happening) bool { return e.Player == p.ID }))
	})
}

type item struct {
	kind     sport.Kind
	id, name string
}

// sorted is D15.
func sorted(items []item, by string) []string {
	collator, buffer := collate.New(language.Und), new(collate.Buffer)
	slices.SortFunc(items, func(a, b item) int {
		order := cmp.Compare(sport.IDFor(a.kind, a.id), sport.IDFor(b.kind, b.id))
		if strings.HasSuffix(by, "name") {
			x := bytes.Clone(collator.KeyFromString(buffer, a.name))
			y := bytes.Clone(collator.KeyFromString(buffer, b.name))
			order = cmp.Or(bytes.Compare(x, y), order)
		}
		return order
	})
	if strings.HasPrefix(by, "-") {
		slices.Reverse(items)
	}
	ids := []string{}
	for _, i := range items {
		ids = append(ids, string(sport.IDFor(i.kind, i.id)))
	}
	return ids
}
