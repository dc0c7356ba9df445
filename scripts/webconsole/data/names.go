package data

import (
	"bytes"
	"context"
	"slices"

	"golang.org/x/text/language"
	"golang.org/x/text/search"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// in looks for names in a list that is in their order; one of up to whole entries is
// read whole.
func in[T any](ctx context.Context, s *lookup, list string, of pagedlist.Schema[T], whole int, record func(T) Record) (Group, error) {
	req := pagedlist.Request[T]{List: list, WithHidden: true}
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

// entered adds what is found in lists of the competitions below the organization: a
// team without a club, and its players, are in no list of an organization.
func entered[T any](ctx context.Context, s *lookup, g Group, list func(sport.ID, records.Tag) records.List[T], of pagedlist.Schema[T], record func(T) Record) (Group, error) {
	all, total, err := s.below(ctx, pagedlist.Request[records.Competition]{Limit: maxCompetitions})
	if err != nil {
		return g, err
	}
	g.More = g.More || total > len(all)
	for _, c := range all {
		if len(g.Records) >= shown {
			break
		}
		found, err := in(ctx, s, string(list(c.ID, records.CurrentTag)), of, wholeOfSeason, record)
		if err != nil {
			return g, err
		}
		g.add(found)
	}
	return g, nil
}

// add adds what another list has.
func (g *Group) add(of Group) {
	g.More, g.Prefix = g.More || of.More, g.Prefix || of.Prefix
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
	list := records.OrganizationsBelow(of, records.RangeOf(s.Below), records.ByName, records.All)
	schema := records.OrganizationSchema(func(o records.Organization) []byte { return s.names.Key(o.Name, o.ID) })
	return in(ctx, s, string(list), schema, wholeList, ofOrganization)
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

// below reads the competitions below the organization.
func (s *lookup) below(ctx context.Context, req pagedlist.Request[records.Competition]) ([]records.Competition, int, error) {
	req.List = s.competitionList()
	return pagedlist.Read(ctx, s.get, s.competitionSchema(), req)
}

func (s *lookup) competitionList() string {
	if s.top.Leaf {
		return string(records.Competitions.Of(s.Below, records.ByName, records.All))
	}
	return string(records.Competitions.Below(records.RangeOf(s.Below), records.ByName, records.All))
}

func (s *lookup) competitionSchema() pagedlist.Schema[records.Competition] {
	return records.CompetitionSchema(func(c records.Competition) []byte { return s.names.Key(c.Name, c.ID) })
}

func (s *lookup) competitions(ctx context.Context) (Group, error) {
	return in(ctx, s, s.competitionList(), s.competitionSchema(), wholeList, ofCompetition)
}

func (s *lookup) teams(ctx context.Context) (Group, error) {
	list := records.Teams.Below(records.RangeOf(s.Below), records.ByName, records.All)
	if s.top.Leaf {
		list = records.Teams.Of(s.Below, records.ByName, records.All)
	}
	schema := records.TeamSchema(func(t records.TeamEntry) []byte { return s.names.Key(t.Name, t.ID) })
	g, err := in(ctx, s, string(list), schema, wholeList, ofTeam)
	if err != nil {
		return g, err
	}
	return entered(ctx, s, g, records.TournamentTeams, schema, ofTeam)
}

func (s *lookup) players(ctx context.Context) (Group, error) {
	list := records.Players.Below(records.RangeOf(s.Below), records.ByName, records.All)
	if s.top.Leaf {
		list = records.Players.Of(s.Below, records.ByName, records.All)
	}
	schema := records.PlayerSchema(func(p records.PlayerEntry) []byte { return s.names.Key(p.Name, p.ID) })
	g, err := in(ctx, s, string(list), schema, wholeList, ofPlayer)
	if err != nil {
		return g, err
	}
	return entered(ctx, s, g, records.TournamentPlayers, schema, ofPlayer)
}

// contains reports of a name whether a text is in it, whatever the case and the accents.
func contains(text string) func(string) bool {
	pattern := search.New(language.Und, search.Loose).CompileString(text)
	return func(name string) bool {
		at, _ := pattern.IndexString(name)
		return at >= 0
	}
}

// get reads the items of a list.
func (f *Finder) get(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	return f.Sports.BatchGet(ctx, keys, false)
}
