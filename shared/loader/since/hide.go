package since

import (
	"context"
	"encoding/json"
	"slices"

	"touchline/shared/dataset/format"
	"touchline/shared/dataset/slips"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// atOnce is how many records of each table are compared at a time.
const atOnce = 1000

// person is a name in a club.
type person struct {
	club sport.ID
	name string // as it is compared
}

// seen is who sees a record, by what a table says.
type seen struct {
	own    sport.Visibility
	unseen bool               // nobody does, for whatever reason
	player person             // zero: of another kind
	season *world.Competition // nil: of another kind
}

// read says who sees records of a kind, those that a table has.
func read(ctx context.Context, table *store.Table, kind sport.Kind, ids []sport.ID) (map[history.Record]seen, error) {
	w := world.NewWorld()
	f := &world.Fetcher{Table: table, World: w}
	f.Records(ctx, map[sport.Kind][]sport.ID{kind: ids})
	var teams, competitions, owners []sport.ID // which decide, too
	for x := range w.Players.Both(ids...) {
		teams = append(teams, x.TeamID)
	}
	for m := range w.Matches.Both(ids...) {
		teams, competitions = append(teams, m.HomeTeamID, m.AwayTeamID), append(competitions, m.CompetitionID)
	}
	for t := range f.Teams(ctx, teams) {
		owners = append(owners, t.OrganizationID)
	}
	f.Competitions(ctx, competitions)
	if kind == sport.KindMatch {
		f.Organizations(ctx, owners)
	}
	all := map[history.Record]seen{}
	for _, id := range ids {
		r := history.Record{Kind: kind, ID: id}
		if kind == sport.KindCompetition {
			for c := range w.SeasonsOf(world.Before, id) {
				r.Season = c.Season
				all[r] = seen{own: c.Visibility, unseen: !c.Public(), season: c}
			}
		} else if sources.Stored(w, r) {
			all[r] = one(w, r)
		}
	}
	return all, f.Err()
}

// one says who sees a record that was read, but for a season.
func one(w *world.World, r history.Record) seen {
	switch r.Kind {
	case sport.KindOrganization:
		o := w.Organizations.At(world.Before, r.ID)
		return seen{own: o.Visibility, unseen: o.Unseen}
	case sport.KindTeam:
		t := w.Teams.At(world.Before, r.ID)
		return seen{own: t.Visibility, unseen: !t.Public()}
	case sport.KindPlayer:
		x := w.Players.At(world.Before, r.ID)
		s := seen{own: x.Visibility, unseen: !w.Visible(world.Before, x)}
		if t := w.Teams.At(world.Before, x.TeamID); t != nil {
			s.player = person{t.OrganizationID, slips.Folded(x.Name)}
		}
		return s
	}
	m := w.Matches.At(world.Before, r.ID)
	return seen{own: m.Visibility, unseen: w.MatchHidden(world.Before, m)}
}

// hide hides in the copy the records of a kind that are hidden in the table.
func (s *Since) hide(ctx context.Context, kind sport.Kind, report *Report) error {
	hidden := map[person]bool{}
	if kind == sport.KindPlayer {
		now := &world.Fetcher{Table: s.Table, World: world.NewWorld()}
		for ids := range slices.Chunk(now.Everything(ctx, kind), atOnce) {
			players, err := read(ctx, s.Table, kind, ids)
			if err != nil {
				return err
			}
			for _, x := range players {
				if x.unseen {
					hidden[x.player] = true
				}
			}
		}
		if now.Err() != nil {
			return now.Err()
		}
	}
	then := &world.Fetcher{Table: s.Copy, World: world.NewWorld()}
	var lines [][]byte
	var some []history.Record
	for ids := range slices.Chunk(then.Everything(ctx, kind), atOnce) {
		is, err := read(ctx, s.Table, kind, ids)
		if err != nil {
			return err
		}
		was, err := read(ctx, s.Copy, kind, ids)
		if err != nil {
			return err
		}
		for r, copied := range was {
			x, stored := is[r]
			line, err := hiding(r, x, copied, stored, hidden[copied.player])
			if err != nil {
				return err
			}
			if line != nil {
				lines, some = append(lines, line), append(some, r)
			}
		}
	}
	if then.Err() != nil || len(lines) == 0 {
		return then.Err()
	}
	named, err := s.named(ctx, some)
	if err != nil {
		return err
	}
	report.Hidden = append(report.Hidden, named...)
	return s.lines(ctx, map[sport.Kind][][]byte{kind: lines})
}

// hiding is the line that hides a record of the copy as the table hides it, where it has it;
// nil: it need not. Namesake says that a player of that name and club is hidden there.
func hiding(r history.Record, is, was seen, stored, namesake bool) ([]byte, error) {
	visibility := was.own
	switch {
	case stored && is.own != sport.Public && was.own == sport.Public:
		visibility = is.own
	case was.unseen:
	case stored && is.unseen, namesake && !(stored && is.player == was.player):
		visibility = sport.Hidden
	}
	names := was.season != nil && is.season != nil && is.season.Rules.HidePlayers && !was.season.Rules.HidePlayers
	if visibility == was.own && !names {
		return nil, nil
	}
	if was.season == nil {
		return json.Marshal(struct {
			ID         sport.ID         `json:"id"`
			Patch      bool             `json:"patch"`
			Visibility sport.Visibility `json:"visibility"`
		}{r.ID, true, visibility})
	}
	season := was.season.Given() // whole, since a patch of its rules would be all of them
	season.Value.Visibility = visibility
	season.Value.Rules.HidePlayers = season.Value.Rules.HidePlayers || names
	return format.Append(nil, season), nil
}
