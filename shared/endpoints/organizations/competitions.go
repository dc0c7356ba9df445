package organizations

import (
	"context"
	"slices"
	"time"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// competitions is /v1/{alias}/{id}/competitions.
func (e Endpoints) competitions(ctx context.Context, call route.Call, p competitionsParams) (route.List[wire.ListedCompetition], error) {
	f := p.family()
	var guesses []guess
	if p.TeamID == "" {
		guesses = e.guess(f, call, p.listParams, p.AssociationID)
	}
	by := filters{association: p.AssociationID, club: p.ClubID, team: p.TeamID}
	q, err := e.askList(ctx, call, by, p.IncludeDescendants, guesses...)
	if err != nil {
		return route.List[wire.ListedCompetition]{}, err
	}
	page, total, err := q.competitions(ctx, f, p)
	if err != nil {
		return route.List[wire.ListedCompetition]{}, err
	}
	items := make([]wire.ListedCompetition, 0, len(page))
	for i := range page {
		items = append(items, wire.ListedCompetitionOf(&page[i]))
	}
	return route.NewList(items, p.Paging, total), nil
}

// family is of the competitions owned, or of those of them that a club takes
// part in.
func (p competitionsParams) family() family {
	if p.ClubID != "" {
		return entered(func(r records.Range) string {
			return records.CompetitionsEntered(sport.ID(p.ClubID), r, orderOf(p.Sort))
		})
	}
	variant := records.All
	switch p.Status {
	case active:
		variant = records.Open
	case completed:
		variant = records.Completed
	}
	return owned(records.CompetitionsOf, records.CompetitionsBelow, p.Sort, variant)
}

func (q *question) competitions(ctx context.Context, f family, p competitionsParams) ([]records.Competition, int, error) {
	if q.team != nil {
		return q.competitionOfTeam(ctx, p)
	}
	s := selection[records.Competition]{list: q.list(f, q.association), match: p.match(q.call.Now)}
	if q.club != nil && !q.deep && !q.organization.Leaf {
		s.where = func(c records.Competition) bool { return c.OrganizationID == q.organization.ID }
	}
	return readPage(ctx, q, records.CompetitionKind(nil), s, p.listParams)
}

// match selects by what is filtered through facets; nil: by nothing. An open
// competition is active until its end is past (D18).
func (p competitionsParams) match(now time.Time) func(pagedlist.Facet) bool {
	season := p.Season.Season
	if season == 0 && p.Gender == "" && p.Status == "" {
		return nil
	}
	return func(f pagedlist.Facet) bool {
		done := f.Status == string(records.Completed)
		expired := f.Ends != 0 && time.Unix(f.Ends, 0).Before(now)
		return (season == 0 || f.Season == season) &&
			(p.Gender == "" || f.Gender == string(p.Gender)) &&
			(p.Status != active || !done && !expired) &&
			(p.Status != completed || done)
	}
}

// competitionOfTeam is the one competition that a team is entered in, if it is
// current and all other filters hold for it.
func (q *question) competitionOfTeam(ctx context.Context, p competitionsParams) ([]records.Competition, int, error) {
	size := q.extent()
	c, err := q.competitionEntered(ctx, size.heads())
	if err != nil {
		return nil, 0, err
	}
	queries := size.queries()
	fits := c != nil && q.fits(c, p)
	var ofClub *records.Page[records.Competition]
	if fits && q.club != nil && !q.isOf(q.club, c) {
		ofClub = enteredBy(q.club, c)
		queries = append(queries, ofClub)
	}
	if err := q.readWithin(ctx, size, queries); err != nil {
		return nil, 0, err
	}
	if !fits || ofClub != nil && ofClub.Total == 0 {
		return nil, 0, nil
	}
	if p.Offset() > 0 {
		return nil, 1, nil
	}
	return []records.Competition{c.Competition}, 1, nil
}

// competitionEntered is the current season of the competition that the team is
// entered in; nil where it has none that may be named. What is asked for with it
// comes in the same round trip.
func (q *question) competitionEntered(ctx context.Context, with []store.Key) (*records.CompetitionRecord, error) {
	if q.team.CompetitionID == "" {
		return nil, q.snap.Fetch(ctx, with...)
	}
	key := records.CompetitionKey(q.team.CompetitionID, records.CurrentTag)
	if err := q.snap.Fetch(ctx, append(with, key)...); err != nil {
		return nil, err
	}
	return records.Record[records.CompetitionRecord](q.snap, key)
}

// fits reports whether the current season of the team's competition is the one
// that the team is entered in, and is what the other filters but clubId ask for.
func (q *question) fits(c *records.CompetitionRecord, p competitionsParams) bool {
	if c.Hidden || c.Season != q.team.Season {
		return false
	}
	if !q.deep && c.OrganizationID != q.organization.ID {
		return false
	}
	for _, o := range []*records.OrganizationRecord{q.organization, q.association} {
		if o != nil && !slices.Contains(c.Reach, o.ID) {
			return false
		}
	}
	match := p.match(q.call.Now)
	return match == nil || match(records.CompetitionKind(nil).Facet(c.Competition))
}

// enteredBy counts whether a competition is among those that a club takes part
// in.
func enteredBy(club *records.OrganizationRecord, c *records.CompetitionRecord) *records.Page[records.Competition] {
	byID := records.CompetitionKind(func(c records.Competition) []byte { return records.IDKey(c.ID) })
	from := records.IDKey(c.ID)
	return &records.Page[records.Competition]{Kind: byID, Request: pagedlist.Request[records.Competition]{
		List: records.CompetitionsEntered(club.ID, records.RangeOf(c.OrganizationID), records.ByID),
		From: from, To: append(slices.Clone(from), 0),
	}}
}

// isOf reports whether a club, or one below it, owns the competition or the
// team, which is entered in it.
func (q *question) isOf(club *records.OrganizationRecord, c *records.CompetitionRecord) bool {
	return slices.Contains(c.Reach, club.ID) || slices.Contains(q.team.OwnerReach, club.ID)
}
