// Package results reads the matches of a season, hidden ones among them, and makes patches
// of the results that a form of them came back with.
//
// A patch has the fields that the person has changed, so that two people who enter results
// of one round do not undo each other's work. The caller loads the patches: what a loader
// checks of a record is not checked here. Here is found what a loader cannot know, since
// the form says more than a record does: where the points depend on how a match was
// decided, a score alone is not taken.
//
// Matches are named by the operator's own key where one is known.
package results

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// ErrNotFound is the error of a record that the table does not hold.
var ErrNotFound = errors.New("there is no such record")

// Book reads a table.
type Book struct {
	Table *store.Table
}

// matches reads matches.
func (b Book) matches(ctx context.Context, ids []sport.ID) (*world.World, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: b.Table, World: w}
	fetch.Matches(ctx, ids)
	return w, fetch.Err()
}

// Season is a season of a competition with its matches, hidden ones among them.
type Season struct {
	Competition *world.Competition
	Zone        *time.Location
	Rounds      []int                // that it has, ascending
	Current     int                  // the round whose matches are nearest in time
	Matches     []records.MatchEntry // by kick-off
	// Decides: its matches may be decided after extra time or by a shoot-out, which is
	// asked for. Must: the points depend on it, so that it has to be said.
	Decides, Must bool
}

// Season reads a season of a competition, 0 for the current one.
func (b Book) Season(ctx context.Context, id sport.ID, year int, now time.Time) (*Season, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: b.Table, World: w}
	fetch.Competitions(ctx, []sport.ID{id})
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	c := w.SeasonOf(world.Before, id, year)
	if c == nil {
		return nil, ErrNotFound
	}
	s := &Season{Competition: c, Zone: parts.Zone(c.Timezone)}
	knockout, r := c.Format == sport.FormatKnockout || c.Type == sport.Cup, &c.Rules
	s.Must = c.Format != sport.FormatKnockout && (r.ExtraTimeWin != nil || r.ExtraTimeLoss != nil || r.ShootoutWin != nil || r.ShootoutLoss != nil)
	s.Decides = s.Must || knockout
	var err error
	s.Matches, err = pagedlist.All(ctx, fetch.Get, records.MatchSchema(), pagedlist.Request[records.MatchEntry]{
		List: string(records.TournamentMatches(id, c.Tag())), WithHidden: true,
	})
	nearest := time.Duration(1<<63 - 1)
	for _, m := range s.Matches {
		s.Rounds = append(s.Rounds, m.Round)
		s.Decides = s.Decides || m.ExtraTime || m.Penalties != nil
		if away := now.Sub(time.UnixMilli(m.Kickoff)).Abs(); away < nearest {
			nearest, s.Current = away, m.Round
		}
	}
	slices.Sort(s.Rounds)
	s.Rounds = slices.Compact(s.Rounds)
	return s, err
}

// Filter says which matches of a season are shown.
type Filter struct {
	Round string // a number, or all; empty: the current one, unless a day is given
	Day   string // in the competition's zone, such as 2026-03-14
}

// MaxShown bounds the matches of a page.
const MaxShown = 200

// Fixture is a match in a list.
type Fixture struct {
	records.MatchEntry
	At  time.Time // the kick-off in the competition's zone
	Key string    // the operator's own, empty: not known
	// Decided says how the match counts where its score does not say it: "awarded",
	// "annulled", or the points that it was given (D59). Empty: by its score.
	Decided string
}

func decided(c *sport.Competition, m *sport.Match) string {
	is := c.Ruled(m)
	_, _, ruled := is.Ruling()
	switch {
	case is != m && is.Status == sport.Postponed:
		return "annulled"
	case is.Status != sport.Finished:
	case is != m, ruled:
		return "awarded"
	case m.Points != nil:
		return fmt.Sprintf("points %d:%d", m.Points.Home, m.Points.Away)
	}
	return ""
}

// Fixtures are the matches of a season that a filter selects, MaxShown at most, and
// how many there are.
func (b Book) Fixtures(ctx context.Context, s *Season, f Filter) ([]Fixture, int, error) {
	round, err := strconv.Atoi(f.Round)
	everyRound := err != nil && f != (Filter{})
	if err != nil {
		round = s.Current
	}
	var shown []Fixture
	found := 0
	for _, m := range s.Matches {
		if !everyRound && m.Round != round {
			continue
		}
		at := time.UnixMilli(m.Kickoff).In(s.Zone)
		if f.Day != "" && at.Format(time.DateOnly) != f.Day {
			continue
		}
		if found++; found <= MaxShown {
			shown = append(shown, Fixture{MatchEntry: m, At: at})
		}
	}
	var ids []sport.ID
	for _, m := range shown {
		ids = append(ids, m.ID)
	}
	w, err := b.matches(ctx, ids)
	if err != nil {
		return nil, 0, err
	}
	for i := range shown {
		if m := w.Matches.At(world.Before, shown[i].ID); m != nil {
			shown[i].Key, shown[i].Decided = m.Key, decided(&s.Competition.Competition, &m.Match)
		}
	}
	return shown, found, nil
}
