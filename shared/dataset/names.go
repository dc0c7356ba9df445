package dataset

import (
	"cmp"
	"context"
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

// Listing gives what is stored in a scope, matches without their details. It is asked only
// for a row that has a name in the place of an id, or no id.
type Listing func(context.Context, Scope) (*Part, error)

// naming is a column by whose name a row gives a field with an id (dataset.md, Names in sheets).
type naming struct {
	column, field string
	kind          sport.Kind
}

// namings are those of each kind, in the order in which one needs another.
var namings = [files.Kinds][]naming{
	files.Organizations: {{"parent", "parentId", sport.KindOrganization}},
	files.Teams:         {{"club", "organizationId", sport.KindOrganization}, {"competition", "competitionId", sport.KindCompetition}},
	files.Players:       {{"competition", "competitionId", sport.KindCompetition}, {"team", "teamId", sport.KindTeam}},
	files.Matches:       {{"competition", "competitionId", sport.KindCompetition}, {"home", "homeTeamId", sport.KindTeam}, {"away", "awayTeamId", sport.KindTeam}},
	files.Standings:     {{"competition", "competitionId", sport.KindCompetition}},
	files.Events: {{"player", "playerId", sport.KindPlayer}, {"assist", "assistId", sport.KindPlayer},
		{"playerIn", "playerInId", sport.KindPlayer}, {"playerOut", "playerOutId", sport.KindPlayer}},
	files.Lineups: {{"player", "playerId", sport.KindPlayer}},
}

// beside are columns of players that say where their team is looked up.
var beside = []string{"competitionId", "season"}

// candidate is a record that a name may be of.
type candidate struct {
	id     sport.ID
	key    string
	name   string
	short  string
	season int
	club   bool
	number int // of a player
}

// directory finds the records of a scope by their names, those of the dataset before those
// that are stored.
type directory struct {
	tiers [4]map[string][]*candidate // by the name, then by the short name, of each
	all   []*candidate
}

// add adds records of the dataset (from 0), or stored ones (from 2).
func (d *directory) add(from int, all []*candidate) {
	for _, c := range all {
		for i, name := range []string{c.name, c.short} {
			if name = slips.Folded(name); name != "" {
				if d.tiers[from+i] == nil {
					d.tiers[from+i] = map[string][]*candidate{}
				}
				d.tiers[from+i][name] = append(d.tiers[from+i][name], c)
			}
		}
	}
	d.all = append(d.all, all...)
}

// called are those that have a name and are not the row's own, those that fit if there are any.
func (d *directory) called(name string, itself sport.ID, fits func(*candidate) bool) (found []*candidate) {
	for _, tier := range d.tiers {
		if found = slices.Clone(tier[slips.Folded(name)]); found != nil {
			break
		}
	}
	found = slices.DeleteFunc(found, func(c *candidate) bool { return c.id == itself })
	if slices.ContainsFunc(found, fits) {
		found = slices.DeleteFunc(found, func(c *candidate) bool { return !fits(c) })
	}
	slices.SortFunc(found, func(a, b *candidate) int { return cmp.Compare(a.id, b.id) })
	return slices.CompactFunc(found, func(a, b *candidate) bool { return a.id == b.id })
}

// candidates are the records of a part, without deletions.
func candidates(p *Part) (all []*candidate) {
	for _, x := range p.Organizations {
		all = append(all, &candidate{id: x.ID, key: x.Key, name: x.Value.Name, club: x.Value.Type == sport.Club})
	}
	for _, x := range p.Competitions {
		all = append(all, &candidate{id: x.ID, key: x.Key, name: x.Value.Name, season: x.Value.Season})
	}
	for _, x := range p.Teams {
		all = append(all, &candidate{id: x.ID, key: x.Key, name: x.Value.Name, short: x.Value.ShortName})
	}
	for _, x := range p.Players {
		all = append(all, &candidate{id: x.ID, key: x.Key, name: x.Value.Name, number: x.Value.Number})
	}
	return all
}

// directory gives that of a scope, which does not change once it was asked for: what is
// named was read before.
func (r *reader) directory(ctx context.Context, of Scope) (*directory, error) {
	if d := r.directories[of]; d != nil {
		return d, nil
	}
	given, err := r.givenIn(ctx, of)
	if err != nil {
		return nil, err
	}
	d, named := &directory{}, map[sport.ID]bool{}
	d.add(0, given)
	for _, c := range given {
		named[c.id] = true
	}
	if of.Kind != sport.KindTeam || of.ID != "" {
		part, err := r.listing(ctx, of)
		if err != nil {
			return nil, err
		}
		d.add(2, slices.DeleteFunc(candidates(part), func(c *candidate) bool {
			return of.Kind != sport.KindCompetition && named[c.id] || r.gives(of.Kind, c.id, c.season)
		}))
	}
	r.directories[of] = d
	return d, nil
}

// gives reports whether the dataset has a line for a record.
func (r *reader) gives(kind sport.Kind, id sport.ID, season int) bool {
	k, _ := kindOf(kind)
	if kind == sport.KindCompetition {
		k = files.Competitions
	}
	_, given := r.set.index[identity{Kind: k, ID: ids.Pack(id), Season: int32(season)}] //nolint:gosec // a year
	return given
}

// note notes a row that is not in the set, or not yet, for what names it.
func (r *reader) note(ctx context.Context, of files.Kind, x *sheetRow, stored jsonl.Object) error {
	if of > files.Teams {
		return nil
	}
	scope, season, err := r.scopeOf(ctx, sportKinds[of], x.fields, stored)
	row := jsonl.Over(stored, x.fields)
	c := &candidate{id: keyIn(sportKinds[of], row.Of("id")), key: textOf(row.Of("id")), name: textOf(row.Of("name")), short: textOf(row.Of("shortName")), season: season, club: textOf(row.Of("type")) == string(sport.Club)}
	r.noted[scope] = append(r.noted[scope], c)
	return err
}

// givenIn are the records of the dataset in a scope, those with a fault of their own too.
func (r *reader) givenIn(ctx context.Context, of Scope) ([]*candidate, error) {
	s := r.set
	if r.ofSet[of.Kind] == nil {
		all := map[Scope][]*candidate{}
		for scope, c := range r.noted {
			if scope.Kind == of.Kind {
				all[scope] = append(all[scope], c...)
			}
		}
		put := func(in Scope, p *Part) { all[in] = append(all[in], candidates(p)...) }
		switch of.Kind {
		case sport.KindOrganization:
			put(of, &Part{Organizations: slices.DeleteFunc(slices.Clone(s.Organizations), deleted[sport.Organization])})
		case sport.KindCompetition:
			put(of, &Part{Competitions: slices.DeleteFunc(slices.Clone(s.Competitions), deleted[sport.Competition])})
		case sport.KindTeam:
			for _, x := range s.Teams {
				if x.Deleted {
					continue
				}
				season, err := r.yearOf(ctx, x.Value.CompetitionID, x.Value.Season)
				if err != nil {
					return nil, err
				}
				put(Scope{sport.KindTeam, x.Value.CompetitionID, season}, &Part{Teams: []*Record[sport.Team]{x}})
				if x.Value.CompetitionID != "" {
					put(Scope{Kind: sport.KindTeam}, &Part{Teams: []*Record[sport.Team]{x}})
				}
			}
		case sport.KindPlayer:
			for _, x := range s.Players.All() {
				if !x.Deleted {
					put(Scope{Kind: sport.KindPlayer, ID: x.Value.TeamID}, &Part{Players: []*Record[sport.Player]{x}})
				}
			}
		}
		r.ofSet[of.Kind] = all
	}
	return r.ofSet[of.Kind][of], nil
}

func deleted[T Entity](x *Record[T]) bool { return x.Deleted }

// yearOf is a season of a competition that is given, 0 for the current one.
func (r *reader) yearOf(ctx context.Context, competition sport.ID, season int) (int, error) {
	if season != 0 || competition == "" {
		return season, nil
	}
	part, err := r.listing(ctx, Scope{Kind: sport.KindCompetition, ID: competition})
	if err != nil {
		return 0, err
	}
	all := slices.Clone(r.set.seasons[ids.Pack(competition)])
	for _, c := range part.Competitions {
		if !r.gives(sport.KindCompetition, c.ID, c.Value.Season) {
			all = append(all, c)
		}
	}
	return currentOf(all), nil
}

// lookUp puts ids in the place of the names of a row. What a row with an id does not say is
// as stored. What is wrong is reported when the row is read.
func (r *reader) lookUp(ctx context.Context, of files.Kind, x *sheetRow, stored jsonl.Object) error {
	for _, n := range namings[of] {
		name := x.fields.Of(n.column)
		if name == nil {
			continue
		}
		x.fields = x.fields.Without(n.column)
		given := x.fields.Of(n.field)
		if name.Kind() == 'n' {
			if given == nil {
				x.fields = append(x.fields, jsonl.Member{Name: n.field, Value: name})
			}
			continue
		}
		scope, season, err := r.scopeOf(ctx, n.kind, x.fields, stored)
		if err != nil {
			return err
		}
		d, err := r.directory(ctx, scope)
		if err != nil {
			return err
		}
		called, itself := textOf(name), sport.ID("")
		if of == files.Organizations {
			itself = keyIn(n.kind, x.fields.Of("id"))
		}
		found := d.called(called, itself, func(c *candidate) bool {
			return (c.season == 0 || c.season == season) && (c.club || n.column != "club")
		})
		if id := keyIn(n.kind, given); id != "" {
			if !slices.ContainsFunc(found, func(c *candidate) bool { return c.id == id }) {
				x.fault(n.column, "%q is not the name of %s, which %s gives", called, Quoted(n.kind, textOf(given)), n.field)
			}
			continue
		}
		value := name // so that the row is read to its end
		unread := r.set.unread[slices.Index(sportKinds[:], n.kind)]
		x.unsure = x.unsure || unread
		switch {
		case len(found) == 1:
			value = quotedID(found[0].id)
		case unread: // which is the fault
		case len(found) == 0:
			none, err := r.none(ctx, scope)
			if err != nil {
				return err
			}
			x.fault(n.column, "%s is called %q%s", none, called, near(called, n.field, d))
		default:
			x.fault(n.column, "%q is the name of %s: say which in a column %s", called, callers(found), n.field)
		}
		x.fields = append(x.fields.Without(n.field), jsonl.Member{Name: n.field, Value: value})
	}
	if of == files.Players {
		x.fields = x.fields.Without(beside...)
	}
	return nil
}

// scopeOf is where a row's name of a kind is looked up, and of other kinds than teams the
// season that the row gives.
func (r *reader) scopeOf(ctx context.Context, kind sport.Kind, row, stored jsonl.Object) (Scope, int, error) {
	said := func(field string) jsontext.Value {
		if v := row.Of(field); v != nil {
			return v
		}
		return stored.Of(field)
	}
	season, _ := strconv.Atoi(string(said("season"))) // else it is reported with the row
	if kind != sport.KindTeam {
		return Scope{Kind: kind}, season, nil
	}
	competition := keyIn(sport.KindCompetition, said("competitionId"))
	season, err := r.yearOf(ctx, competition, season)
	return Scope{kind, competition, season}, 0, err
}

// none begins the message that nothing in a scope has a name.
func (r *reader) none(ctx context.Context, of Scope) (string, error) {
	switch {
	case of.Kind != sport.KindTeam:
		return fmt.Sprintf("no %s", of.Kind), nil
	case of.ID == "":
		return "no entry of this dataset (stored ones are looked up by competition and season)", nil
	}
	called := r.set.Given(of.ID)
	part, err := r.listing(ctx, Scope{Kind: sport.KindCompetition, ID: of.ID})
	if called == string(of.ID) && err == nil && len(part.Competitions) > 0 {
		called = cmp.Or(part.Competitions[0].Key, called)
	}
	return fmt.Sprintf("no entry of season %d of %s", of.Season, Quoted(sport.KindCompetition, called)), err
}

// near ends it with what was likely meant.
func near(name, field string, d *directory) string {
	var names []string
	for _, c := range d.all {
		if c.key == name {
			return fmt.Sprintf("; it is the key of %q: a column of keys is headed %s", c.name, field)
		}
		names = append(names, c.name)
	}
	if name = slips.Near(name, names); name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", name)
}

// callers names records by their keys, or else ids.
func callers(found []*candidate) string {
	var keys []string
	for _, c := range found[:min(len(found), 5)] {
		keys = append(keys, strconv.Quote(cmp.Or(c.key, string(c.id))))
	}
	return strings.Join(keys, " and ")
}

// keyIn is the id of the key, or id, that a value gives; empty for none.
func keyIn(kind sport.Kind, value jsontext.Value) sport.ID {
	if text := textOf(value); text != "" {
		return ID(kind, text)
	}
	return ""
}

// textOf is a value that is text, empty for none.
func textOf(value jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

func quotedID[S ~string](id S) jsontext.Value {
	value, _ := jsontext.AppendQuote(nil, string(id)) // of digits, or a key that was read
	return value
}
