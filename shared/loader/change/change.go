// Package change brings the records of a dataset into the view after, and notes what
// that changes: for the report and the history, and those of a first load for its
// journal. A record that is stored as it is given is no change, and the view before is
// not touched.
//
// A record that does not say whether it is visible gets what is stored (D74).
package change

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/details"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/times"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Changes turns a dataset's records into the view after.
type Changes struct {
	World   *world.World
	Journal *journal.Archive // of a first load; nil: nobody wants it
	Report  *history.Report
	Said    world.Set[world.SeasonID] // the records that say that they are public; of a competition with its season
	Noted   []history.Record          // what changes, in the order of the dataset
	Exact   bool                      // a record without a key has none, whatever is stored, and without a visibility it is public
	Now     time.Time                 // until when a player has had the number that changes

	zones times.Zones
}

// bring records a change if what a record brings differs from what is stored, and reports
// whether it does.
func bring[K comparable, E any, T dataset.Entity](c *Changes, e *world.Entities[K, E], counts *history.Counts, id K, r *dataset.Record[T], is *E, same func(was, is *E) bool) bool {
	was := e.At(world.Before, id)
	equal := was == nil && is == nil || was != nil && is != nil && same(was, is)
	counts.Add(was != nil, is == nil, equal)
	if equal {
		return false
	}
	e.Change(id, is)
	of := history.RecordOf(r)
	c.Noted = append(c.Noted, of)
	if c.Journal != nil {
		c.Journal.Add(of.Kind, format.Append(nil, r))
	}
	return true
}

// setVisibility sets the visibility of a record that does not say it: as stored, empty for
// no record, or else public (D74). It notes what stays hidden by that, and a deletion of what
// is hidden: when that comes again it is not.
func setVisibility[T dataset.Entity](c *Changes, r *dataset.Record[T], stored sport.Visibility) {
	said, hidden := dataset.Visibility(&r.Value), stored != "" && stored != sport.Public
	if *said == sport.Public {
		of := history.RecordOf(r)
		c.Said.Add(world.SeasonID{ID: of.ID, Season: of.Season})
	}
	switch {
	case r.Deleted && hidden:
		c.Report.HiddenDeleted.Add(history.RecordOf(r).Kind, "visibility")
	case r.Deleted, *said != "":
	case hidden && !c.Exact:
		*said = stored
		c.Report.StayHidden.Add(history.RecordOf(r).Kind, "visibility")
	default:
		*said = sport.Public
	}
}

// setHiding does the same of a season, and of its hidePlayers. One that is new takes both from
// the newest season that is stored.
func setHiding(c *Changes, r *dataset.Record[sport.Competition], was *world.Competition) {
	if was = cmp.Or(was, &world.Competition{}); was.ID == "" && !r.Deleted {
		for s := range c.World.SeasonsOf(world.Before, r.ID) {
			if s.Season > was.Season {
				was = s
			}
		}
	}
	setVisibility(c, r, was.Visibility)
	switch {
	case !was.Rules.HidePlayers:
	case r.Deleted:
		c.Report.HiddenDeleted.Add(sport.KindCompetition, "rules.hidePlayers")
	case r.Silent && !c.Exact:
		r.Value.Rules.HidePlayers = true
		c.Report.StayHidden.Add(sport.KindCompetition, "rules.hidePlayers")
	}
}

// setKey sets the operator's key of a record: as given, else as stored, which key holds.
// It also sets the key in the record, for the journal.
func setKey[T dataset.Entity](c *Changes, r *dataset.Record[T], key *string) {
	if r.Key == "" || r.Key == string(r.ID) {
		if r.Key = *key; c.Exact {
			r.Key = ""
		}
	}
	*key = r.Key
}

// Organization brings an organization into the view after.
func (c *Changes) Organization(r *dataset.Record[sport.Organization]) {
	w := c.World
	was := w.Organizations.At(world.Before, r.ID)
	setVisibility(c, r, cmp.Or(was, &world.Organization{}).Visibility)
	var is *world.Organization
	if !r.Deleted {
		is = &world.Organization{Organization: r.Value}
		if was != nil { // until package affected says otherwise
			is.Key, is.Reach, is.Leaf, is.Unseen = was.Key, was.Reach, was.Leaf, was.Unseen
		}
		setKey(c, r, &is.Key)
	}
	if !bring(c, &w.Organizations, &c.Report.Organizations, r.ID, r, is, func(was, is *world.Organization) bool {
		return was.Key == is.Key && reflect.DeepEqual(was.Organization, is.Organization)
	}) {
		return
	}
	if was != nil {
		for _, p := range was.Parents() {
			w.Children.Remove(p, r.ID)
		}
	}
	if is != nil {
		for _, p := range is.Parents() {
			w.Children.Add(p, r.ID)
		}
	}
}

