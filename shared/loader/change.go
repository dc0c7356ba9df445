package loader

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// changes turns a dataset's records into the view after. A record that is
// stored as it is given is no change.
type changes struct {
	world   *world
	items   *items
	journal *journal
	report  *Report
	packer  packer
}

// Counts say what a load does with the records of a kind.
type Counts struct {
	Created   int `json:"created"`
	Changed   int `json:"changed"`
	Deleted   int `json:"deleted"`
	Unchanged int `json:"unchanged"`
}

func (c *Counts) add(stored, deleted, same bool) {
	switch {
	case same:
		c.Unchanged++
	case deleted:
		c.Deleted++
	case stored:
		c.Changed++
	default:
		c.Created++
	}
}

// change notes a record that differs from what is stored. It reports whether
// it does.
func change[K comparable, T any](e *entities[K, T], counts *Counts, id K, is *T, same func(was, is *T) bool) bool {
	was := e.at(before, id)
	equal := was == nil && is == nil || was != nil && is != nil && same(was, is)
	counts.add(was != nil, is == nil, equal)
	if equal {
		return false
	}
	e.changed[id] = is
	return true
}

func (c *changes) organization(r *dataset.Record[sport.Organization]) {
	w := c.world
	was := w.organizations.at(before, r.ID)
	var is *organization
	if !r.Deleted {
		is = &organization{Organization: r.Value}
		if was != nil { // until spread says otherwise
			is.reach, is.cross, is.leaf = was.reach, was.cross, was.leaf
		}
	}
	if !change(&w.organizations, &c.report.Organizations, r.ID, is, func(was, is *organization) bool {
		return reflect.DeepEqual(was.Organization, is.Organization)
	}) {
		return
	}
	c.items.source(sport.KindOrganization, r.ID)
	journalRecord(c.journal, r)
	if was != nil {
		for _, p := range was.Parents() {
			w.children.remove(p, r.ID)
		}
	}
	if is != nil {
		for _, p := range is.Parents() {
			w.children.add(p, r.ID)
		}
	}
}

func (c *changes) competition(r *dataset.Record[sport.Competition]) {
	w := c.world
	if r.Deleted && r.Value.Season == 0 {
		w.seasons.each(before, r.ID, func(year int) {
			one := *r
			one.Value.Season = year
			c.competition(&one)
		})
		return
	}
	id := season{ID: r.ID, Season: r.Value.Season}
	was := w.competitions.at(before, id)
	var is *competition
	if !r.Deleted {
		is = &competition{Competition: r.Value}
		is.EndsAt = is.EndsAt.Truncate(time.Second)
		if was != nil { // until setCurrent says otherwise
			is.current = was.current
		}
	}
	if !change(&w.competitions, &c.report.Competitions, id, is, func(was, is *competition) bool {
		return reflect.DeepEqual(was.Competition, is.Competition)
	}) {
		return
	}
	c.items.source(sport.KindCompetition, r.ID)
	journalRecord(c.journal, r)
	if is == nil {
		w.seasons.remove(r.ID, id.Season)
		return
	}
	w.seasons.add(r.ID, id.Season)
	w.owned.add(is.OrganizationID, r.ID)
	if is.ParentID != "" {
		w.stages.add(is.ParentID, r.ID)
	}
}

// moved journals the seasons of a competition that are as they were, but not,
// or no longer, the current one: their records lie elsewhere then, and a load
// that is killed may have taken them from the one place and not brought them to
// the other.
func (c *changes) moved(id sport.ID) {
	w := c.world
	w.seasons.each(after, id, func(year int) {
		key := season{ID: id, Season: year}
		was, is := w.competitions.at(before, key), w.competitions.at(after, key)
		if was != nil && is != nil && was.current != is.current && reflect.DeepEqual(was.Competition, is.Competition) {
			journalRecord(c.journal, &dataset.Record[sport.Competition]{ID: id, Key: string(id), Value: is.Competition})
		}
	})
}

func (c *changes) team(r *dataset.Record[sport.Team]) {
	w := c.world
	was := w.teams.at(before, r.ID)
	var is *team
	if !r.Deleted {
		is = &team{r.Value}
	}
	if !change(&w.teams, &c.report.Teams, r.ID, is, func(was, is *team) bool { return *was == *is }) {
		return
	}
	c.items.source(sport.KindTeam, r.ID)
	journalRecord(c.journal, r)
	if was != nil && was.CompetitionID != "" {
		w.entered.remove(was.season(), r.ID)
	}
	if is == nil {
		return
	}
	if is.CompetitionID != "" {
		w.entered.add(is.season(), r.ID)
	}
	if is.OrganizationID != "" {
		w.ownedTeams.add(is.OrganizationID, r.ID)
	}
}

func (c *changes) player(r *dataset.Record[sport.Player]) {
	w := c.world
	was := w.players.at(before, r.ID)
	var is *player
	if !r.Deleted {
		is = &player{Player: r.Value}
		if was != nil { // until setLineups says otherwise
			is.lineups = was.lineups
		}
	}
	if !change(&w.players, &c.report.Players, r.ID, is, func(was, is *player) bool { return was.Player == is.Player }) {
		return
	}
	c.items.source(sport.KindPlayer, r.ID)
	journalRecord(c.journal, r)
	if was != nil {
		w.squads.remove(was.TeamID, r.ID)
	}
	if is != nil {
		w.squads.add(is.TeamID, r.ID)
	}
}

