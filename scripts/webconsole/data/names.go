package data

import (
	"bytes"
	"context"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/search"

	"touchline/shared/loader/diff"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

const (
	wholeList = 2000 // entries: some 70 items
	// maxCompetitions bounds the competitions whose teams and players are looked
	// through, too, and wholeOfSeason the entries of one that are.
	maxCompetitions = 50
	wholeOfSeason   = 600
	// shown is how many records of a kind are shown.
	shown = 20
)

// lookup is a search by name below an organization.
type lookup struct {
	*Source
	top   *records.OrganizationRecord
	names *diff.Collation
	has   func(name string) bool
	from  []byte // the first name that begins with the text
}

// byName looks for names that have a text, below the organizations at the top.
func (s *Source) byName(ctx context.Context, tops []*records.OrganizationRecord, text string) ([]Group, error) {
	var buffer collate.Buffer
	l := lookup{
		Source: s, names: diff.NewCollation(), has: contains(text),
		from: collate.New(language.Und, collate.Loose).KeyFromString(&buffer, text),
	}
	var all []Group
	for _, look := range []func(*lookup, context.Context) (Group, error){(*lookup).associations, (*lookup).clubs, (*lookup).competitions, (*lookup).teams, (*lookup).players} {
		var found Group
		for _, l.top = range tops {
			group, err := look(&l, ctx)
			if err != nil {
				return nil, err
			}
			found.add(group)
		}
		if len(found.Records) > 0 {
			all = append(all, found)
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

// in looks for names in a list that is in their order; one of up to whole entries is
// read whole.
func in[T any](ctx context.Context, s *lookup, list records.List[T], of pagedlist.Schema[T], whole int, record func(T) Record) (Group, error) {
	req := pagedlist.Request[T]{List: string(list), WithHidden: true}
	_, total, err := pagedlist.Read(ctx, s.get, of, req)
	if err != nil || total == 0 {
		return Group{}, err
	}
	g := Group{Prefix: total > whole}
	req.Limit = shown
	if g.Prefix {
		req.From, req.To = s.from, append(bytes.Clone(s.from), 0xFF)
	} else {
		req.Where = func(t T) bool { return s.has(record(t).Name) }
	}
	entries, found, err := pagedlist.Read(ctx, s.get, of, req)
	for _, e := range entries {
		g.Records = append(g.Records, record(e))
	}
	g.More = found > len(entries)
	return g, err
}

// owned looks in the list of what the organization and those below it own.
func owned[T any](ctx context.Context, s *lookup, lists records.Owned[T], of pagedlist.Schema[T], record func(T) Record) (Group, error) {
	return in(ctx, s, ownedList(s, lists), of, wholeList, record)
}

func ownedList[T any](s *lookup, lists records.Owned[T]) records.List[T] {
	if s.top.Leaf {
		return lists.Of(s.top.ID, records.ByName, records.All)
	}
	return lists.Below(s.top.ID, records.ByName, records.All)
}

// entered adds what is found in lists of the competitions below the organization: a
// team without a club, and its players, are in no list of an organization.
func entered[T any](ctx context.Context, s *lookup, g Group, list func(sport.ID, records.Tag) records.List[T], of pagedlist.Schema[T], record func(T) Record) (Group, error) {
	all, total, err := pagedlist.Read(ctx, s.get, s.competitionSchema(), pagedlist.Request[records.Competition]{
		List: string(ownedList(s, records.Competitions)), Limit: maxCompetitions,
	})
	if total > len(all) {
		g.First = len(all)
	}
	for _, c := range all {
		if len(g.Records) >= shown || err != nil {
			break
		}
		var found Group
		found, err = in(ctx, s, list(c.ID, records.CurrentTag), of, wholeOfSeason, record)
		g.add(found)
	}
	return g, err
}

// add adds what another list has.
func (g *Group) add(of Group) {
	g.More, g.Prefix, g.First = g.More || of.More, g.Prefix || of.Prefix, max(g.First, of.First)
	for _, r := range of.Records {
		switch {
		case slices.ContainsFunc(g.Records, func(one Record) bool { return one.ID == r.ID }):
		case len(g.Records) >= shown:
			g.More = true
		default:
			g.Records = append(g.Records, r)
		}
	}
}

func (s *lookup) organizations(ctx context.Context, of sport.OrganizationType) (Group, error) {
	list := records.OrganizationsBelow(of, s.top.ID, records.ByName, records.All)
	schema := records.OrganizationSchema(func(o records.Organization) []byte { return s.names.Key(o.Name, o.ID) })
	return in(ctx, s, list, schema, wholeList, ofOrganization)
}

// associations are those below, and the organization itself.
func (s *lookup) associations(ctx context.Context) (Group, error) {
	g, err := s.organizations(ctx, sport.Association)
	if s.has(s.top.Name) {
		g.Records = append([]Record{ofOrganization(s.top.Organization)}, g.Records...)
	}
	return g, err
}

func (s *lookup) clubs(ctx context.Context) (Group, error) {
	return s.organizations(ctx, sport.Club)
}

func (s *lookup) competitionSchema() pagedlist.Schema[records.Competition] {
	return records.CompetitionSchema(func(c records.Competition) []byte { return s.names.Key(c.Name, c.ID) })
}

func (s *lookup) competitions(ctx context.Context) (Group, error) {
	return owned(ctx, s, records.Competitions, s.competitionSchema(), ofCompetition)
}

func (s *lookup) teams(ctx context.Context) (Group, error) {
	schema := records.TeamSchema(func(t records.TeamEntry) []byte { return s.names.Key(t.Name, t.ID) })
	g, err := owned(ctx, s, records.Teams, schema, ofTeam)
	if err != nil {
		return g, err
	}
	return entered(ctx, s, g, records.TournamentTeams, schema, ofTeam)
}

func (s *lookup) players(ctx context.Context) (Group, error) {
	schema := records.PlayerSchema(func(p records.PlayerEntry) []byte { return s.names.Key(p.Name, p.ID) })
	g, err := owned(ctx, s, records.Players, schema, ofPlayer)
	if err != nil {
		return g, err
	}
	return entered(ctx, s, g, records.TournamentPlayers, schema, ofPlayer)
}
