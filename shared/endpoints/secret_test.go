package endpoints_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	diff "github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// TestNothingTellsOfWhatIsHidden compares what two federations answer that differ only in
// what is hidden: in names and ids of players, teams, matches, competitions and whole clubs,
// in what those did, and in who played in leagues of children: the second one loaded over the
// first, or by itself. Every key asks everything; no byte may differ, but for what allowed
// says, and for headers that every load changes (lasting). The keys of hidden organizations are left out: they see their own (D36).
func TestNothingTellsOfWhatIsHidden(t *testing.T) {
	worlds, keys := 5, 8
	if testing.Short() {
		worlds, keys = 1, 4
	}
	compared, told := 0, 0
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint("world ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 4))
			m := secretive(r)
			table := recordstest.New(t)
			table.Load(t, m.dataset(t))
			disguised, renamed := m.disguised(t, r)
			w := m.ask(renamed)
			w.viewers = w.viewers[:min(keys, len(w.viewers))]
			was := w.ask(t, table)
			if r.IntN(2) == 0 {
				table = recordstest.New(t)
			}
			deletes := 1000
			if _, err := table.Loader().Load(t.Context(), disguised, loader.Options{Replace: true, AllowDeletes: &deletes}); err != nil {
				t.Fatal(err)
			}
			is := w.ask(t, table)
			for i, v := range w.viewers {
				for j, target := range w.targets {
					a, b := allowed(was[i][j].Value()), allowed(is[i][j].Value())
					compared++
					if strings.HasPrefix(a, "200") {
						told++
					}
					if a != b {
						t.Fatalf("%s: %s tells of what is hidden:\n%s", v.ID, target, diff.Diff(a, b))
					}
				}
			}
		})
	}
	t.Logf("%d responses compared, %d of them 200", compared, told)
	if told < compared/20 {
		t.Error("too few of them say anything")
	}
}

// allowed takes out of a response what may tell of what is hidden (D40, D54): the ranks of
// others stay as computed, with the hidden in their places.
func allowed(answer string) string { return ranks.ReplaceAllString(answer, `"rank":0`) }

var ranks = regexp.MustCompile(`"rank":\d+`)

// ask is everything, by the keys of all organizations that are seen, about the records of a
// model by both their ids.
func (m *model) ask(renamed map[string]string) *asked {
	w := &asked{}
	ids, secret := map[sport.Kind][]string{}, map[sport.Kind][]string{}
	know := func(kind sport.Kind, key string) {
		ids[kind] = append(ids[kind], string(sport.IDFor(kind, key)))
		if now := renamed[key]; now != "" {
			ids[kind] = append(ids[kind], string(sport.IDFor(kind, now)))
			if len(secret[kind]) < 2 {
				secret[kind] = append(secret[kind], string(sport.IDFor(kind, key)))
			}
		}
	}
	for _, x := range m.organizations {
		know(sport.KindOrganization, x.ID)
		if m.seen(x.ID) {
			w.addViewers(x.ID)
		}
	}
	for _, x := range m.competitions {
		know(sport.KindCompetition, x.ID)
	}
	for _, x := range m.teams {
		know(sport.KindTeam, x.ID)
	}
	for _, x := range m.players {
		know(sport.KindPlayer, x.ID)
	}
	for _, x := range m.matches {
		know(sport.KindMatch, x.ID)
	}
	for kind := range ids {
		slices.Sort(ids[kind])
		ids[kind] = slices.Compact(ids[kind])
	}
	for operation := range groups.Table(endpoints.Deps{}).All() {
		w.targets = append(w.targets, targetsOf(operation, ids, secret)...)
	}
	return w
}

