package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/store"
)

// TestYear lives through years of a federation: loads by sheet and by line, seasons that
// turn, transfers, hiding, erasing, keys, backups, undos, a table exchanged, and the accidents
// that people have with sheets. After each step the sentences of life.holds are true. A
// history that breaks one is printed as short as it can be made.
//
// It moves with a clock of its own. What is decided in it is kept beside the table (decided),
// and a step says what it may decide otherwise (may).
func TestYear(t *testing.T) {
	years, steps := uint64(6), 40
	if testing.Short() {
		years = 2
	}
	for seed := range years {
		t.Run(fmt.Sprint("file ", seed), func(t *testing.T) { live(t, seed, steps, "") })
	}
	t.Run("DynamoDB", func(t *testing.T) { live(t, 100, steps/2, enginetest.Start(t)) })
}

// live lives a year, and makes its history short where it fails.
func live(t *testing.T, seed uint64, steps int, endpoint string) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	history := []step{{Does: "first", Seed: r.Uint64(), Mode: "plain"}}
	kinds := slices.Sorted(maps.Keys(doings))
	for range steps {
		history = append(history, step{kinds[r.IntN(len(kinds))], r.Uint64(), []string{"plain", "strict", "yes"}[r.IntN(3)]})
	}
	broken, at := lived(t, history, endpoint)
	if broken == "" {
		return
	}
	history = history[:at+1]
	for i := len(history) - 2; i > 0; i-- { // one step less, from the end: it may need those before it
		shorter := slices.Delete(slices.Clone(history), i, i+1)
		if again, at := lived(t, shorter, endpoint); again != "" {
			history, broken = shorter[:at+1], again
			i = min(i, at)
		}
	}
	var b strings.Builder
	for _, s := range history {
		fmt.Fprintf(&b, "\n  %s %s %d", s.Does, s.Mode, s.Seed)
	}
	t.Errorf("%s, after%s", broken, b.String())
}

// step is what somebody does, with its own chance, and how a load is made: with --strict, as
// by a job, or with --yes.
type step struct {
	Does string
	Seed uint64
	Mode string
}

// lived lives a history and says which sentence was broken first, and by which step.
func lived(t *testing.T, history []step, endpoint string) (broken string, at int) {
	t.Helper()
	l := newLife(t, endpoint)
	for i, s := range history {
		l.now = l.now.Add(time.Duration(1+s.Seed%13) * 24 * time.Hour)
		l.r, l.mode, l.may = rand.New(rand.NewPCG(s.Seed, 1)), s.Mode, may{names: s.Mode == "yes"}
		do := doings[s.Does]
		if s.Does == "first" {
			do = first
		}
		if do(l); l.wrong == "" {
			l.holds()
		}
		if l.wrong != "" {
			return l.wrong, i
		}
	}
	return "", len(history)
}

// doings are what people do in a year, each with the accident that it may be.
var doings = map[string]func(*life){
	"results":                  results,
	"results by line":          resultsByLine,
	"a new season":             newSeason,
	"a transfer":               transfer,
	"hide":                     hide,
	"hide a team":              hideTeam,
	"show":                     show,
	"erase":                    erase,
	"revoke a key":             revoke,
	"rotate a key":             rotate,
	"a month of requests":      spend,
	"back up":                  backUp,
	"restore":                  restore,
	"undo":                     undo,
	"a load is killed":         kill,
	"upgrade":                  upgraded,
	"exchange the table":       exchange,
	"names sorted alone":       sortNames,
	"zeros lost":               loseZeros,
	"a season replaced":        replaceSeason,
	"ids renumbered":           renumber,
	"a sheet of last month":    oldSheet,
	"a women's sheet":          women,
	"the sheet without a word": func(l *life) { l.load(l.book) },
}

