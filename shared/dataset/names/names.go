// Package names finds records by what a row of a sheet has in the place of an id: a name, the
// number of a player, or nothing but the fixture (dataset.md, Names in sheets and Rows without
// ids).
package names

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// Scope is what a name may be of: all organizations, all seasons of competitions or of one,
// the entries or the matches of a season, the players of a team.
type Scope struct {
	Kind   sport.Kind
	ID     sport.ID // of the competition or of the team
	Season int
}

// Naming is a column by whose name a row gives a field with an id (dataset.md, Names in sheets).
type Naming struct {
	Column, Field string
	Kind          sport.Kind
}

// Namings are those of each kind, in the order in which one needs another.
var Namings = [files.Kinds][]Naming{
	files.Organizations: {{"parent", "parentId", sport.KindOrganization}},
	files.Teams:         {{"club", "organizationId", sport.KindOrganization}, {"competition", "competitionId", sport.KindCompetition}},
	files.Players:       {{"competition", "competitionId", sport.KindCompetition}, {"team", "teamId", sport.KindTeam}},
	files.Matches:       {{"competition", "competitionId", sport.KindCompetition}, {"home", "homeTeamId", sport.KindTeam}, {"away", "awayTeamId", sport.KindTeam}},
	files.Standings:     {{"competition", "competitionId", sport.KindCompetition}},
	files.Events: {{"player", "playerId", sport.KindPlayer}, {"assist", "assistId", sport.KindPlayer},
		{"playerIn", "playerInId", sport.KindPlayer}, {"playerOut", "playerOutId", sport.KindPlayer}},
	files.Lineups: {{"player", "playerId", sport.KindPlayer}},
}

// Candidate is a record that a name may be of.
type Candidate struct {
	ID     sport.ID
	Key    string
	Name   string
	Also   []string // the short name of a team, what else a player of a match is named by
	Season int
	Club   bool
}

// Directory finds the records of a scope by their names, those of the dataset before those
// that are stored.
type Directory struct {
	tiers [4]map[string][]*Candidate // by the name, then by what each is also called
	All   []*Candidate
}

// Add adds records of the dataset (from 0), or stored ones (from 2).
func (d *Directory) Add(from int, all []*Candidate) {
	for _, c := range all {
		for i, called := range [][]string{{c.Name}, c.Also} {
			for _, name := range called {
				if name = slips.Folded(name); name != "" {
					if d.tiers[from+i] == nil {
						d.tiers[from+i] = map[string][]*Candidate{}
					}
					d.tiers[from+i][name] = append(d.tiers[from+i][name], c)
				}
			}
		}
	}
	d.All = append(d.All, all...)
}

// Called are those that have a name and are not the row's own, those that fit if there are any.
func (d *Directory) Called(name string, itself sport.ID, fits func(*Candidate) bool) (found []*Candidate) {
	for _, tier := range d.tiers {
		if found = slices.Clone(tier[slips.Folded(name)]); found != nil {
			break
		}
	}
	found = slices.DeleteFunc(found, func(c *Candidate) bool { return c.ID == itself })
	if slices.ContainsFunc(found, fits) {
		found = slices.DeleteFunc(found, func(c *Candidate) bool { return !fits(c) })
	}
	slices.SortFunc(found, func(a, b *Candidate) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(found, func(a, b *Candidate) bool { return a.ID == b.ID })
}

// Near ends the message that nobody is called so with what was likely meant.
func Near(name, field string, d *Directory) string {
	var names []string
	for _, c := range d.All {
		if c.Key == name {
			return fmt.Sprintf("; it is the key of %q, which %s takes", c.Name, field)
		}
		names = append(names, c.Name)
	}
	if name = slips.Near(name, names); name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", name)
}

// Callers names records by their keys, or else ids.
func Callers(found []*Candidate) string {
	var keys []string
	for _, c := range found[:min(len(found), 5)] {
		keys = append(keys, strconv.Quote(cmp.Or(c.Key, string(c.ID))))
	}
	return strings.Join(keys, " or ")
}

// Fixture is what an entry or a match without an id follows from: the season and the club,
// or the season and the two teams.
type Fixture struct {
	In         Scope
	First, Two sport.ID // Two: of a match, away
}

// made are the beginnings of the keys that are made.
var made = map[sport.Kind]string{sport.KindTeam: "entry-", sport.KindMatch: "fixture-"}

// Key is the one of a record that follows from the fixture, and from numbers that tell it
// from others.
func (f Fixture) Key(numbers ...int) string {
	text := fmt.Sprint(f.In.ID, f.In.Season, f.First, f.Two, numbers)
	return made[f.In.Kind] + string(sport.IDFor(f.In.Kind, text))
}

// IsMade reports whether a key was made.
func IsMade(kind sport.Kind, key string) bool {
	digest, ok := strings.CutPrefix(key, made[kind])
	return ok && sport.IsID(digest)
}

// Fixture names the teams of a match.
func (d *Directory) Fixture(f Fixture) string {
	name := func(id sport.ID) string {
		if i := slices.IndexFunc(d.All, func(c *Candidate) bool { return c.ID == id }); i >= 0 {
			return d.All[i].Name
		}
		return string(id)
	}
	return name(f.First) + " - " + name(f.Two)
}

// EntryKey is the key that is made for an entry of a club without an id.
func EntryKey(competition sport.ID, season int, club sport.ID) string {
	return Fixture{Scope{sport.KindTeam, competition, season}, club, club}.Key()
}

// KeyIn is the id of the key, or id, that a value gives; empty for none.
func KeyIn(kind sport.Kind, value jsontext.Value) sport.ID {
	if text := jsonl.TextOf(value); text != "" {
		return ids.Of(kind, text)
	}
	return ""
}
