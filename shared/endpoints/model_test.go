package endpoints_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"
)

// model is a small federation at random: every kind of parent, visibility,
// status and season in a few dozen records.
type model struct {
	organizations []organization
	competitions  []competition
	teams         []team
	players       []player
	matches       []match
	tables        []given
}

type organization struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Name       string   `json:"name"`
	Parent     string   `json:"parentId,omitempty"`
	Additional []string `json:"additionalParentIds,omitempty"`
	Status     string   `json:"status"`
	Visibility string   `json:"visibility"`
}

type competition struct {
	ID           string  `json:"id"`
	Season       int     `json:"season"`
	Current      bool    `json:"current"`
	Name         string  `json:"name"`
	Organization string  `json:"organizationId"`
	Gender       string  `json:"gender,omitempty"`
	Completed    bool    `json:"completed"`
	EndsAt       string  `json:"endsAt,omitempty"`
	Visibility   string  `json:"visibility"`
	Rules        rules   `json:"rules"`
	Groups       []group `json:"groups,omitempty"`
	Parent       string  `json:"parentId,omitempty"`
	Stage        string  `json:"stage,omitempty"`
	Format       string  `json:"format,omitempty"`
}

type group struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Order int    `json:"order"`
}

// given is a table that the dataset gives.
type given struct {
	Competition string     `json:"competitionId"`
	Season      int        `json:"season"`
	Table       string     `json:"table"`
	Rows        []givenRow `json:"rows"`
}

type givenRow struct {
	Rank         int    `json:"rank"`
	Team         string `json:"teamId"`
	Played       int    `json:"played"`
	Won          int    `json:"won"`
	Drawn        int    `json:"drawn"`
	Lost         int    `json:"lost"`
	GoalsFor     int    `json:"goalsFor"`
	GoalsAgainst int    `json:"goalsAgainst"`
	Points       int    `json:"points"`
}

type rules struct {
	HidePlayers bool `json:"hidePlayers"`
}

type team struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	ShortName    string `json:"shortName"`
	Organization string `json:"organizationId,omitempty"`
	Competition  string `json:"competitionId,omitempty"`
	Season       int    `json:"season,omitempty"`
	Status       string `json:"status"`
	Visibility   string `json:"visibility"`
	Group        string `json:"group,omitempty"`
}

type player struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Team       string `json:"teamId"`
	Number     int    `json:"number,omitempty"`
	Position   string `json:"position,omitempty"`
	Photo      string `json:"photo,omitempty"`
	Status     string `json:"status"`
	Visibility string `json:"visibility"`
}

type match struct {
	ID          string      `json:"id"`
	Competition string      `json:"competitionId,omitempty"`
	Season      int         `json:"season,omitempty"`
	Status      string      `json:"status"`
	Kickoff     string      `json:"kickoffAt"`
	Home        string      `json:"homeTeamId"`
	Away        string      `json:"awayTeamId"`
	Round       int         `json:"round,omitempty"`
	Group       string      `json:"group,omitempty"`
	Visibility  string      `json:"visibility"`
	Score       *score      `json:"score,omitempty"`
	Lineups     *lineups    `json:"lineups,omitempty"`
	Events      []happening `json:"events,omitempty"`
}

// happening is an event.
type happening struct {
	Type   string `json:"type"`
	Detail string `json:"detail,omitempty"`
	Minute int    `json:"minute"`
	Side   string `json:"side"`
	Player string `json:"playerId,omitempty"`
	Assist string `json:"assistId,omitempty"`
	In     string `json:"playerInId,omitempty"`
	Out    string `json:"playerOutId,omitempty"`
}

type score struct {
	Home int `json:"home"`
	Away int `json:"away"`
}

type lineups struct {
	Confirmed bool  `json:"confirmed"`
	Home      squad `json:"home"`
	Away      squad `json:"away"`
}

type squad struct {
	Coach    string  `json:"coach,omitempty"`
	Starting []entry `json:"starting"`
	Bench    []entry `json:"bench"`
}

type entry struct {
	Player   string `json:"playerId"`
	Number   int    `json:"number,omitempty"`
	Position string `json:"position,omitempty"`
	Captain  bool   `json:"captain,omitempty"`
}