// secretive is a federation at random of which something of every kind is hidden.
func secretive(r *rand.Rand) *model {
	m := &model{}
	visible := func(of int) string {
		if r.IntN(of) == 0 {
			return pick(r, "hidden", "private")
		}
		return "public"
	}
	for i := range 10 {
		o := organization{ID: fmt.Sprint("o", i), Type: "club", Name: pick(r, names...), Status: "active", Visibility: visible(5)}
		switch {
		case i == 0:
			o.Type, o.Visibility = "federation", "public"
		case i < 3:
			o.Type, o.Parent = "association", "o0"
		default:
			o.Parent = fmt.Sprint("o", r.IntN(3))
			if r.IntN(4) == 0 && o.Parent != "o0" {
				o.Additional = []string{"o0"}
			}
		}
		m.organizations = append(m.organizations, o)
	}
	for i := range 8 {
		c := competition{ID: fmt.Sprint("c", i%6), Season: 2025 - i/6, Current: i < 6, Name: pick(r, names...), Organization: pick(r, "o0", "o1", "o2"), Visibility: visible(5)}
		c.Rules.HidePlayers = r.IntN(3) == 0
		if i == 4 || i == 5 {
			c.Parent, c.Stage, c.Format = fmt.Sprint("c", i-4), pick(r, "playoff", "playout"), pick(r, "league", "knockout")
		}
		if i == 2 {
			c.Groups = []group{{"g1", "One", 1}, {"g2", "Two", 2}}
		}
		m.competitions = append(m.competitions, c)
		var entered []team
		for range 4 {
			x := team{ID: fmt.Sprint("t", len(m.teams)), Name: pick(r, names...), ShortName: "T", Competition: c.ID, Season: c.Season, Status: "active", Visibility: visible(8)}
			x.Organization = fmt.Sprint("o", 3+r.IntN(7))
			if i == 2 {
				x.Group = pick(r, "g1", "g2")
			}
			m.teams, entered = append(m.teams, x), append(entered, x)
		}
		if i == 3 {
			table := given{Competition: c.ID, Season: c.Season, Table: "regular"}
			for j, x := range entered {
				table.Rows = append(table.Rows, givenRow{Rank: j + 1, Team: x.ID, Points: 9 - j})
			}
			m.tables = append(m.tables, table)
		}
		for j, home := range entered {
			for _, away := range entered[j+1:] {
				m.matches = append(m.matches, match{ID: fmt.Sprint("m", len(m.matches)), Competition: c.ID, Season: c.Season, Round: 1 + j, Home: home.ID, Away: away.ID})
			}
		}
	}
	m.matches = append(m.matches, match{ID: "m98", Home: "t0", Away: "t5"}, match{ID: "m99", Home: "t1", Away: "t9"})
	for i := range 4 * len(m.teams) {
		m.players = append(m.players, player{
			ID: fmt.Sprint("p", i), Name: pick(r, names...), Team: fmt.Sprint("t", i/4), Number: r.IntN(20), Status: "active",
			Position: pick(r, "", "goalkeeper", "defender", "forward"), Visibility: visible(4),
		})
	}
	for i := range m.matches {
		x := &m.matches[i]
		x.Visibility, x.Kickoff = visible(8), fmt.Sprintf("2026-02-%02dT12:00:00Z", 1+r.IntN(28))
		m.playOut(r, x)
	}
	return m
}

