package reader

import (
	"context"
	"slices"
	"time"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

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

// variant is the prepared part of a list that holds what the filter selects.
func (f CompetitionFilter) variant() records.Variant {
	switch f.Status {
	case CompetitionActive:
		return records.Open
	case CompetitionCompleted:
		return records.Completed
	}
	return records.All
}

// match selects by what is filtered through facets; nil: by nothing. An open
// competition is active until its end is past (D18).
func (f CompetitionFilter) match() func(records.Facet) bool {
	if f.Season == 0 && f.Gender == "" && f.Status == "" {
		return nil
	}
	return func(x records.Facet) bool {
		done := x.Status == string(records.Completed)
		expired := x.Ends != 0 && time.Unix(x.Ends, 0).Before(f.Now)
		return (f.Season == 0 || x.Season == f.Season) &&
			(f.Gender == "" || x.Gender == string(f.Gender)) &&
			(f.Status != CompetitionActive || !done && !expired) &&
			(f.Status != CompetitionCompleted || done)
	}
}

// Competitions returns a page of the current seasons of the competitions that
// the addressed organization, or with Descendants any below it, owns.
func (r *Reader) Competitions(ctx context.Context, v sport.Viewer, q OrganizationQuery, filter CompetitionFilter) (Page[records.Competition], error) {
	f := familyOf(records.Competitions, q, q.Club, filter.variant())
	var ahead []store.Key
	if q.Team == "" {
		ahead = guess(r, f, v, q, q.Association)
	}
	x, err := r.searchList(ctx, v, q, ahead...)
	if err != nil {
		return Page[records.Competition]{}, err
	}
	if x.team != nil {
		return x.competitionOfTeam(ctx, filter)
	}
	s := selection[records.Competition]{
		schema: records.CompetitionSchema(nil), list: listOf(x, f, x.association), match: filter.match(),
	}
	if x.club != nil && !q.Descendants && !x.organization.Leaf {
		s.where = func(c records.Competition) bool { return c.OrganizationID == x.organization.ID }
	}
	return readPage(ctx, x, s)
}

// competitionOfTeam is the one competition that a team is entered in, if it is
// current and all other filters hold for it.
func (x *search) competitionOfTeam(ctx context.Context, filter CompetitionFilter) (Page[records.Competition], error) {
	none := Page[records.Competition]{}
	size := x.extent()
	c, err := x.competitionEntered(ctx, size.heads())
	if err != nil {
		return none, err
	}
	queries := size.queries()
	fits := c != nil && x.fits(c, filter)
	var ofClub *pagedlist.Reading[records.Competition]
	if fits && x.club != nil && !x.isOf(x.club, c) {
		ofClub = enteredBy(x.club, c)
		queries = append(queries, ofClub)
	}
	if err := x.readWithin(ctx, size, queries); err != nil {
		return none, err
	}
	if !fits || ofClub != nil && ofClub.Total == 0 {
		return none, nil
	}
	return Page[records.Competition]{Entries: slice([]records.Competition{c.Competition}, x.query.Offset, x.query.Limit), Total: 1}, nil
}

// competitionEntered is the current season of the competition that the team is
// entered in; nil where it has none that may be named. The items at extra are read
// in the same round trip.
func (x *search) competitionEntered(ctx context.Context, extra []store.Key) (*records.CompetitionRecord, error) {
	if x.team.CompetitionID == "" {
		return nil, x.fetch(ctx, extra...)
	}
	key := records.CompetitionKey(x.team.CompetitionID, records.CurrentTag)
	if err := x.fetch(ctx, append(extra, key)...); err != nil {
		return nil, err
	}
	return record[records.CompetitionRecord](x.snapshot, key)
}

// fits reports whether the current season of the team's competition is the one
// that the team is entered in, and is what the other filters but clubId ask for.
func (x *search) fits(c *records.CompetitionRecord, filter CompetitionFilter) bool {
	if c.Hidden || c.Season != x.team.Season {
		return false
	}
	if !x.query.Descendants && c.OrganizationID != x.organization.ID {
		return false
	}
	for _, o := range []*records.OrganizationRecord{x.organization, x.association} {
		if o != nil && !slices.Contains(c.Reach, o.ID) {
			return false
		}
	}
	match := filter.match()
	return match == nil || match(records.CompetitionFacet(c.Competition))
}

// enteredBy counts whether a competition is among those that a club takes part
// in.
func enteredBy(club *records.OrganizationRecord, c *records.CompetitionRecord) *pagedlist.Reading[records.Competition] {
	byID := records.CompetitionSchema(func(c records.Competition) []byte { return records.IDKey(c.ID) })
	from := records.IDKey(c.ID)
	return listed(records.Competitions.Entered(club.ID, records.RangeOf(c.OrganizationID), records.ByID), byID,
		pagedlist.Request[records.Competition]{From: from, To: append(slices.Clone(from), 0)})
}

// isOf reports whether a club, or one below it, owns the competition or the
// team, which is entered in it.
func (x *search) isOf(club *records.OrganizationRecord, c *records.CompetitionRecord) bool {
	return slices.Contains(c.Reach, club.ID) || slices.Contains(x.team.OwnerReach, club.ID)
}