// names repeat, and hold what tells collation from the order of bytes.
var names = []string{"Albion", "albion", "Älg", "Zebra", "zoo", "Ábaco", "Óbidos", "Über", "Ypsilon", "B-Team", "B Team", "東京", "éclair"}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomModel(r *rand.Rand) *model {
	m := &model{}
	visibility := func() string { return pick(r, "public", "public", "public", "public", "hidden", "private") }
	status := func() string { return pick(r, "active", "active", "inactive") }
	for i := range 14 {
		o := organization{
			ID: fmt.Sprint("o", i), Type: pick(r, "association", "club", "club"), Name: pick(r, names...),
			Status: status(), Visibility: visibility(),
		}
		if i < 2 {
			o.Type, o.Visibility = "federation", "public"
		}
		if i > 0 && r.IntN(8) > 0 {
			o.Parent = fmt.Sprint("o", r.IntN(min(i, 5)))
		}
		for range r.IntN(3) {
			if p := fmt.Sprint("o", r.IntN(max(i, 1))); i > 2 && p != o.Parent && !slices.Contains(o.Additional, p) && o.Parent != "" {
				o.Additional = append(o.Additional, p)
			}
		}
		m.organizations = append(m.organizations, o)
	}
	anyone := func() string { return pick(r, m.organizations...).ID }
	for i := range 7 {
		seasons := []int{2025, 2024, 2023}[:1+r.IntN(3)]
		current := r.IntN(len(seasons))
		for j, season := range seasons {
			m.competitions = append(m.competitions, competition{
				ID: fmt.Sprint("c", i), Season: season, Current: j == current, Name: pick(r, names...),
				Organization: anyone(), Gender: pick(r, "", "men", "women"), Completed: r.IntN(3) == 0,
				EndsAt: pick(r, "", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"), Visibility: visibility(),
				Rules: rules{HidePlayers: r.IntN(5) == 0},
			})
		}
	}
	for i := range 30 {
		x := team{ID: fmt.Sprint("t", i), Name: pick(r, names...), ShortName: "T", Status: status(), Visibility: visibility()}
		if r.IntN(8) > 0 {
			x.Organization = anyone()
		}
		if r.IntN(6) > 0 {
			c := pick(r, m.competitions...)
			x.Competition, x.Season = c.ID, c.Season
		}
		m.teams = append(m.teams, x)
	}
	for i := range 60 {
		m.players = append(m.players, player{
			ID: fmt.Sprint("p", i), Name: pick(r, names...), Team: pick(r, m.teams...).ID, Status: status(), Visibility: visibility(),
		})
	}
	for i := range 25 {
		m.matches = append(m.matches, m.randomMatch(r, i, visibility()))
	}
	return m
}

// randomMatch has players of the home team's club in its line-up, and as scorers: of this
// team entry or another.
func (m *model) randomMatch(r *rand.Rand, i int, visibility string) match {
	home := pick(r, m.teams...)
	var others, club []string
	for _, x := range m.teams {
		if x.ID != home.ID && x.Competition == home.Competition && x.Season == home.Season {
			others = append(others, x.ID)
		}
	}
	x := match{
		ID: fmt.Sprint("m", i), Competition: home.Competition, Season: home.Season, Status: "upcoming",
		Kickoff: "2026-02-01T12:00:00Z", Home: home.ID, Visibility: visibility,
	}
	if others == nil {
		x.Competition, x.Season = "", 0
		others = append(others, m.teams[(slices.Index(m.teams, home)+1)%len(m.teams)].ID)
	}
	x.Away = pick(r, others...)
	for _, p := range m.players {
		if t := m.team(p.Team); t.ID == home.ID || t.Organization == home.Organization && home.Organization != "" {
			club = append(club, p.ID)
		}
	}
	if len(club) > 0 && r.IntN(3) > 0 {
		x.Lineups = &lineups{
			Confirmed: r.IntN(5) > 0,
			Home:      squad{Starting: []entry{{Player: pick(r, club...)}}, Bench: []entry{}},
			Away:      squad{Starting: []entry{}, Bench: []entry{}},
		}
	}
	if len(club) > 0 && r.IntN(2) == 0 {
		for range 1 + r.IntN(4) {
			x.Events = append(x.Events, happening{Type: "goal", Minute: 1 + r.IntN(90), Side: "home", Player: pick(r, club...)})
		}
		x.Status, x.Score = "live", &score{len(x.Events), 0}
	}
	return x
}

func (m *model) organization(id string) *organization {
	return find(m.organizations, func(o organization) bool { return o.ID == id })
}

func (m *model) team(id string) *team {
	return find(m.teams, func(t team) bool { return t.ID == id })
}

// current is the current season of a competition.
func (m *model) current(id string) *competition {
	return find(m.competitions, func(c competition) bool { return c.ID == id && c.Current })
}

func (m *model) season(id string, season int) *competition {
	return find(m.competitions, func(c competition) bool { return c.ID == id && c.Season == season })
}

func find[T any](in []T, is func(T) bool) *T {
	if i := slices.IndexFunc(in, is); i >= 0 {
		return &in[i]
	}
	return nil
}

// dataset writes the model as a dataset.
func (m *model) dataset(t testing.TB) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	write(t, files, "organizations", m.organizations)
	write(t, files, "competitions", m.competitions)
	write(t, files, "teams", m.teams)
	write(t, files, "players", m.players)
	write(t, files, "matches", m.matches)
	write(t, files, "standings", m.tables)
	return files
}

func write[T any](t testing.TB, files fstest.MapFS, name string, records []T) {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	for _, record := range records {
		if err := encoder.Encode(record); err != nil {
			t.Fatal(err)
		}
	}
	files[name+".ndjson"] = &fstest.MapFile{Data: b.Bytes()}
}
