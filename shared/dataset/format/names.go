package format

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// Scope is what a name may be of.
type Scope = names.Scope

// Listing gives what is stored in a scope, matches without their details. It is asked only
// for a row that has a name in the place of an id, or no id, or that of a new match.
type Listing func(context.Context, Scope) (*dataset.Part, error)

// beside are columns of players that say where their team is looked up.
var beside = []string{"competitionId", "season"}

// candidates are the records of a part, without deletions.
func candidates(p *dataset.Part) (all []*names.Candidate) {
	for _, x := range p.Organizations {
		all = append(all, &names.Candidate{ID: x.ID, Key: x.Key, Name: x.Value.Name, Club: x.Value.Type == sport.Club})
	}
	for _, x := range p.Competitions {
		all = append(all, &names.Candidate{ID: x.ID, Key: x.Key, Name: x.Value.Name, Season: x.Value.Season})
	}
	for _, x := range p.Teams {
		all = append(all, &names.Candidate{ID: x.ID, Key: x.Key, Name: x.Value.Name, Also: []string{x.Value.ShortName}})
	}
	for _, x := range p.Players {
		also := []string{x.Key, string(x.ID)}
		if x.Value.Number > 0 {
			also = append(also, strconv.Itoa(x.Value.Number))
		}
		all = append(all, &names.Candidate{ID: x.ID, Key: x.Key, Name: x.Value.Name, Also: also})
	}
	return all
}

// directory gives that of a scope, which does not change once it was asked for: what is
// named was read before.
func (r *reader) directory(ctx context.Context, of Scope) (*names.Directory, error) {
	if d := r.directories[of]; d != nil {
		return d, nil
	}
	if of.Kind == sport.KindPlayer && !r.squads {
		r.squads = true
		for _, x := range r.set.Players.All() {
			if in := (Scope{Kind: of.Kind, ID: x.Value.TeamID}); !x.Deleted {
				r.noted[in] = append(r.noted[in], candidates(&dataset.Part{Players: []*dataset.Record[sport.Player]{x}})...)
			}
		}
	}
	given := r.noted[of]
	if of.Kind == sport.KindTeam && of.ID != "" {
		current, err := r.yearOf(ctx, of.ID, 0)
		if err != nil {
			return nil, err
		} else if current == of.Season {
			given = slices.Concat(given, r.noted[Scope{Kind: of.Kind, ID: of.ID}])
		}
	}
	d, named := &names.Directory{}, map[sport.ID]bool{}
	d.Add(0, given)
	for _, c := range given {
		named[c.ID] = true
	}
	if of.Kind != sport.KindTeam || of.ID != "" {
		part, err := r.listing(ctx, of)
		if err != nil {
			return nil, err
		}
		d.Add(2, slices.DeleteFunc(candidates(part), func(c *names.Candidate) bool {
			return of.Kind != sport.KindCompetition && named[c.ID] || r.gives(of.Kind, c.ID, c.Season)
		}))
	}
	r.directories[of] = d
	return d, nil
}

// gives reports whether the dataset has a line for a record.
func (r *reader) gives(kind sport.Kind, id sport.ID, season int) bool {
	who := dataset.Identity{Kind: files.Holding(kind), ID: ids.Pack(id), Season: int32(season)} //nolint:gosec // a year
	return r.set.Line(who).Line > 0
}

// note notes a record that is read, or is yet to be, for what names it; a team in its season as
// it gives that, and in none.
func (r *reader) note(of files.Kind, row jsonl.Object) {
	if of > files.Teams || row.Of("deleted").Kind() == 't' || row.Of("erase").Kind() == 't' {
		return
	}
	season, _ := strconv.Atoi(string(row.Of("season"))) // else it is reported with the row
	c := &names.Candidate{ID: names.KeyIn(of.Holds(), row.Of("id")), Key: jsonl.TextOf(row.Of("id")), Name: jsonl.TextOf(row.Of("name"))}
	in := Scope{Kind: of.Holds()}
	switch of {
	case files.Organizations:
		c.Club = jsonl.TextOf(row.Of("type")) == string(sport.Club)
	case files.Competitions:
		c.Season = season
	default:
		c.Also = []string{jsonl.TextOf(row.Of("shortName"))}
		if entered := (Scope{Kind: in.Kind, ID: names.KeyIn(sport.KindCompetition, row.Of("competitionId")), Season: season}); entered.ID != "" {
			r.noted[entered] = append(r.noted[entered], c)
		}
	}
	r.noted[in] = append(r.noted[in], c)
}