func (c *changes) match(r *dataset.Record[dataset.Match]) error {
	w := c.world
	was := w.matches.at(before, r.ID)
	var is *match
	if !r.Deleted {
		var err error
		if is, err = c.packer.match(r.Value.Full()); err != nil {
			return fmt.Errorf("%s:%d: %w", r.Origin.File, r.Origin.Line, err)
		}
	}
	if !change(&w.matches, &c.report.Matches, r.ID, is, sameMatch) {
		return nil
	}
	c.items.source(sport.KindMatch, r.ID)
	journalRecord(c.journal, r)
	if was != nil {
		w.played.remove(was.season(), r.ID)
		w.fixtures.remove(was.HomeTeamID, r.ID)
		w.fixtures.remove(was.AwayTeamID, r.ID)
	}
	if is != nil {
		if is.CompetitionID != "" {
			w.played.add(is.season(), r.ID)
		}
		w.fixtures.add(is.HomeTeamID, r.ID)
		w.fixtures.add(is.AwayTeamID, r.ID)
	}
	return nil
}

func sameMatch(was, is *match) bool {
	return bytes.Equal(was.detailHash, is.detailHash) && reflect.DeepEqual(was.Match, is.Match)
}

func (c *changes) table(r *dataset.Record[sport.GivenTable]) {
	id := tableID{season{ID: r.Value.CompetitionID, Season: r.Value.Season}, r.Value.Table}
	var is *sport.GivenTable
	if !r.Deleted {
		is = &r.Value
	}
	if change(&c.world.tables, &c.report.Standings, id, is, func(was, is *sport.GivenTable) bool { return reflect.DeepEqual(was, is) }) {
		c.items.source(kindTable, r.Value.CompetitionID)
		journalRecord(c.journal, r)
		if was := c.world.tables.at(before, id); was != nil {
			for _, row := range was.Rows {
				c.world.named.remove(row.TeamID, id)
			}
		}
		if is != nil {
			for _, row := range is.Rows {
				c.world.named.add(row.TeamID, id)
			}
		}
	}
}

// details are the parts of a match that only its own routes show.
type details struct {
	Lineups    *sport.Lineups         `json:"l,omitempty"`
	Events     []sport.Event          `json:"e,omitempty"`
	Statistics *sport.MatchStatistics `json:"s,omitempty"`
}

// hashLength is how many bytes of a SHA-256 tell details apart: none of
// billions is taken for another.
const hashLength = 16

// packer takes matches apart.
type packer struct {
	buffer   bytes.Buffer
	deflater *flate.Writer
}

// match keeps what tables and lists need of a match, and packs the rest as it
// is stored.
func (p *packer) match(full sport.Match) (*match, error) {
	m := &match{Match: full}
	m.Lineups, m.Events, m.Statistics = nil, nil, nil
	m.Kickoff = m.Kickoff.Truncate(time.Millisecond)
	if full.Lineups == nil && len(full.Events) == 0 && full.Statistics == nil {
		return m, nil
	}
	data, err := json.Marshal(details{full.Lineups, full.Events, full.Statistics})
	if err != nil {
		return nil, fmt.Errorf("encode the details of match %s: %w", full.ID, err)
	}
	sum := sha256.Sum256(data)
	m.detailHash = sum[:hashLength]
	if m.detail, err = p.deflate(data); err != nil {
		return nil, err
	}
	m.squad = squadOf(full.Lineups)
	return m, nil
}

func (p *packer) deflate(data []byte) ([]byte, error) {
	p.buffer.Reset()
	if p.deflater == nil {
		w, err := flate.NewWriter(&p.buffer, flate.DefaultCompression)
		if err != nil {
			return nil, err
		}
		p.deflater = w
	}
	p.deflater.Reset(&p.buffer)
	if _, err := p.deflater.Write(data); err != nil {
		return nil, err
	}
	if err := p.deflater.Close(); err != nil {
		return nil, err
	}
	return bytes.Clone(p.buffer.Bytes()), nil
}

// squadOf are the players of line-ups that are published (D45), in id order.
func squadOf(l *sport.Lineups) []sport.ID {
	if l == nil || !l.Confirmed {
		return nil
	}
	var squad []sport.ID
	for _, entries := range [][]sport.LineupEntry{l.Home.Starting, l.Home.Bench, l.Away.Starting, l.Away.Bench} {
		for _, e := range entries {
			squad = append(squad, e.PlayerID)
		}
	}
	slices.Sort(squad)
	return slices.Compact(squad)
}

// names reports whether a match's stored details name a player.
func names(item store.Item, id sport.ID) (bool, error) {
	r, err := unmarshal[records.DetailRecord](item)
	if err != nil {
		return false, err
	}
	d, err := inflate(r.Parts)
	if err != nil {
		return false, err
	}
	if d.Lineups != nil {
		for _, entries := range [][]sport.LineupEntry{d.Lineups.Home.Starting, d.Lineups.Home.Bench, d.Lineups.Away.Starting, d.Lineups.Away.Bench} {
			if slices.ContainsFunc(entries, func(e sport.LineupEntry) bool { return e.PlayerID == id }) {
				return true, nil
			}
		}
	}
	return slices.ContainsFunc(d.Events, func(e sport.Event) bool {
		return e.PlayerID == id || e.AssistID == id || e.PlayerInID == id || e.PlayerOutID == id
	}), nil
}

func inflate(parts []byte) (*details, error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(parts)))
	if err != nil {
		return nil, fmt.Errorf("decode the details of a match: %w", err)
	}
	d := new(details)
	if err := json.Unmarshal(data, d); err != nil {
		return nil, fmt.Errorf("decode the details of a match: %w", err)
	}
	return d, nil
}
