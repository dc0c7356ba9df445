package reader

import (
	"context"
	"math"
	"slices"
	"time"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// An organization's lists go in the steps of D1:
//
//   - search.go finds who is addressed, and what the list is filtered by (404);
//   - each list here chooses the prepared list that holds the page (prepared.go);
//   - readPage reads the page, and counts over how many organizations that ranges (422).
//
// Most requests have a list of their own in the Sports table, and nearly always the
// request alone tells which. So a page takes two round trips: the first reads the
// records and the head of the list, the second the page.

// OrganizationQuery says which organization is addressed and what of it is
// wanted. Filters only narrow, each by itself, and all of them hold for every
// item (read-api, Endpoint rules 5; D21). Ids are as sent, empty where not sent.
type OrganizationQuery struct {
	ID          string
	Type        sport.OrganizationType // the one that ID must have; empty: any
	Descendants bool                   // includeDescendants

	Association, Club, Competition, Team string

	ByName, Reverse bool // the order of a list, else by id, ascending (D15)
	Offset, Limit   int
}

func (q *OrganizationQuery) order() records.Order {
	if q.ByName {
		return records.ByName
	}
	return records.ByID
}

// Organization returns an organization. One below the key's own needs
// Descendants (D20).
func (r *Reader) Organization(ctx context.Context, v sport.Viewer, q OrganizationQuery) (*records.Organization, error) {
	x := r.single(ctx, v, q)
	return &x.organization.Organization, x.err
}

func (r *Reader) single(ctx context.Context, v sport.Viewer, q OrganizationQuery, heads ...store.Key) *search {
	x := r.search(ctx, v, q, heads...)
	if x.organization.ID != v.Organization && !q.Descendants {
		x.fail(problem.Missed(problem.MissingID))
	}
	return x
}

// Tree is an organization and what is below it, breadth first and in name order.
type Tree struct {
	Root      *records.Organization
	Below     []records.TreeNode
	Truncated bool // cut to the nodes that come first (D23, D48)
}

// Tree returns up to depth levels below an organization, of nodes in all, the
// root included. The list of a tree is breadth first, so that its beginning holds
// the nodes nearest the root, and of each level those that come first (D23).
func (r *Reader) Tree(ctx context.Context, v sport.Viewer, q OrganizationQuery, depth, nodes int) (Tree, error) {
	x := r.single(ctx, v, q, headOf(records.TreeList(sport.ID(q.ID))))
	t := Tree{Root: &x.organization.Organization}
	if !v.Descendants {
		return t, x.err // the scope ends with the key's own organization (D20)
	}
	below := listed(records.TreeList(x.organization.ID), records.TreeSchema(), pagedlist.Request[records.TreeNode]{
		Limit: nodes - 1, Match: records.ByFacet(func(f records.Facet) bool { return f.Level <= depth }),
	})
	x.read(ctx, below)
	t.Below, t.Truncated = below.Entries, below.Total > nodes-1
	t.cut(records.MaxResponse)
	return t, x.err
}

// cut keeps the nodes that come first, as many as fit into a response.
func (t *Tree) cut(bytes int) {
	n := t.Root.ResponseBytes()
	for i := range t.Below {
		if n += t.Below[i].ResponseBytes(); n > bytes {
			t.Below, t.Truncated = t.Below[:i], true
			return
		}
	}
}

// Organizations returns a page of the organizations of a type, children of the
// addressed one or everything below it; status empty: any.
func (r *Reader) Organizations(ctx context.Context, v sport.Viewer, q OrganizationQuery, t sport.OrganizationType, status sport.Status) (Page[records.Organization], error) {
	order := q.order()
	f := family[records.Organization]{
		direct: func(id sport.ID) records.List[records.Organization] { return records.ChildrenList(t, id, order) },
		below: func(above sport.ID) records.List[records.Organization] {
			return records.OrganizationsBelow(t, above, order)
		},
	}
	x := r.search(ctx, v, q, guess(f, v, q, q.Association)...)
	s := selection[records.Organization]{schema: records.OrganizationSchema(nil), match: matchSeason(0, status)}
	itself := func(o records.Organization) sport.ID { return o.ID }
	switch {
	case !v.Descendants: // D20: on no list
	case q.Descendants || x.association == nil || isWithin(x.organization, x.association):
		s.list = listOf(x, f, x.association)
		s.where = ownedBelow(ctx, x, itself, x.association)
	default:
		s.list = f.direct(x.organization.ID)
		below := x.below(ctx, overlap{x.association})
		s.where = func(o records.Organization) bool { return below[o.ID] }
	}
	return readPage(ctx, x, s)
}

// CompetitionStatus is the status filter of competitions (D18).
type CompetitionStatus string

// The values of the filter.
const (
	CompetitionActive    CompetitionStatus = "active"
	CompetitionCompleted CompetitionStatus = "completed"
)

// CompetitionFilter selects from a list of competitions.
type CompetitionFilter struct {
	Season int               // 0: any
	Gender sport.Gender      // empty: any
	Status CompetitionStatus // empty: any
	Now    time.Time         // of the request: an active competition has not ended by then
}

// match selects by what is filtered through facets; nil: by nothing. An open
// competition is active until its end is past (D18).
func (f CompetitionFilter) match() func(records.Facet) bool {
	if f.Season == 0 && f.Gender == "" && f.Status == "" {
		return nil
	}
	return func(x records.Facet) bool {
		done := x.Status == records.Completed
		expired := x.Ends != 0 && time.Unix(x.Ends, 0).Before(f.Now)
		return (f.Season == 0 || x.Season == f.Season) &&
			(f.Gender == "" || x.Gender == string(f.Gender)) &&
			(f.Status != CompetitionActive || !done && !expired) &&
			(f.Status != CompetitionCompleted || done)
	}
}

// Competitions returns a page of the current seasons of the competitions that
// the addressed organization, or with Descendants any below it, owns. That of a team,
// one at most, is looked up in the list by id.
func (r *Reader) Competitions(ctx context.Context, v sport.Viewer, q OrganizationQuery, filter CompetitionFilter) (Page[records.Competition], error) {
	q.ByName = q.ByName && q.Team == ""
	f := familyOf(records.Competitions, q, q.Club)
	x := r.search(ctx, v, q, guess(f, v, q, q.Association)...)
	s := selection[records.Competition]{
		schema: records.CompetitionSchema(func(c records.Competition) []byte { return records.IDKey(c.ID) }),
		list:   listOf(x, f, x.association), match: filter.match(),
	}
	ofOthers := x.club != nil && !q.Descendants && !x.organization.Leaf // are on the list as well
	owned := ownedBelow(ctx, x, func(c records.Competition) sport.ID { return c.OrganizationID }, x.association)
	s.where = func(c records.Competition) bool {
		return (!ofOthers || c.OrganizationID == x.organization.ID) && (x.team == nil || c.Season == x.team.Season) && (owned == nil || owned(c))
	}
	switch {
	case x.team != nil && x.team.CompetitionID == "": // none that may be named
		s.list = ""
	case x.team != nil:
		s.from = records.IDKey(x.team.CompetitionID)
		s.to = append(slices.Clone(s.from), 0)
	case !ofOthers:
		s.where = owned
	}
	return readPage(ctx, x, s)
}

// Teams returns a page of the team entries that the addressed organization, or
// with Descendants any below it, owns; season 0 and status empty: any.
func (r *Reader) Teams(ctx context.Context, v sport.Viewer, q OrganizationQuery, season int, status sport.Status) (Page[records.TeamEntry], error) {
	f := familyOf(records.Teams, q, q.Competition)
	f.direct = func(id sport.ID) records.List[records.TeamEntry] { return records.Teams.Of(id, q.order()) }
	x := r.search(ctx, v, q, guess(f, v, q, q.Association, q.Club)...)
	s := selection[records.TeamEntry]{
		schema: records.TeamSchema(nil), list: listOf(x, f, x.association, x.club), match: matchSeason(season, status),
		where: ownedBelow(ctx, x, func(t records.TeamEntry) sport.ID { return t.OrganizationID }, x.association, x.club),
	}
	if x.competition != nil && !q.Descendants {
		s.where = func(t records.TeamEntry) bool { return t.CompetitionID == x.competition.ID }
	}
	return readPage(ctx, x, s)
}

// matchSeason selects by the season that the competition of a team or player is in (D17),
// and by status; nil: by nothing.
func matchSeason(season int, status sport.Status) func(records.Facet) bool {
	if season == 0 && status == "" {
		return nil
	}
	return func(f records.Facet) bool {
		return (season == 0 || f.Season == season) && (status == "" || f.Status == string(status))
	}
}

// Players returns a page of the players of the teams that the addressed
// organization, or with Descendants any below it, owns; season 0 and status
// empty: any.
func (r *Reader) Players(ctx context.Context, v sport.Viewer, q OrganizationQuery, season int, status sport.Status) (Page[records.PlayerEntry], error) {
	f := familyOf(records.Players, q, q.Competition)
	x := r.search(ctx, v, q, guessPlayers(f, v, q)...)
	x.unnarrowed = q.Association == "" && q.Club == "" && q.Competition == "" && q.Team == ""
	s := selection[records.PlayerEntry]{schema: records.PlayerSchema(nil), match: matchSeason(season, status)}
	switch {
	case x.team != nil:
		s.list, s.where = x.playersOfTeam()
	case x.competition != nil && !q.Descendants && !x.organization.Leaf:
		if own := x.teams(ctx, ownTeams(x.organization.ID), nil); len(own) > 0 {
			s.list = listOf(x, f, x.association, x.club)
			s.where = func(p records.PlayerEntry) bool { return own[p.Team.ID] }
		}
	default:
		s.list = listOf(x, f, x.association, x.club)
		s.where = x.playersBelow(ctx)
	}
	return readPage(ctx, x, s)
}

// playersBelow selects the players of teams that ownedBelow selects.
func (x *search) playersBelow(ctx context.Context) func(records.PlayerEntry) bool {
	owned := ownedBelow(ctx, x, func(t records.TeamEntry) sport.ID { return t.OrganizationID }, x.association, x.club)
	if owned == nil {
		return nil
	}
	f := familyOf(records.Teams, OrganizationQuery{}, "")
	of := x.teams(ctx, listOf(x, f, x.association, x.club), owned)
	return func(p records.PlayerEntry) bool { return of[p.Team.ID] }
}

func guessPlayers(f family[records.PlayerEntry], v sport.Viewer, q OrganizationQuery) []store.Key {
	if q.Team != "" {
		return []store.Key{headOf(records.PlayersOfTeam(sport.ID(q.Team), q.order()))}
	}
	heads := guess(f, v, q, q.Association, q.Club)
	if q.Competition != "" && !q.Descendants {
		heads = append(heads, headOf(ownTeams(sport.ID(q.ID))))
	}
	return heads
}

// ownTeams is the list of the teams that an organization itself owns.
func ownTeams(organization sport.ID) records.List[records.TeamEntry] {
	return records.Teams.Of(organization, records.ByID)
}

// teams are those on a list that where selects; nil: all of them.
func (x *search) teams(ctx context.Context, list records.List[records.TeamEntry], where func(records.TeamEntry) bool) map[sport.ID]bool {
	teams := listed(list, records.TeamSchema(nil), pagedlist.Request[records.TeamEntry]{Where: where, Limit: math.MaxInt})
	x.read(ctx, teams)
	on := make(map[sport.ID]bool, len(teams.Entries))
	for i := range teams.Entries {
		on[teams.Entries[i].ID] = true
	}
	return on
}

// playersOfTeam is the list of a team's players, empty where the team does not
// belong to the addressed organization or to what other filters name. A player
// belongs to a competition that the team is not entered in by its line-ups.
func (x *search) playersOfTeam() (list records.List[records.PlayerEntry], where func(records.PlayerEntry) bool) {
	t := x.team
	if !x.query.Descendants && t.Owner != x.organization.ID {
		return "", nil
	}
	for _, o := range []*records.OrganizationRecord{x.organization, x.association, x.club} {
		if o != nil && !slices.Contains(t.OwnerReach, o.ID) {
			return "", nil
		}
	}
	if x.competition == nil || t.Competition == x.competition.ID {
		return records.PlayersOfTeam(t.ID, x.query.order()), nil
	}
	return records.Players.Entered(x.competition.ID, t.Owner, x.query.order()),
		func(p records.PlayerEntry) bool { return p.Team.ID == t.ID }
}
