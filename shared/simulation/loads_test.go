package simulation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Whatever becomes of the calls of loads, alone or two at once, killed between
// any two of them: the next load that comes through leaves the table of one
// undisturbed load.
func TestLoadsEndInTheTableOfOneLoad(t *testing.T) {
	n := *schedules / 25
	if testing.Short() {
		n /= 4
	}
	for i := range n {
		seed := *seed + uint64(i)
		if diff := playLoads(t, seed, 1+int(seed%9)); diff != "" {
			t.Fatalf("seed %d: undisturbed (-) and after the schedule (+):\n%s", seed, diff)
		}
	}
}

// playLoads plays loads that replace all data by others, and returns how the table
// differs in the end.
func playLoads(t *testing.T, seed uint64, faults int) (diff string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db, s := simulation.NewDatabase(), New(seed, faults)
		data := rand.New(rand.NewPCG(seed, 2))
		files := season(t, data)
		var open atomic.Int32
		for left := 2 + s.Random.IntN(3); ; {
			synctest.Wait()
			switch {
			case left > 0 && open.Load() < 2 && (s.Pending() == 0 || s.Random.IntN(30) == 0):
				left--
				run, given, caller := loaderOf(db, s.Start(left, func() {}), fmt.Sprint("load ", left)), files, left
				open.Add(1)
				go func() {
					defer open.Add(-1)
					// What it returns depends on the schedule; what counts is the table.
					_, _ = run.Load(WithCaller(context.Background(), caller), given, replacing())
				}()
				if data.IntN(4) > 0 {
					files = season(t, data)
				}
			case s.Pending() > 0:
				s.Step()
			case open.Load() > 0 || s.Late(): // for a lease, or before it tries a call again
				time.Sleep(50 * time.Millisecond)
			default:
				time.Sleep(store.LeaseTerm + time.Second) // of a load that was killed
				undisturbed := simulation.NewDatabase()
				diff = cmp.Diff(loaded(t, undisturbed, files), loaded(t, db, files))
				return
			}
		}
	})
	return diff
}

// loaderOf is a loader of the table of sports, by a process.
func loaderOf(db *simulation.Database, p *Process, holder string) *loader.Loader {
	c := Client{Database: db, Process: p}
	return &loader.Loader{Table: &store.Table{DB: c, Name: "sports"}, Lease: &store.Lease{
		DB: c, Table: "sports", Key: records.LockKey(), Holder: holder, Label: "a test", Now: time.Now,
	}}
}

// replacing are the options of a full load that may delete whatever it likes.
func replacing() loader.Options {
	deletes := 1000
	return loader.Options{Replace: true, AllowDeletes: &deletes, Yes: true}
}

// loaded is all that the table says after a load without faults, but for what it says
// about loads.
func loaded(t *testing.T, db *simulation.Database, files fs.FS) map[store.Key]map[string]any {
	t.Helper()
	if _, err := loaderOf(db, nil, "last").Load(t.Context(), files, replacing()); err != nil {
		t.Fatal(err)
	}
	said := map[store.Key]map[string]any{}
	for _, item := range db.Items("sports") {
		key := store.KeyOf(item)
		if key.PK == records.JournalPK || key == records.VersionKey() {
			continue
		}
		var values map[string]any
		if err := attributevalue.UnmarshalMap(item, &values); err != nil {
			t.Fatal(err)
		}
		said[key] = values
	}
	return said
}

// season is a dataset of some of the same records: whether each is in it, and what it
// says, is drawn. One team has so many players that lists of them have chunks.
func season(t *testing.T, r *rand.Rand) fs.FS {
	t.Helper()
	files := map[string]*strings.Builder{}
	put := func(file string, fields map[string]any) {
		line, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		if files[file] == nil {
			files[file] = &strings.Builder{}
		}
		fmt.Fprintf(files[file], "%s\n", line)
	}
	name := func(of string) string { return fmt.Sprintf("%s %d", of, r.IntN(40)) }
	put("organizations", map[string]any{"id": "o", "type": "federation", "name": name("Federation")})
	put("competitions", map[string]any{"id": "c", "season": 2025, "name": name("League"), "organizationId": "o", "completed": r.IntN(2) == 0})
	var teams, players []string
	for i := range 2 + r.IntN(4) {
		club, team := fmt.Sprint("o", i), fmt.Sprint("t", i)
		teams = append(teams, team)
		put("organizations", map[string]any{"id": club, "type": "club", "name": name("Club"), "parentId": "o", "visibility": pick(r, "public", "public", "hidden")})
		put("teams", map[string]any{"id": team, "name": name("Team"), "shortName": "T", "organizationId": club, "competitionId": "c", "season": 2025})
	}
	for i := range r.IntN(90) {
		player, team := fmt.Sprint("p", i), teams[0]
		if i%4 == 0 {
			team = pick(r, teams...)
		}
		if r.IntN(5) == 0 {
			continue
		}
		players = append(players, player)
		put("players", map[string]any{"id": player, "name": name("Player"), "teamId": team, "number": i, "status": pick(r, "active", "inactive")})
	}
	for i := range r.IntN(20) {
		home := r.IntN(len(teams))
		match := map[string]any{
			"id": fmt.Sprint("m", i), "homeTeamId": teams[home], "awayTeamId": teams[(home+1)%len(teams)],
			"status": "upcoming", "kickoffAt": fmt.Sprintf("2025-09-%02dT15:00:00Z", 1+r.IntN(28)),
		}
		if r.IntN(6) > 0 {
			match["competitionId"], match["season"] = "c", 2025
		}
		if r.IntN(2) == 0 {
			match["status"], match["score"] = pick(r, "finished", "live"), map[string]int{"home": r.IntN(4), "away": r.IntN(4)}
			if len(players) > 0 {
				match["events"] = []map[string]any{{"type": "card", "detail": "yellow", "minute": 5, "side": "home", "playerId": pick(r, players...)}}
			}
		}
		put("matches", match)
	}
	folder := fstest.MapFS{}
	for file, lines := range files {
		folder[file+".ndjson"] = &fstest.MapFile{Data: []byte(lines.String())}
	}
	return folder
}

func pick(r *rand.Rand, options ...string) string { return options[r.IntN(len(options))] }
