package format

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// Entries and matches whose rows have no id (dataset.md, Rows without ids): each is the stored one of what the row
// says, or else new, with a key made of what it follows from.

// fixtureOf is what a row without an id follows from; false where it does not say it.
func (r *reader) fixtureOf(ctx context.Context, of files.Kind, row jsonl.Object) (f names.Fixture, ok bool, err error) {
	scope, _, err := r.scopeOf(ctx, sport.KindTeam, row, nil)
	scope.Kind = of.Holds()
	f.In = scope
	if of == files.Teams {
		f.First = names.KeyIn(sport.KindOrganization, row.Of("organizationId"))
		f.Two = f.First
	} else {
		f.First, f.Two = names.KeyIn(sport.KindTeam, row.Of("homeTeamId")), names.KeyIn(sport.KindTeam, row.Of("awayTeamId"))
	}
	return f, scope.ID != "" && scope.Season != 0 && f.First != "" && f.Two != "", err
}

// waits looks up the names of a row, and reports whether it is read when the rest of its kind
// was: it has no id and follows from others, or names one of its kind.
func (r *reader) waits(ctx context.Context, of files.Kind, x *sheetRow, stored jsonl.Object) (bool, error) {
	if of == files.Organizations && x.fields.Of("parent").Kind() == '"' {
		r.waiting = append(r.waiting, *x)
		r.note(of, jsonl.Over(stored, x.fields))
		return true, nil
	}
	if err := r.lookUp(ctx, of, x, stored); err != nil {
		return false, err
	}
	id := x.fields.Of("id")
	given := id != nil && id.Kind() != 'n'
	switch {
	case given && (of != files.Matches || stored != nil || len(x.wrong) > 0), of != files.Teams && of != files.Matches:
		return false, nil
	case len(x.wrong) > 0:
		x.identify(x.place())
		return false, nil
	}
	f, ok, err := r.fixtureOf(ctx, of, x.fields)
	if x.follows = f; ok && given {
		r.fresh = append(r.fresh, *x)
	} else if ok {
		r.waiting = append(r.waiting, *x)
	}
	return ok && !given, err
}

// place is a key for the time being of a row that is at fault.
func (x *sheetRow) place() string { return fmt.Sprintf("%s:%d", x.at.File, x.at.Line) }

func (x *sheetRow) identify(key string) {
	x.fields = append(x.fields.Without("id"), jsonl.Member{Name: "id", Value: jsonl.Quoted(key)})
}

func (x *sheetRow) number(field string) int {
	n, _ := strconv.Atoi(string(x.fields.Of(field))) // else it is reported with the row
	return n
}