// Competition brings a season of a competition into the view after; the deletion of
// season 0 is that of all of them.
func (c *Changes) Competition(r *dataset.Record[sport.Competition]) {
	w := c.World
	if r.Deleted && r.Value.Season == 0 {
		for year := range w.Seasons.In(world.Before, r.ID) {
			one := *r
			one.Value.Season = year
			c.Competition(&one)
		}
		return
	}
	id := world.SeasonID{ID: r.ID, Season: r.Value.Season}
	was := w.Competitions.At(world.Before, id)
	setHiding(c, r, was)
	var is *world.Competition
	if !r.Deleted {
		is = &world.Competition{Competition: r.Value}
		is.EndsAt = is.EndsAt.Truncate(time.Second)
		if was != nil {
			is.Key, is.IsCurrent, is.Unseen = was.Key, was.IsCurrent, was.Unseen // until World.SetCurrent says otherwise
			if !c.Exact {
				keepGroupKeys(is.Groups, was.Groups)
			}
		}
		setKey(c, r, &is.Key)
	}
	if !bring(c, &w.Competitions, &c.Report.Competitions, id, r, is, func(was, is *world.Competition) bool {
		return was.Key == is.Key && reflect.DeepEqual(was.Competition, is.Competition)
	}) {
		return
	}
	if is == nil {
		w.Seasons.Remove(r.ID, id.Season)
		return
	}
	w.Seasons.Add(r.ID, id.Season)
	w.Owned.Add(is.OrganizationID, r.ID)
	if is.ParentID != "" {
		w.Stages.Add(is.ParentID, r.ID)
	}
}

// keepGroupKeys fills in the keys of groups that are given by their ids.
func keepGroupKeys(is, was []sport.Group) {
	for i := range is {
		for _, g := range was {
			if is[i].Key == "" && is[i].ID == g.ID {
				is[i].Key = g.Key
			}
		}
	}
}

// Team brings a team into the view after.
func (c *Changes) Team(r *dataset.Record[sport.Team]) {
	w := c.World
	was := w.Teams.At(world.Before, r.ID)
	setVisibility(c, r, cmp.Or(was, &world.Team{}).Visibility)
	var is *world.Team
	if !r.Deleted {
		is = &world.Team{Team: r.Value}
		if was != nil {
			is.Key, is.Unseen, is.HidesPlayers = was.Key, was.Unseen, was.HidesPlayers
		}
		setKey(c, r, &is.Key)
	}
	if !bring(c, &w.Teams, &c.Report.Teams, r.ID, r, is, func(was, is *world.Team) bool { return *was == *is }) {
		return
	}
	if was != nil {
		w.OwnedTeams.Remove(was.OrganizationID, r.ID)
		w.Entered.Remove(was.SeasonID(), r.ID)
	}
	if is == nil {
		return
	}
	if is.CompetitionID != "" {
		w.Entered.Add(is.SeasonID(), r.ID)
	}
	if is.OrganizationID != "" {
		w.OwnedTeams.Add(is.OrganizationID, r.ID)
	}
}

// Player brings a player into the view after, and reports whether that is a change.
func (c *Changes) Player(r *dataset.Record[sport.Player]) bool {
	w := c.World
	was := w.Players.At(world.Before, r.ID)
	setVisibility(c, r, cmp.Or(was, &world.Player{}).Visibility)
	var is *world.Player
	if !r.Deleted {
		is = &world.Player{Player: r.Value}
		if was != nil { // until World.SetLineups says otherwise
			is.Key, is.Lineups = was.Key, was.Lineups
			c.keepNumber(&was.Player, &is.Player)
		}
		setKey(c, r, &is.Key)
	}
	if !bring(c, &w.Players, &c.Report.Players, r.ID, r, is, func(was, is *world.Player) bool { return was.Key == is.Key && reflect.DeepEqual(was.Player, is.Player) }) {
		return false
	}
	if was != nil {
		w.Squads.Remove(was.TeamID, r.ID)
	}
	if is != nil {
		w.Squads.Add(is.TeamID, r.ID)
	}
	return true
}

