package client

import (
	"context"
	"encoding/hex"
	"fmt"

	"touchline/shared/sport"
)

// associationFilter is the filter by which a list that is too large is narrowed.
const associationFilter = "associationId"

// breadth is which organizations a list covers, and how it can be narrowed. The
// zero value is for lists below tournaments, teams and players.
type breadth struct {
	organization sport.ID // in the path
	association  sport.ID // associationId; empty: not sent
	deep         bool     // includeDescendants
	tail         string   // end of the path: teams, players and so on
	filtered     bool     // the route takes associationId
	owned        bool     // clubs have items of their own
	narrowed     bool     // by the caller
}

func (b breadth) query() query {
	return query("").text(associationFilter, string(b.association)).flag("includeDescendants", b.deep)
}

func (b breadth) narrowable() bool { return b.deep && !b.narrowed }

// at is the list of what belongs to the organization itself or, if deep, to any
// below it.
func (l List[T]) at(organization sport.ID, deep bool) List[T] {
	l.path = organizationPath("organizations", organization) + "/" + l.breadth.tail
	l.breadth.deep, l.breadth.association = deep, ""
	return l
}

// within is the list narrowed to an association.
func (l List[T]) within(association sport.ID) List[T] {
	if !l.breadth.filtered {
		return l.at(association, true)
	}
	l.breadth.association = association
	return l
}

// walk reads a list, in parts if necessary.
type walk[T any] struct {
	list    List[T] // as the caller wants it
	yield   func(T, error) bool
	seen    seen
	entered map[sport.ID]bool // organizations whose parts are being read, or were
	depth   int               // of the organization being split, below the one in list
}

// No real hierarchy exceeds these bounds: a service that makes up an endless one
// must not keep the caller busy forever.
const (
	maxDepth = 16
	maxParts = 10_000
)

// read yields the items of a part: everything of the organization or below it.
// It splits the part if that is too large and can be narrowed. It reports
// whether the caller wants more.
func (w *walk[T]) read(ctx context.Context, part List[T], organization sport.ID) bool {
	narrowable := w.list.breadth.narrowable() && part.breadth.deep
	for number := 1; ; number++ {
		page, err := part.Page(ctx, number, maxLimit)
		if narrowable && (tooLarge(err) || page.Total > window) {
			return w.split(ctx, organization, err)
		}
		if err != nil {
			return w.fail(err)
		}
		w.seen.turn()
		for i := range page.Data {
			isNew, err := w.seen.add(w.list.id(&page.Data[i]))
			if err != nil {
				return w.fail(err)
			}
			if isNew && !w.yield(page.Data[i], nil) {
				return false
			}
		}
		if !page.HasMore {
			return true
		}
	}
}

// split reads a list in parts: what belongs to the organization itself, then
// what belongs to each association and each club directly below it. If there are
// none, it returns the refusal.
func (w *walk[T]) split(ctx context.Context, organization sport.ID, refused error) bool {
	if w.entered[organization] {
		return true
	}
	w.entered[organization] = true
	if w.depth++; w.depth > maxDepth {
		return w.fail(fmt.Errorf("%w: an endless hierarchy", ErrAnswer))
	}
	defer func() { w.depth-- }()
	if !w.read(ctx, w.list.at(organization, false), organization) {
		return false
	}
	return w.parts(ctx, organization, refused)
}

// parts reads what is below the associations and clubs directly below an
// organization.
func (w *walk[T]) parts(ctx context.Context, organization sport.ID, refused error) bool {
	parts := 0
	below := w.list.client.Organization(organization)
	for association, err := range below.Associations(AssociationsParams{}).All(ctx) {
		if err != nil {
			return w.fail(err)
		}
		parts++
		if !w.part(ctx, w.list.within(association.ID), association.ID) {
			return false
		}
	}
	if w.list.breadth.owned {
		for club, err := range below.Clubs(ClubsParams{}).All(ctx) {
			if err != nil {
				return w.fail(err)
			}
			parts++
			if !w.part(ctx, w.list.at(club.ID, true), club.ID) {
				return false
			}
		}
	}
	if parts == 0 && refused != nil {
		return w.fail(refused)
	}
	return true
}

// part reads a part, unless it was read before.
func (w *walk[T]) part(ctx context.Context, part List[T], organization sport.ID) bool {
	if w.entered[organization] {
		return true
	}
	if len(w.entered) >= maxParts {
		return w.fail(fmt.Errorf("%w: an endless list of organizations", ErrAnswer))
	}
	more := w.read(ctx, part, organization)
	w.entered[organization] = true
	return more
}

func (w *walk[T]) fail(err error) bool {
	var none T
	w.yield(none, err)
	return false
}

// identity is what identifies an item of a list: its id, or two.
type identity [2]sport.ID

// mark is an identity as it is stored.
type mark [len(identity{})][sport.IDLength / 2]byte

// mark returns false if an id is malformed.
func (i identity) mark() (mark, bool) {
	var m mark
	for n, id := range i {
		if n > 0 && id == "" {
			break
		}
		if !sport.IsID(string(id)) {
			return mark{}, false
		}
		_, _ = hex.Decode(m[n][:], []byte(id)) // an id is hex
	}
	return m, true
}

// maxSeen is how many items of a list in parts are remembered.
const maxSeen = 1 << 20

// seen is the items that were yielded: all of them, or those on this page and
// the one before.
type seen struct {
	keep         bool // all
	now, earlier map[mark]bool
}

// turn begins a page.
func (s *seen) turn() {
	if !s.keep || s.now == nil {
		s.earlier, s.now = s.now, map[mark]bool{}
	}
}

// add remembers an item and reports whether it is new. A malformed id is an
// ErrAnswer.
func (s *seen) add(id identity) (bool, error) {
	m, ok := id.mark()
	switch {
	case !ok:
		return false, fmt.Errorf("%w: an item with the id %q", ErrAnswer, printable(fmt.Sprint(id[0], id[1])))
	case s.now[m] || s.earlier[m]:
		return false, nil
	case len(s.now) >= maxSeen:
		return false, fmt.Errorf("client: more than %d items: request parts of the list", maxSeen)
	}
	s.now[m] = true
	return true, nil
}