// rest reads the rows of a kind that wait.
func (r *reader) rest(ctx context.Context, of files.Kind) error {
	rows, fresh := r.waiting, r.fresh
	r.waiting, r.fresh = nil, nil
	if of != files.Organizations {
		if err := r.identify(ctx, of, rows, fresh); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(rows, rowsAtOnce) {
		if err := r.rows(ctx, of, some, false); err != nil {
			return err
		}
	}
	return nil
}

// known is a stored entry or match that no row names by its id.
type known struct {
	id    sport.ID
	key   string
	name  string       // of an entry
	match *sport.Match // nil: it is an entry
	taken bool
}

// identify gives rows their ids, and notes the matches that are left, or that fresh ones
// with ids of their own would repeat (Set.Left).
func (r *reader) identify(ctx context.Context, of files.Kind, rows, fresh []sheetRow) error {
	by := map[names.Fixture][]*sheetRow{}
	var order []names.Fixture
	for i := range rows {
		x := &rows[i]
		if by[x.follows] == nil {
			order = append(order, x.follows)
		}
		by[x.follows] = append(by[x.follows], x)
	}
	stored := map[Scope]map[names.Fixture][]*known{}
	stand := func(in Scope) (err error) {
		if stored[in] == nil {
			stored[in], err = r.stand(ctx, in)
		}
		return err
	}
	for _, f := range order {
		if err := stand(f.In); err != nil {
			return err
		}
		r.match(f, by[f], stored[f.In][f])
	}
	if of != files.Matches {
		return nil
	}
	for _, x := range fresh {
		if err := stand(x.follows.In); err != nil {
			return err
		}
		r.repeats(&x, stored[x.follows.In][x.follows])
	}
	for in, all := range stored {
		if err := r.left(ctx, in, rows, all); err != nil {
			return err
		}
	}
	return nil
}

// stand are the stored ones of a season, by what they follow from.
func (r *reader) stand(ctx context.Context, in Scope) (map[names.Fixture][]*known, error) {
	part, err := r.listing(ctx, in)
	if err != nil {
		return nil, err
	}
	all := map[names.Fixture][]*known{}
	put := func(first, two sport.ID, k *known) {
		if f := (names.Fixture{In: in, First: first, Two: two}); !r.gives(in.Kind, k.id, 0) {
			all[f] = append(all[f], k)
		}
	}
	for _, x := range part.Teams {
		put(x.Value.OrganizationID, x.Value.OrganizationID, &known{id: x.ID, key: x.Key, name: x.Value.Name})
	}
	for _, x := range part.Matches {
		m := &x.Value.Base
		put(m.HomeTeamID, m.AwayTeamID, &known{id: x.ID, key: x.Key, match: m})
	}
	return all, nil
}

// match gives the rows of a fixture the ids of those that are stored, or keys that are made.
func (r *reader) match(f names.Fixture, rows []*sheetRow, stored []*known) {
	alone := len(rows) == 1 && len(stored) <= 1 && (len(stored) == 0 || !stored[0].playedBefore(rows[0]))
	lines := map[string]int{} // of ids, and of what tells matches apart
	for _, x := range rows {
		fit := fitting(x, stored, alone)
		if len(fit) > 1 {
			x.fault("id", "is missing, and several that are stored may be meant: %s and %s", fit[0].called(), fit[1].called())
			x.identify(x.place())
			continue
		}
		key, apart := f.Key(), ""
		if !alone && f.In.Kind == sport.KindMatch {
			key, apart = f.Key(x.number("round"), x.number("leg")), fmt.Sprint(x.number("round"), " ", x.number("leg"))
		}
		x.made = key
		if len(fit) == 1 {
			fit[0].taken = true
			key, x.made = string(fit[0].id), ""
		}
		id := dataset.ID(f.In.Kind, key)
		if line := cmp.Or(lines[apart], lines[string(id)], r.set.Origin(f.In.Kind, id).Line); line != 0 {
			x.fault("id", "is missing, and without one the row is the same as that on line %d: give one of the two an id of its own", line)
			key, x.made = x.place(), ""
		}
		lines[string(id)] = x.at.Line
		if apart != "" {
			lines[apart] = x.at.Line
		}
		x.identify(key)
	}
}

// fitting are the stored ones of a row's fixture that it may be: one that stands alone, or of
// several those of its name, or of its round, and then of its leg.
func fitting(x *sheetRow, stored []*known, alone bool) (fit []*known) {
	for _, k := range stored {
		switch {
		case k.taken:
		case k.match == nil && slips.Folded(k.name) == slips.Folded(jsonl.TextOf(x.fields.Of("name"))),
			k.match != nil && (alone || k.match.Round == x.number("round")):
			fit = append(fit, k)
		}
	}
	if len(fit) < 2 || fit[0].match == nil {
		return fit
	}
	return slices.DeleteFunc(fit, func(k *known) bool { return k.match.Leg != x.number("leg") })
}

func (k *known) called() string { return strconv.Quote(cmp.Or(k.key, string(k.id))) }

// playedBefore reports whether a stored match is not that of a row, though it is the only one
// of the fixture: it was played in another round, with another result.
func (k *known) playedBefore(x *sheetRow) bool {
	m, round := k.match, x.number("round")
	if m == nil || m.Score == nil || m.Status != sport.Finished && m.Status != sport.Live || round*m.Round == 0 || round == m.Round {
		return false
	}
	score, _ := jsonl.Split(x.fields.Of("score"))
	return string(score.Of("home")) != strconv.Itoa(m.Score.Home) || string(score.Of("away")) != strconv.Itoa(m.Score.Away)
}

// repeats notes a match that has got an id of its own though it is stored with a key that was
// made: it would count twice.
func (r *reader) repeats(x *sheetRow, stored []*known) {
	for _, k := range stored {
		if k.taken || k.match.Round != x.number("round") || !names.IsMade(sport.KindMatch, k.key) {
			continue
		}
		k.taken = true
		r.set.Gone++
		const format = "is new, but the match is stored as %s, from a row without an id: give it that id or none, or delete that one"
		r.set.Left = append(r.set.Left, dataset.Fault{File: x.at.File, Line: x.at.Line, Field: "id", Message: fmt.Sprintf(format, k.key), Kind: format})
	}
}

// left notes the stored matches of a season with keys that were made, and that its rows do not
// give any more though some of them are new: a match that changed its teams would count twice.
// Where none is new it says that they stay, of a sheet that gives most of the season.
func (r *reader) left(ctx context.Context, in Scope, rows []sheetRow, stored map[names.Fixture][]*known) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(x sheetRow) bool { return x.follows.In != in })
	var gone []names.Fixture
	keys := map[names.Fixture]string{}
	for f, some := range stored {
		for _, k := range some {
			if !k.taken && names.IsMade(sport.KindMatch, k.key) {
				gone, keys[f] = append(gone, f), k.key
			}
		}
	}
	if len(rows) == 0 || len(gone) == 0 {
		return nil
	}
	slices.SortFunc(gone, func(a, b names.Fixture) int { return cmp.Compare(keys[a], keys[b]) })
	d, err := r.directory(ctx, Scope{Kind: sport.KindTeam, ID: in.ID, Season: in.Season})
	if err != nil {
		return err
	}
	added := slices.DeleteFunc(slices.Clone(rows), func(x sheetRow) bool { return x.made == "" })
	if len(added) == 0 {
		if 2*len(gone) <= len(rows) && r.faults.Count() == 0 {
			r.set.Warnings.Add(dataset.Fault{File: rows[0].at.File, Note: true, Message: fmt.Sprintf(
				"no more has %s (%s), which stays as it is stored (%d such): a row with its id, and true in deleted, deletes it", d.Fixture(gone[0]), keys[gone[0]], len(gone))})
		}
		return nil
	}
	first, was, best := added[0].at, 0, -1
	var is names.Fixture
	for _, x := range added { // the two that are most alike say most
		for i, f := range gone {
			alike := 0
			if f.First == x.follows.Two && f.Two == x.follows.First {
				alike = 2
			} else if f.First == x.follows.First || f.Two == x.follows.Two {
				alike = 1
			}
			if alike > best {
				best, first, is, was = alike, x.at, x.follows, i
			}
		}
	}
	r.set.Gone += len(gone)
	r.set.Left = append(r.set.Left, dataset.Fault{File: first.File, Line: first.Line, Field: "id", Message: fmt.Sprintf(
		"is missing, and %s is new, while %s (%s) is stored and given no more (of its season %d are new, and %d given no more): give the row that id if it is the same match, or delete that one",
		d.Fixture(is), d.Fixture(gone[was]), keys[gone[was]], len(added), len(gone))})
	return nil
}