// playOut gives a match its line-ups and events, or leaves it to come.
func (m *model) playOut(r *rand.Rand, x *match) {
	if x.Status = pick(r, "finished", "finished", "finished", "live", "upcoming", "postponed"); x.Status == "upcoming" {
		return
	}
	x.Score = &score{}
	x.Lineups = &lineups{Confirmed: r.IntN(6) > 0}
	for _, side := range []struct {
		name, team string
		*squad
		goals *int
	}{{"home", x.Home, &x.Lineups.Home, &x.Score.Home}, {"away", x.Away, &x.Lineups.Away, &x.Score.Away}} {
		club := m.clubOf(side.team, x)
		r.Shuffle(len(club), func(i, j int) { club[i], club[j] = club[j], club[i] })
		*side.squad = squad{Coach: pick(r, "", "Cleo"), Starting: []entry{}, Bench: []entry{}}
		for i, id := range club[:min(len(club), 6)] {
			e := entry{Player: id, Captain: i == 0}
			if r.IntN(3) > 0 {
				e.Number, e.Position = 1+r.IntN(30), pick(r, "goalkeeper", "defender", "forward")
			}
			if i < 4 {
				side.Starting = append(side.Starting, e)
			} else {
				side.Bench = append(side.Bench, e)
			}
		}
		for range r.IntN(6) {
			e := happening{Type: pick(r, "goal", "goal", "card", "substitution", "missedPenalty", "suspension"), Minute: 1 + r.IntN(90), Side: side.name}
			switch e.Type {
			case "goal":
				e.Detail, e.Player, e.Assist = pick(r, "regular", "penalty"), pick(r, club...), pick(r, append(club, "")...)
				*side.goals++
			case "card":
				e.Detail, e.Player = pick(r, "yellow", "secondYellow", "red"), pick(r, club...)
			case "substitution":
				e.In, e.Out = club[0], club[len(club)-1]
			default:
				e.Player = pick(r, club...)
			}
			x.Events = append(x.Events, e)
		}
	}
}

// clubOf are the players of a team, and of the other entries of its club, which a match may
// name too, unless it is one against another of them.
func (m *model) clubOf(id string, x *match) (players []string) {
	of := m.team(id).Organization
	derby := m.team(x.Home).Organization == m.team(x.Away).Organization
	for _, p := range m.players {
		if t := m.team(p.Team); t.ID == id || t.Organization == of && !derby {
			players = append(players, p.ID)
		}
	}
	return players
}