// yearOf is a season of a competition that is given, 0 for the current one.
func (r *reader) yearOf(ctx context.Context, competition sport.ID, season int) (int, error) {
	if season != 0 || competition == "" {
		return season, nil
	}
	part, err := r.listing(ctx, Scope{Kind: sport.KindCompetition, ID: competition})
	if err != nil {
		return 0, err
	}
	return r.set.CurrentSeason(competition, slices.DeleteFunc(slices.Clone(part.Competitions), func(c *dataset.Record[sport.Competition]) bool {
		return r.gives(sport.KindCompetition, c.ID, c.Value.Season)
	})...), nil
}

// lookUp puts ids in the place of the names of a row. What a row with an id does not say is
// as stored. What is wrong is reported when the row is read.
func (r *reader) lookUp(ctx context.Context, of files.Kind, x *sheetRow, stored jsonl.Object) error {
	for _, n := range names.Namings[of] {
		if err := r.name(ctx, n, x, func() (Scope, int, error) { return r.scopeOf(ctx, n.Kind, x.fields, stored) }); err != nil {
			return err
		}
	}
	if of == files.Players {
		x.fields = x.fields.Without(beside...)
	}
	return nil
}

// name puts the id in the place of one name of a row. Where says in which scope it is looked
// up, and of which season the record has to be, 0 for any.
func (r *reader) name(ctx context.Context, n names.Naming, x *sheetRow, where func() (Scope, int, error)) error {
	name, given := x.fields.Of(n.Column), x.fields.Of(n.Field)
	if name == nil {
		return nil
	}
	x.fields = x.fields.Without(n.Column)
	if name.Kind() == 'n' {
		if given == nil {
			x.fields = append(x.fields, jsonl.Member{Name: n.Field, Value: name})
		}
		return nil
	}
	scope, season, err := where()
	if err != nil {
		return err
	}
	d, err := r.directory(ctx, scope)
	if err != nil {
		return err
	}
	called, itself := jsonl.TextOf(name), sport.ID("")
	if n.Column == "parent" {
		itself = names.KeyIn(n.Kind, x.fields.Of("id"))
	}
	found := d.Called(called, itself, func(c *names.Candidate) bool {
		return (c.Season == 0 || c.Season == season) && (c.Club || n.Column != "club")
	})
	if n.Kind == sport.KindPlayer && found == nil {
		if found, err = r.guest(ctx, called); err != nil {
			return err
		}
	}
	if id := names.KeyIn(n.Kind, given); id != "" {
		if !slices.ContainsFunc(found, func(c *names.Candidate) bool { return c.ID == id }) {
			x.fault(n.Column, "%q is not the name of %s, which %s gives", called, dataset.Quoted(n.Kind, jsonl.TextOf(given)), n.Field)
		}
		return nil
	}
	value := name // so that the row is read to its end
	if n.Kind == sport.KindPlayer {
		value = jsontext.Value("null") // who need not be named
	}
	unread := r.set.IsUnread(files.Holding(n.Kind)) || n.Kind == sport.KindPlayer && (scope.ID == "" || r.lost[slips.Folded(called)])
	x.unsure = x.unsure || unread
	switch {
	case len(found) == 1:
		value = jsonl.Quoted(found[0].ID)
	case unread: // which is the fault
	case len(found) == 0:
		none, err := r.none(ctx, scope)
		if err != nil {
			return err
		}
		x.fault(n.Column, "%s is called %q%s", none, called, cmp.Or(r.elsewhere(n.Kind, called), names.Near(called, n.Field, d)))
	default:
		x.fault(n.Column, "%q may be %s: say which in a column %s", called, names.Callers(found), n.Field)
	}
	x.fields = append(x.fields.Without(n.Field), jsonl.Member{Name: n.Field, Value: value})
	return nil
}

// elsewhere ends the message that a team has no player of a name, where another one has.
func (r *reader) elsewhere(kind sport.Kind, called string) string {
	for _, x := range r.set.Players.All() {
		if kind == sport.KindPlayer && slips.Folded(x.Value.Name) == slips.Folded(called) {
			return fmt.Sprintf("; %q of another team is: a guest, and who has moved, is named by id", x.Key)
		}
	}
	return ""
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
	competition := names.KeyIn(sport.KindCompetition, said("competitionId"))
	season, err := r.yearOf(ctx, competition, season)
	return Scope{Kind: kind, ID: competition, Season: season}, 0, err
}

// none begins the message that nothing in a scope has a name.
func (r *reader) none(ctx context.Context, of Scope) (string, error) {
	switch {
	case of.Kind == sport.KindPlayer:
		team, err := r.teamOf(ctx, of.ID)
		return "no player of " + dataset.Quoted(sport.KindTeam, team), err
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
	return fmt.Sprintf("no entry of season %d of %s", of.Season, dataset.Quoted(sport.KindCompetition, called)), err
}
