package data

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/dataset"
	"touchline/shared/loader/diff"
	"touchline/shared/sport"
	"touchline/shared/store"
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

// Record is one that was found.
type Record struct {
	Kind  sport.Kind
	ID    sport.ID
	Name  string
	About string // what tells it from others of its name
	Key   bool   // by its key or id
}

// Group are the records of a kind that were found by name.
type Group struct {
	Records []Record
	More    bool // there are more
	Prefix  bool // only names that begin with the text were looked for
}

// Finder looks below an organization.
type Finder struct {
	Sports *store.Table
	Below  sport.ID
}

// lookup is a search by name.
type lookup struct {
	*Finder
	top   *records.OrganizationRecord // that is looked below
	names *diff.Collation
	has   func(name string) bool
	from  []byte // the first name that begins with the text
}

// Find gives what was found, by key first, then by name.
func (f *Finder) Find(ctx context.Context, text string) (byKey []Record, byName []Group, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil, nil
	}
	if byKey, err = f.key(ctx, text); err != nil {
		return nil, nil, err
	}
	o, err := read[records.OrganizationRecord](ctx, f.Sports, records.OrganizationKey(f.Below))
	if err != nil || o == nil {
		return byKey, nil, err
	}
	var buffer collate.Buffer
	s := &lookup{
		Finder: f, top: o, names: diff.NewCollation(), has: contains(text),
		from: collate.New(language.Und, collate.Loose).KeyFromString(&buffer, text),
	}
	for _, look := range []func(context.Context) (Group, error){s.associations, s.clubs, s.competitions, s.teams, s.players} {
		group, err := look(ctx)
		if err != nil {
			return nil, nil, err
		}
		if len(group.Records) > 0 {
			byName = append(byName, group)
		}
	}
	return byKey, byName, nil
}

// read reads an item; nil if there isn't one.
func read[T any](ctx context.Context, table *store.Table, key store.Key) (*T, error) {
	item, err := table.Get(ctx, key, false)
	if err != nil || item == nil {
		return nil, err
	}
	return store.Decode[T](item)
}

// key looks for the records with a key or an id.
func (f *Finder) key(ctx context.Context, text string) ([]Record, error) {
	at := map[sport.Kind]store.Key{
		sport.KindOrganization: records.OrganizationKey(dataset.ID(sport.KindOrganization, text)),
		sport.KindCompetition:  records.CompetitionKey(dataset.ID(sport.KindCompetition, text), records.CurrentTag),
		sport.KindTeam:         records.TeamKey(dataset.ID(sport.KindTeam, text)),
		sport.KindPlayer:       records.PlayerKey(dataset.ID(sport.KindPlayer, text)),
		sport.KindMatch:        records.MatchKey(dataset.ID(sport.KindMatch, text)),
	}
	var keys []store.Key
	for _, key := range at {
		keys = append(keys, key)
	}
	items, err := f.Sports.BatchGet(ctx, keys, false)
	if err != nil {
		return nil, err
	}
	var found []Record
	for _, kind := range []sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch} {
		item := items[at[kind]]
		if item == nil {
			continue
		}
		r, err := recordOf(kind, item)
		if err != nil {
			return nil, err
		}
		r.Key = true
		found = append(found, r)
	}
	return found, nil
}

// recordOf is the record of an item.
func recordOf(kind sport.Kind, item store.Item) (Record, error) {
	switch kind {
	case sport.KindOrganization:
		return decoded(item, func(o *records.OrganizationRecord) Record { return ofOrganization(o.Organization) })
	case sport.KindCompetition:
		return decoded(item, func(c *records.CompetitionRecord) Record { return ofCompetition(c.Competition) })
	case sport.KindTeam:
		return decoded(item, func(t *records.TeamRecord) Record { return ofTeam(records.TeamEntry{Team: t.Team}) })
	case sport.KindPlayer:
		return decoded(item, func(p *records.PlayerRecord) Record { return ofPlayer(records.PlayerEntry{Player: p.Player}) })
	}
	return decoded(item, func(m *records.MatchRecord) Record { return ofMatch(m.Match) })
}

func decoded[R any](item store.Item, of func(*R) Record) (Record, error) {
	r, err := store.Decode[R](item)
	if err != nil {
		return Record{}, err
	}
	return of(r), nil
}

func ofOrganization(o records.Organization) Record {
	return Record{Kind: sport.KindOrganization, ID: o.ID, Name: o.Name, About: string(o.Type)}
}

func ofCompetition(c records.Competition) Record {
	return Record{Kind: sport.KindCompetition, ID: c.ID, Name: c.Name, About: fmt.Sprintf("season %d", c.Season)}
}

func ofTeam(t records.TeamEntry) Record {
	about := t.ShortName
	if t.Season > 0 {
		about += fmt.Sprintf(", season %d", t.Season)
	}
	return Record{Kind: sport.KindTeam, ID: t.ID, Name: t.Name, About: strings.TrimPrefix(about, ", ")}
}

func ofPlayer(p records.PlayerEntry) Record {
	return Record{Kind: sport.KindPlayer, ID: p.ID, Name: p.Name, About: p.Team.Name}
}

func ofMatch(m records.Match) Record {
	zone := ""
	if m.Competition != nil {
		zone = m.Competition.Timezone
	}
	about := time.UnixMilli(m.Kickoff).In(parts.Zone(zone)).Format("Mon 2 Jan 2006") + ", " + string(m.Status)
	if m.Score != nil && (m.Status == sport.Live || m.Status == sport.Finished) {
		about += fmt.Sprintf(" %d:%d", m.Score.Home, m.Score.Away)
	}
	return Record{Kind: sport.KindMatch, ID: m.ID, Name: m.Home.Name + " – " + m.Away.Name, About: about}
}