// first is the sheet with which the year begins: two clubs with two teams each, eight players
// a team, a league of four that plays each other twice.
func first(l *life) {
	b := book{"organizations": {{"id": "fed", "type": "federation", "name": "Estavia"}, {"id": "k", "type": "club", "name": "Kielby", "parentId": "fed"}, {"id": "n", "type": "club", "name": "Norby", "parentId": "fed"}},
		"competitions": {{"id": "liga", "season": "2026", "name": "Liga", "organizationId": "fed", "timezone": "UTC", "type": "league"}}}
	for i := range 4 {
		club := []string{"k", "n"}[i%2]
		b["teams"] = append(b["teams"], row{"id": fmt.Sprintf("t%d/2026", i), "name": fmt.Sprintf("Team %c", 'A'+i), "shortName": fmt.Sprintf("T%c", 'A'+i), "organizationId": club, "competitionId": "liga", "season": "2026"})
		for j := range 4 {
			n := 4*i + j + 1
			b["players"] = append(b["players"], row{"id": fmt.Sprintf("%03d", n), "name": fmt.Sprintf("Name%02d Person%02d", (n*7)%29, n), "teamId": fmt.Sprintf("t%d/2026", i), "number": fmt.Sprint(j + 1)})
		}
	}
	for round := range 6 {
		pairs := [][2][2]int{{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}, {{0, 3}, {1, 2}}}[round%3]
		for i, p := range pairs {
			home, away := p[0], p[1]
			if round > 2 {
				home, away = away, home
			}
			b["matches"] = append(b["matches"], row{"id": fmt.Sprintf("%04d", 2*round+i+1), "competitionId": "liga", "season": "2026", "round": fmt.Sprint(round + 1), "status": "upcoming",
				"kickoffLocal": l.now.AddDate(0, 0, 10*round).Format("2006-01-02 15:04"), "homeTeamId": fmt.Sprintf("t%d/2026", home), "awayTeamId": fmt.Sprintf("t%d/2026", away), "score.home": "", "score.away": ""})
		}
	}
	l.load(b)
	l.makeKey("fed", 10_000)
	l.makeKey("k", 60)
}

func results(l *life) {
	b := l.book.clone()
	for _, i := range []int{l.r.IntN(len(b["matches"])), l.r.IntN(len(b["matches"]))} {
		m := b["matches"][i]
		m["status"], m["score.home"], m["score.away"] = "finished", fmt.Sprint(l.r.IntN(5)), fmt.Sprint(l.r.IntN(5))
		m["kickoffLocal"] = l.now.AddDate(0, 0, -1).Format("2006-01-02 15:04")
	}
	l.load(b)
}

func resultsByLine(l *life) {
	m := l.book["matches"][l.r.IntN(len(l.book["matches"]))]
	l.run("score", m["id"], "2:1", "--end")
	l.loaded()
}

// newSeason is the next season as the guide has it: entries and matches of their own, and
// the players move with it.
func newSeason(l *life) {
	from, to := l.year(), l.year()+1
	b := l.book.clone()
	with := func(v string) string { return strings.ReplaceAll(v, fmt.Sprint(from), fmt.Sprint(to)) }
	for _, kind := range []string{"competitions", "teams", "matches"} {
		for _, was := range l.book[kind] {
			if was["season"] != fmt.Sprint(from) {
				continue
			}
			is := maps.Clone(was)
			for name, v := range is {
				is[name] = with(v)
			}
			if kind == "matches" {
				is["id"], is["status"], is["score.home"], is["score.away"] = was["id"]+"-"+fmt.Sprint(to), "upcoming", "", ""
				is["kickoffLocal"] = l.now.AddDate(0, 2, 0).Format("2006-01-02 15:04")
			}
			b[kind] = append(b[kind], is)
		}
	}
	for _, p := range b["players"] {
		p["teamId"] = with(p["teamId"])
	}
	l.load(b)
}

func transfer(l *life) {
	b := l.book.clone()
	b["players"][l.r.IntN(len(b["players"]))]["teamId"] = b["teams"][l.r.IntN(len(b["teams"]))]["id"]
	l.load(b)
}

func hide(l *life) {
	p := l.book["players"][l.r.IntN(len(l.book["players"]))]
	if l.load(book{"players": {{"id": p["id"], "visibility": "hidden"}}}) {
		l.decide(p["name"], hidden)
	}
}

func hideTeam(l *life) {
	team := l.book["teams"][l.r.IntN(len(l.book["teams"]))]["id"]
	if l.load(book{"teams": {{"id": team, "visibility": "hidden"}}}) {
		for x := range l.stored() { // who is in it, by whatever sheet
			if x["teamId"] == team {
				l.decide(fmt.Sprint(x["name"]), hidden)
			}
		}
	}
}

// show says public, of a player and of his team.
func show(l *life) {
	p := l.book["players"][l.r.IntN(len(l.book["players"]))]
	l.may.names = true
	l.mode = "yes"
	l.load(book{"players": {{"id": p["id"], "visibility": "public"}}, "teams": {{"id": p["teamId"], "visibility": "public"}}})
}

func erase(l *life) {
	i := l.r.IntN(len(l.book["players"]))
	p := l.book["players"][i]
	l.mode = "yes"
	l.may.names = false
	if l.load(book{"players": {{"id": p["id"], "erase": "true"}}}) {
		l.decide(p["name"], erased)
		if l.r.IntN(2) == 0 {
			l.book["players"] = slices.Delete(l.book["players"], i, i+1)
		}
	}
}

// sortNames sorts the column of names without its rows.
func sortNames(l *life) {
	b := l.book.clone()
	var names []string
	for _, p := range b["players"] {
		names = append(names, p["name"])
	}
	slices.Sort(names)
	for i, p := range b["players"] {
		p["name"] = names[i]
	}
	l.mistake(b)
}