// disguised is the dataset of a model with other words for all that is hidden. It returns by
// which ids the hidden records go there.
func (m *model) disguised(t *testing.T, r *rand.Rand) (fstest.MapFS, map[string]string) {
	t.Helper()
	d := new(model)
	d.organizations, d.competitions, d.teams = slices.Clone(m.organizations), slices.Clone(m.competitions), slices.Clone(m.teams)
	d.tables, d.players, d.matches = m.tables, slices.Clone(m.players), slices.Clone(m.matches)
	renamed := map[string]string{}
	rename := func(id string) string { renamed[id] = id + "x"; return "Secret " + id }
	for i := range d.organizations {
		if o := &d.organizations[i]; o.Visibility != "public" {
			o.Name, o.Status = rename(o.ID), "inactive"
		} else if !m.seen(o.ID) { // what is seen may refer to it (D40)
			o.Status = "inactive"
		}
	}
	for i := range d.competitions {
		if c := &d.competitions[i]; !m.competitionShown(c) {
			c.Name, c.Completed, c.Gender = "Secret", true, "women"
		}
	}
	for i := range d.teams {
		if x := &d.teams[i]; !m.teamShown(*x) {
			x.Name, x.ShortName, x.Status = rename(x.ID), "S", "inactive"
		}
	}
	for i := range d.matches {
		m.disguise(r, &d.matches[i], rename)
	}
	for i := range d.players {
		p := &d.players[i]
		if m.playerShown(*p) {
			continue
		}
		p.Name, p.Photo, p.Status = rename(p.ID), "https://img.example/"+p.ID, "inactive"
		if !m.inLineupOfChildren(p.ID) { // which shows these two
			p.Number, p.Position = r.IntN(90), pick(r, "", "goalkeeper", "midfielder")
		}
	}
	for _, x := range d.teams[:2] { // who is in no match
		id := "n" + x.ID
		renamed[id] = id
		d.players = append(d.players, player{ID: id, Name: "New", Team: x.ID, Status: "active", Visibility: "hidden"})
	}
	files := d.dataset(t)
	for name := range files {
		text := files[name].Data
		for id, now := range renamed {
			text = bytes.ReplaceAll(text, []byte(strconv.Quote(id)), []byte(strconv.Quote(now)))
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files, renamed
}

// inLineupOfChildren reports whether a line-up shows a number or a position of a player
// whom it does not name.
func (m *model) inLineupOfChildren(id string) bool {
	return slices.ContainsFunc(m.matches, func(x match) bool {
		return m.hidesPlayers(x.Competition, x.Season) && slices.ContainsFunc(x.entries(), func(e *entry) bool { return e.Player == id })
	})
}

func (x *match) entries() (all []*entry) {
	if x.Lineups == nil {
		return nil
	}
	for _, list := range [][]entry{x.Lineups.Home.Starting, x.Lineups.Home.Bench, x.Lineups.Away.Starting, x.Lineups.Away.Bench} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	return all
}

// disguise changes of a match what nobody may see.
func (m *model) disguise(r *rand.Rand, x *match, rename func(string) string) {
	hidden := !m.shown(*x)
	x.Events = slices.Clone(x.Events)
	if x.Lineups != nil {
		copied := *x.Lineups
		for _, side := range []*squad{&copied.Home, &copied.Away} {
			side.Starting, side.Bench = slices.Clone(side.Starting), slices.Clone(side.Bench)
		}
		x.Lineups = &copied
	}
	switch {
	case hidden:
		rename(x.ID)
		x.Lineups, x.Events = nil, nil
		if x.Score != nil && (x.Visibility != "public" || x.Competition == "" || !m.competitionShown(m.season(x.Competition, x.Season))) {
			x.Score = &score{9, r.IntN(9)} // that of a hidden team counts (D54)
		}
	case m.hidesPlayers(x.Competition, x.Season):
		m.swapChildren(r, x)
	default:
		m.swapHidden(r, x)
	}
}

// swapChildren has others play in a match of children, the same everywhere in it: those
// whose number and position the line-up gives, and anybody else of the club.
func (m *model) swapChildren(r *rand.Rand, x *match) {
	stay := map[string]bool{}
	for _, e := range x.entries() {
		stay[e.Player] = e.Number == 0 || e.Position == ""
	}
	now := map[string]string{}
	for _, team := range []string{x.Home, x.Away} {
		pool := slices.DeleteFunc(m.clubOf(team, x), func(id string) bool { return stay[id] })
		for i, j := range r.Perm(len(pool)) {
			now[pool[i]] = pool[j]
		}
	}
	for _, e := range x.entries() {
		e.Player = cmp.Or(now[e.Player], e.Player)
	}
	for i := range x.Events {
		e := &x.Events[i]
		for _, id := range []*string{&e.Player, &e.In, &e.Out} {
			*id = cmp.Or(now[*id], *id)
		}
		if e.Type == "goal" {
			e.Assist = pick(r, append(m.clubOf(map[string]string{"home": x.Home, "away": x.Away}[e.Side], x), "")...)
		}
	}
	if x.Lineups != nil {
		x.Lineups.Home.Coach, x.Lineups.Away.Coach = "Secret coach", ""
	}
}

// swapHidden takes hidden players out of a match that is shown.
func (m *model) swapHidden(r *rand.Rand, x *match) {
	hidden := func(id string) bool {
		p := find(m.players, func(p player) bool { return p.ID == id })
		return p != nil && !m.playerShown(*p)
	}
	if x.Lineups != nil {
		for _, side := range []*squad{&x.Lineups.Home, &x.Lineups.Away} {
			out := func(e entry) bool { return hidden(e.Player) && r.IntN(2) == 0 }
			side.Starting, side.Bench = slices.DeleteFunc(side.Starting, out), slices.DeleteFunc(side.Bench, out)
		}
	}
	for i := range x.Events {
		e := &x.Events[i]
		for _, id := range []*string{&e.Player, &e.Assist, &e.In, &e.Out} {
			if hidden(*id) && r.IntN(2) == 0 {
				*id = ""
			}
		}
	}
}