// keepNumber keeps the number that a player has had until now, and the former ones,
// unless the dataset gives others: line-ups show them.
func (c *Changes) keepNumber(was, is *sport.Player) {
	if c.Exact || len(is.FormerNumbers) > 0 && !slices.Equal(is.FormerNumbers, was.FormerNumbers) {
		return
	}
	if is.FormerNumbers = was.FormerNumbers; was.Number != 0 && was.Number != is.Number {
		is.FormerNumbers = details.AddFormerNumber(was.FormerNumbers, was.Number, c.Now)
	}
}

// Resolve fills in what a match takes from its competition in the view after: a season that is
// not given, and the time zone of the kick-off. Odd says of a kick-off that clocks do not show
// it once. It may be repeated.
func (c *Changes) Resolve(r *dataset.Record[dataset.Match]) (odd string, err error) {
	if r.Deleted {
		return "", nil
	}
	m, zone := &r.Value, "UTC"
	if m.Base.CompetitionID != "" {
		if m.Base.Season == 0 {
			m.Base.Season = c.World.CurrentSeason(m.Base.CompetitionID)
		}
		if in := c.World.Competitions.At(world.After, world.SeasonID{ID: m.Base.CompetitionID, Season: m.Base.Season}); in != nil {
			zone = in.Timezone
		}
	}
	if m.KickoffLocal == "" {
		return "", nil
	}
	kickoff, odd, err := c.zones.Kickoff(m.KickoffLocal, zone)
	if err == nil {
		m.Base.Kickoff, m.KickoffLocal = kickoff, ""
	}
	return odd, err
}

// Match brings a match into the view after, and reports whether that is a change.
func (c *Changes) Match(r *dataset.Record[dataset.Match]) bool {
	was := c.World.Matches.At(world.Before, r.ID)
	setVisibility(c, r, cmp.Or(was, &world.Match{}).Visibility)
	var is *world.Match
	if !r.Deleted {
		is = world.NewMatch(r.Value.Full(), r.Value.Details)
		if was != nil {
			is.Key = was.Key
		}
		setKey(c, r, &is.Key)
	}
	return c.SetMatch(r, is)
}

// SetMatch sets a match as it will be; nil: it is deleted. It reports whether that
// is a change.
func (c *Changes) SetMatch(r *dataset.Record[dataset.Match], is *world.Match) bool {
	w := c.World
	was := w.Matches.At(world.Before, r.ID)
	if !bring(c, &w.Matches, &c.Report.Matches, r.ID, r, is, sameMatch) {
		return false
	}
	if was != nil {
		w.Played.Remove(was.SeasonID(), r.ID)
		w.Fixtures.Remove(was.HomeTeamID, r.ID)
		w.Fixtures.Remove(was.AwayTeamID, r.ID)
	}
	if is != nil {
		if is.CompetitionID != "" {
			w.Played.Add(is.SeasonID(), r.ID)
		}
		w.Fixtures.Add(is.HomeTeamID, r.ID)
		w.Fixtures.Add(is.AwayTeamID, r.ID)
	}
	return true
}

func sameMatch(was, is *world.Match) bool {
	return was.Key == is.Key && bytes.Equal(was.DetailHash, is.DetailHash) && reflect.DeepEqual(was.Match, is.Match)
}

// Table brings a given table into the view after.
func (c *Changes) Table(r *dataset.Record[sport.GivenTable]) {
	w := c.World
	id := world.TableID{SeasonID: world.SeasonID{ID: r.Value.CompetitionID, Season: r.Value.Season}, Table: r.Value.Table}
	was := w.Tables.At(world.Before, id)
	var is *sport.GivenTable
	if !r.Deleted {
		is = &r.Value
	}
	if !bring(c, &w.Tables, &c.Report.Standings, id, r, is, func(was, is *sport.GivenTable) bool { return reflect.DeepEqual(was, is) }) {
		return
	}
	if was != nil {
		for _, row := range was.Rows {
			w.Named.Remove(row.TeamID, id)
		}
	}
	if is != nil {
		for _, row := range is.Rows {
			w.Named.Add(row.TeamID, id)
		}
	}
}
