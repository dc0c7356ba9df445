package world

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Who is shown and who is not is decided in this file, and nowhere else. Package affected
// computes with it what follows from other records (Unseen, HidesPlayers), and projections
// write what it decides: a scope or an entry that is hidden, a place without a player.
// Whoever reads the table follows that. What has no id of its own, and so no visibility,
// such as a coach, is a name of the match it stands in.

func (o *Organization) Public() bool { return o.Visibility == sport.Public }

func (c *Competition) Public() bool { return c.Visibility == sport.Public && !c.Unseen }

func (t *Team) Public() bool { return t.Visibility == sport.Public && !t.Unseen }

// Visible reports whether a player may be named (D40): it and its team are public, and the
// team is not one of children (D75).
func (w *World) Visible(v View, x *Player) bool {
	t := w.Teams.At(v, x.TeamID)
	return x.Visibility == sport.Public && t != nil && t.Public() && !t.HidesPlayers
}

// HidesPlayers reports whether a season names nobody: neither the players of its teams
// anywhere, nor anybody in its matches (D75).
func (w *World) HidesPlayers(v View, season SeasonID) bool {
	c := w.Competitions.At(v, season)
	return c != nil && c.Rules.HidePlayers
}

// PlayerRef is how records show a player in a view; nil: not at all, since there
// is no such player, or one that is not to be named (D40).
func (w *World) PlayerRef(v View, id sport.ID) *records.PlayerRef {
	if x := w.Players.At(v, id); x != nil && w.Visible(v, x) {
		return new(records.PlayerRefOf(&x.Player))
	}
	return nil
}

// PlayerIn is how the line-up of a match shows a player; nil: not at all. A season that
// hides players leaves of each the number and the position.
func (w *World) PlayerIn(v View, m *Match, id sport.ID) *records.PlayerRef {
	if !w.HidesPlayers(v, m.SeasonID()) {
		return w.PlayerRef(v, id)
	}
	ref := &records.PlayerRef{}
	if x := w.Players.At(v, id); x != nil {
		ref.Number, ref.Position = x.Number, x.Position
	}
	return ref
}

// Unseen reports whether an organization is hidden or private, or below such ones alone:
// what no key of a federation sees is hidden for everybody (D68). What it follows from, here
// and below, must be right in the view already.
func (w *World) Unseen(v View, o *Organization) bool {
	if !o.Public() {
		return true
	}
	seen := func(id sport.ID) bool { return w.Seen(v, id) }
	return len(o.Parents()) > 0 && !slices.ContainsFunc(o.Parents(), seen)
}

// Seen reports whether there is such an organization, and a federation sees it.
func (w *World) Seen(v View, id sport.ID) bool {
	o := w.Organizations.At(v, id)
	return o != nil && !o.Unseen
}

// CompetitionUnseen reports whether a competition, public or not, has an owner that is
// unseen.
func (w *World) CompetitionUnseen(v View, c *Competition) bool { return !w.Seen(v, c.OrganizationID) }

// TeamUnseen reports whether neither a team's owner nor its competition leads to it.
func (w *World) TeamUnseen(v View, t *Team) bool {
	c := w.Competitions.At(v, t.SeasonID())
	return !w.Seen(v, t.OrganizationID) && (t.CompetitionID == "" || c == nil || !c.Public())
}

// MatchHidden reports whether nobody sees a match. Its teams and its competition must have
// been fetched.
func (w *World) MatchHidden(v View, m *Match) bool {
	home, away := w.Teams.At(v, m.HomeTeamID), w.Teams.At(v, m.AwayTeamID)
	return home == nil || away == nil || w.matchHidden(v, m, w.Competitions.At(v, m.SeasonID()), home, away)
}

// NamesNobody reports whether nobody sees a match, or it shows nobody whom it names: a coach,
// or a player of another season, who may be shown there.
func (w *World) NamesNobody(v View, m *Match) bool {
	return w.MatchHidden(v, m) || len(m.DetailHash) > 0 && w.HidesPlayers(v, m.SeasonID())
}

// matchHidden reports whether a match is outside every scope: by itself, or since it
// cannot be shown without something that is (D40), or since nothing leads to it (D68).
func (w *World) matchHidden(v View, m *Match, c *Competition, home, away *Team) bool {
	switch {
	case m.Visibility != sport.Public || !home.Public() || !away.Public():
		return true
	case c != nil:
		return !c.Public()
	}
	return !w.Seen(v, home.OrganizationID) && !w.Seen(v, away.OrganizationID)
}
