package data

import (
	"context"
	"slices"

	"golang.org/x/text/language"
	"golang.org/x/text/search"

	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

const (
	shown           = 20 // records of a kind
	maxCompetitions = 50 // whose teams and players are looked through, too
)

// lookup is a search by name below an organization, and what it has found of a kind.
type lookup struct {
	*Source
	top   *records.OrganizationRecord
	has   func(name string) bool
	found Group
}

// byName looks for names that have a text, below the organizations at the top.
func (s *Source) byName(ctx context.Context, tops []*records.OrganizationRecord, text string) (all []Group, err error) {
	l := &lookup{Source: s, has: contains(text)}
	for _, look := range []func(context.Context) error{l.associations, l.clubs, l.competitions, l.teams, l.players} {
		l.found = Group{}
		for _, l.top = range tops {
			if err := look(ctx); err != nil {
				return nil, err
			}
		}
		if len(l.found.Records) > 0 {
			all = append(all, l.found)
		}
	}
	return all, nil
}

// contains reports of a name whether a text is in it, whatever the case and the accents.
func contains(text string) func(string) bool {
	pattern := search.New(language.Und, search.Loose).CompileString(text)
	return func(name string) bool {
		at, _ := pattern.IndexString(name)
		return at >= 0
	}
}

// add adds a record, if its name has the text.
func (l *lookup) add(r Record) {
	switch {
	case !l.has(r.Name), slices.ContainsFunc(l.found.Records, func(one Record) bool { return one.ID == r.ID }):
	case len(l.found.Records) == shown:
		l.found.More = true
	default:
		l.found.Records = append(l.found.Records, r)
	}
}

// in looks through a list, which is read whole.
func in[T any](ctx context.Context, l *lookup, list records.List[T], of pagedlist.Schema[T], record func(T) Record) error {
	entries, err := pagedlist.All(ctx, l.get, of, pagedlist.Request[T]{List: string(list), WithHidden: true})
	for _, e := range entries {
		l.add(record(e))
	}
	return err
}

// owned is the list of what the organization and those below it own.
func owned[T any](l *lookup, lists records.Owned[T]) records.List[T] {
	if l.top.Leaf {
		return lists.Of(l.top.ID, records.ByName)
	}
	return lists.Below(l.top.ID, records.ByName)
}

// entered looks through lists of the competitions below the organization: a team without
// a club, and its players, are in no list of an organization.
func entered[T any](ctx context.Context, l *lookup, list func(sport.ID, records.Tag) records.List[T], of pagedlist.Schema[T], record func(T) Record) error {
	all, total, err := pagedlist.Read(ctx, l.get, records.CompetitionSchema(nil), pagedlist.Request[records.Competition]{
		List: string(owned(l, records.Competitions)), Limit: maxCompetitions,
	})
	if total > len(all) {
		l.found.First = len(all)
	}
	for _, c := range all {
		if err == nil {
			err = in(ctx, l, list(c.ID, records.CurrentTag), of, record)
		}
	}
	return err
}

// associations are those below, and the organization itself.
func (l *lookup) associations(ctx context.Context) error {
	l.add(ofOrganization(l.top.Organization))
	return in(ctx, l, records.OrganizationsBelow(sport.Association, l.top.ID, records.ByName), records.OrganizationSchema(nil), ofOrganization)
}

func (l *lookup) clubs(ctx context.Context) error {
	return in(ctx, l, records.OrganizationsBelow(sport.Club, l.top.ID, records.ByName), records.OrganizationSchema(nil), ofOrganization)
}

func (l *lookup) competitions(ctx context.Context) error {
	return in(ctx, l, owned(l, records.Competitions), records.CompetitionSchema(nil), ofCompetition)
}

func (l *lookup) teams(ctx context.Context) error {
	if err := in(ctx, l, owned(l, records.Teams), records.TeamSchema(nil), ofTeam); err != nil {
		return err
	}
	return entered(ctx, l, records.TournamentTeams, records.TeamSchema(nil), ofTeam)
}

func (l *lookup) players(ctx context.Context) error {
	if err := in(ctx, l, owned(l, records.Players), records.PlayerSchema(nil), ofPlayer); err != nil {
		return err
	}
	return entered(ctx, l, records.TournamentPlayers, records.PlayerSchema(nil), ofPlayer)
}
