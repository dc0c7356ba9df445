package data

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Record is one that was found.
type Record struct {
	Kind  sport.Kind
	ID    sport.ID
	Name  string
	About string // what tells it from others of its name
	Key   bool   // by its key or id
}

// Path is the page of the record.
func (r Record) Path() string {
	folder := string(r.Kind) + "s"
	if r.Kind == sport.KindMatch {
		folder = "matches"
	}
	return "/data/" + folder + "/" + url.PathEscape(string(r.ID))
}

// Group are the records of a kind that were found by name.
type Group struct {
	Records []Record
	More    bool // there are more
	First   int  // of so many competitions alone the teams and players were looked for; 0: of all
}

// searchBody is the page of what was found.
type searchBody struct {
	Text  string
	ByKey []Record
	Names []Group
}

// Empty reports whether nothing was found.
func (b searchBody) Empty() bool { return len(b.ByKey)+len(b.Names) == 0 }

// searched is the page of what a text names: nothing is asked of the API for it. A single
// record with that key or id is gone to at once.
func searched(ctx context.Context, a *Asker, r *http.Request) (p Page, err error) {
	b := searchBody{Text: strings.TrimSpace(r.URL.Query().Get("q"))}
	if b.Text != "" {
		b.ByKey, err = a.source.byKey(ctx, b.Text)
	}
	if err == nil && b.Text != "" {
		b.Names, err = a.source.byName(ctx, a.tops, b.Text)
	}
	p = Page{Title: "Search", Body: b}
	if len(b.ByKey) == 1 && len(b.Names) == 0 {
		p.Elsewhere = b.ByKey[0].Path()
	}
	return p, err
}

// byKey looks for the records with a key or an id.
func (s *Source) byKey(ctx context.Context, text string) (found []Record, err error) {
	kinds := []struct {
		key    store.Key
		record func(store.Item) (Record, error)
	}{
		{records.OrganizationKey(dataset.ID(sport.KindOrganization, text)), as(func(o *records.OrganizationRecord) Record { return ofOrganization(o.Organization) })},
		{records.CompetitionKey(dataset.ID(sport.KindCompetition, text), records.CurrentTag), as(func(c *records.CompetitionRecord) Record { return ofCompetition(c.Competition) })},
		{records.TeamKey(dataset.ID(sport.KindTeam, text)), as(func(t *records.TeamRecord) Record { return ofTeam(records.TeamEntry{Team: t.Team}) })},
		{records.PlayerKey(dataset.ID(sport.KindPlayer, text)), as(func(p *records.PlayerRecord) Record { return ofPlayer(records.PlayerEntry{Player: p.Player}) })},
		{records.MatchKey(dataset.ID(sport.KindMatch, text)), as(func(m *records.MatchRecord) Record { return ofMatch(m.Match) })},
	}
	var keys []store.Key
	for _, k := range kinds {
		keys = append(keys, k.key)
	}
	items, err := s.Sports.BatchGet(ctx, keys, false)
	if err != nil {
		return nil, err
	}
	for _, k := range kinds {
		if item := items[k.key]; item != nil {
			r, err := k.record(item)
			if err != nil {
				return nil, err
			}
			r.Key = true
			found = append(found, r)
		}
	}
	return found, nil
}

// as makes records of items.
func as[R any](of func(*R) Record) func(store.Item) (Record, error) {
	return func(item store.Item) (Record, error) {
		r, err := store.Decode[R](item)
		if err != nil {
			return Record{}, err
		}
		return of(r), nil
	}
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