// loseZeros is what a spreadsheet makes of a column of ids in digits.
func loseZeros(l *life) {
	b := l.book.clone()
	kind := []string{"players", "matches"}[l.r.IntN(2)]
	for _, x := range b[kind] {
		x["id"] = strings.TrimLeft(x["id"], "0")
	}
	l.mistake(b)
}

// replaceSeason makes the next season by search and replace, with the ids of the matches
// that are stored.
func replaceSeason(l *life) {
	from, to := fmt.Sprint(l.year()), fmt.Sprint(l.year()+1)
	b := l.book.clone()
	empty := l.r.IntN(2) == 0
	for _, kind := range []string{"competitions", "teams", "players", "matches"} {
		for _, x := range b[kind] {
			for name, v := range x {
				x[name] = strings.ReplaceAll(v, from, to)
			}
			if kind == "matches" && empty {
				x["status"], x["score.home"], x["score.away"] = "upcoming", "", ""
			}
		}
	}
	l.mistake(b)
}

// renumber gives the ids of matches, or of players, a new beginning.
func renumber(l *life) {
	b := l.book.clone()
	kind := []string{"players", "matches"}[l.r.IntN(2)]
	last := b[kind][len(b[kind])-1]["id"]
	for _, x := range b[kind] {
		x["id"], last = last, x["id"]
	}
	l.mistake(b)
}

func oldSheet(l *life) {
	if len(l.books) > 0 {
		l.mistake(l.books[l.r.IntN(len(l.books))].clone())
	}
}

// women is the sheet of another league that numbers its matches, or its players, from 1 as
// well.
func women(l *life) {
	b := l.book.clone()
	b["competitions"] = []row{{"id": "frauen", "season": fmt.Sprint(l.year()), "name": "Frauen", "organizationId": "fed", "timezone": "UTC", "type": "league"}}
	for _, kind := range []string{"teams", "matches", "players"} {
		for _, x := range b[kind] {
			for _, name := range []string{"id", "homeTeamId", "awayTeamId", "teamId"} {
				if (kind == "teams" || name != "id") && x[name] != "" {
					x[name] = "w-" + x[name]
				}
			}
			if x["competitionId"] != "" {
				x["competitionId"], x["season"] = "frauen", fmt.Sprint(l.year())
			}
			if kind == "players" {
				x["name"] = strings.Replace(x["name"], "Person", "Woman", 1)
			}
		}
	}
	l.mistake(b)
}

func undo(l *life) {
	before := l.exports
	l.may.results = true
	args := []string{"undo"}
	if l.mode == "yes" {
		args = append(args, "--yes")
	}
	if l.run(args...) != exitOK || !strings.Contains(l.Output.String(), "is undone") || len(before) < 2 || before[len(before)-1] != l.exported {
		return
	}
	was, now := before[len(before)-2], l.export()
	if l.decidedSince == 0 && now != was {
		l.wrong = "an undo did not bring back what was"
	}
	l.exports, l.exported, l.decidedSince = append(before[:len(before)-2:len(before)-2], now), now, 0
}

// kill ends a load after some of its writes. Its result is given again.
func kill(l *life) {
	if len(l.book["matches"]) == 0 {
		return
	}
	m := l.book["matches"][l.r.IntN(len(l.book["matches"]))]["id"]
	l.with(l.t, func(d *database.Database) {
		dies := d.Loader(l.Steps(), 0)
		table := *dies.Table
		table.DB = &dying{DB: table.DB, left: l.r.IntN(6)}
		dies.Table = &table
		line := fmt.Sprintf(`{"id":%q,"patch":true,"status":"finished","score":{"home":3,"away":0}}`, m)
		_, _ = dies.Load(l.t.Context(), fstest.MapFS{"matches.ndjson": {Data: []byte(line)}}, loader.Options{})
	})
	l.now = l.now.Add(time.Hour) // its lease has run out
	l.run("score", m, "3:0", "--end")
	l.exported = l.export()
	l.exports = []string{l.exported} // by one load or two
}

// dying makes so many writes, and fails from then on.
type dying struct {
	store.DB
	left int
}

func (d *dying) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if d.left--; d.left < 0 {
		return store.Reply{}, errors.New("the process was killed")
	}
	return d.DB.Write(ctx, table, writes)
}

// upgraded makes of the data those of an earlier layout, which this build upgrades.
func upgraded(l *life) {
	was := l.export()
	if was == "" {
		return
	}
	l.with(l.t, func(d *database.Database) { becomesFormer(l.t, d.Sports()) })
	l.succeed(l.t, "upgrade")
	l.succeed(l.t, "upgrade", fmt.Sprint("--drop=", former))
	if l.export() != was {
		l.wrong = "an upgrade changed the data"
	}
}
