package endpoints_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/dataset/files"
	"touchline/shared/demo"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/sport"
)

// TestWhatABodyNamesCanBeAskedFor gives records at random visibilities and asks
// everything with the key of the whole federation. Every player, team, match and
// competition that a body names is answered by its id (D68).
func TestWhatABodyNamesCanBeAskedFor(t *testing.T) {
	dir := t.TempDir()
	if err := demo.Write(dir, time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	sets := map[string]fs.FS{"demo": os.DirFS(dir), "norland": os.DirFS("scripts/testdata/norland"), "stages": os.DirFS("scripts/testdata/stages"), "children": os.DirFS("scripts/testdata/children")}
	worlds := 6
	if testing.Short() {
		worlds = 3
	}
	hidden := 0
	for name, set := range sets {
		for seed := range uint64(worlds) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 4))
				hidden += newReached(t, veil(t, r, set), set).askAll(t)
			})
		}
	}
	t.Run("a league is hidden and one of its clubs private", func(t *testing.T) {
		all := readLines(t, sets["demo"])
		for _, line := range all[sport.KindCompetition] {
			if line["id"] == "est.premier" {
				line["visibility"] = "hidden"
			}
		}
		club := slices.IndexFunc(all[sport.KindOrganization], func(o map[string]any) bool { return o["type"] == "club" })
		all[sport.KindOrganization][club]["visibility"] = "private"
		newReached(t, all, sets["demo"]).askAll(t)
	})
	if hidden < 100 {
		t.Errorf("only %d records are out of sight: that shows little", hidden)
	}
}

// recordLines are a dataset: those of each kind.
type recordLines map[sport.Kind][]map[string]any

func readLines(t *testing.T, set fs.FS) recordLines {
	t.Helper()
	all := recordLines{}
	for _, kind := range []sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch} {
		of := json.NewDecoder(bytes.NewReader(plainOf(t, set, files.Holding(kind).String()+".ndjson")))
		for of.More() {
			var line map[string]any
			if err := of.Decode(&line); err != nil {
				t.Fatal(err)
			}
			all[kind] = append(all[kind], line)
		}
	}
	return all
}

// veil gives records visibilities: to some of all, and to more of some kinds. What has no parent is below the first.
func veil(t *testing.T, r *rand.Rand, set fs.FS) recordLines {
	t.Helper()
	all := readLines(t, set)
	veiled := pick(r, []sport.Kind{sport.KindOrganization, sport.KindCompetition}, []sport.Kind{sport.KindCompetition}, []sport.Kind{sport.KindTeam}, nil)
	for kind, records := range all {
		for i, line := range records {
			root := kind == sport.KindOrganization && i == 0
			if kind == sport.KindOrganization && line["parentId"] == nil && !root {
				line["parentId"] = records[0]["id"]
			}
			if slices.Contains(veiled, kind) && r.IntN(3) == 0 || r.IntN(12) == 0 {
				line["visibility"] = pick(r, "hidden", "private")
			}
			if root {
				delete(line, "visibility")
			}
		}
	}
	return all
}

// reached is a federation that was loaded, and what its ids are those of.
type reached struct {
	*service
	root  key
	kinds map[string]sport.Kind
	years map[string][]int // of a competition
	named map[string]string
}

func newReached(t *testing.T, all recordLines, from fs.FS) *reached {
	t.Helper()
	x := &reached{kinds: map[string]sport.Kind{}, years: map[string][]int{}, named: map[string]string{}}
	set := fstest.MapFS{}
	for kind, records := range all {
		var text strings.Builder
		for _, line := range records {
			id := string(sport.IDFor(kind, line["id"].(string)))
			x.kinds[id] = kind
			if year, ok := line["season"].(float64); ok && kind == sport.KindCompetition {
				x.years[id] = append(x.years[id], int(year))
			}
			b, err := json.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(append(b, '\n'))
		}
		set[files.Holding(kind).String()+".ndjson"] = &fstest.MapFile{Data: []byte(text.String())}
	}
	if given, err := fs.ReadFile(from, "standings.ndjson"); err == nil {
		set["standings.ndjson"] = &fstest.MapFile{Data: given}
	}
	x.service = serve(t, set)
	x.root = keyOf(all[sport.KindOrganization][0]["id"].(string))
	return x
}

// askAll asks every route about every record, and then for all that was named. It returns
// how many records are not answered.
func (x *reached) askAll(t *testing.T) (missed int) {
	t.Helper()
	segments := map[string]sport.Kind{
		"{alias}": sport.KindOrganization, "tournaments": sport.KindCompetition, "teams": sport.KindTeam,
		"players": sport.KindPlayer, "matches": sport.KindMatch,
	}
	for o := range groups.Table(endpoints.Deps{}).All() {
		head := strings.Split(o.Path, "/")[2]
		for id, kind := range x.kinds {
			if kind != segments[head] && (kind != sport.KindOrganization || o.Path != "/v1/teams/{id}/matches") {
				continue
			}
			target := strings.NewReplacer("{alias}", "organizations", "{id}", id).Replace(o.Path)
			queries := []string{""}
			for _, p := range o.Params {
				switch p.Name {
				case "includeDescendants":
					queries = append(queries, "includeDescendants=true")
				case "type", "scope":
					for _, value := range p.Enum {
						queries = append(queries, p.Name+"="+value)
					}
				case "season":
					for _, year := range x.years[id] {
						queries = append(queries, fmt.Sprint("season=", year))
					}
				}
			}
			for _, q := range queries {
				for _, p := range o.Params {
					if p.Name == "limit" {
						q = strings.TrimPrefix(q+"&limit=100", "&")
					}
				}
				x.note(t, strings.TrimSuffix(target+"?"+q, "?"))
			}
		}
	}
	for id, where := range x.named {
		path := "/v1/" + map[sport.Kind]string{sport.KindCompetition: "tournaments", sport.KindTeam: "teams", sport.KindPlayer: "players", sport.KindMatch: "matches"}[x.kinds[id]] + "/" + id
		status, _ := x.ask(t, x.root, path)
		for _, year := range x.years[id] {
			if s, _ := x.ask(t, x.root, fmt.Sprint(path, "?season=", year)); status != 200 {
				status = s
			}
		}
		if status != 200 {
			t.Errorf("%s names the %s %s, whose own answer is %d", where, x.kinds[id], x.names[sport.ID(id)], status)
		}
	}
	return len(x.kinds) - len(x.named)
}

// note notes what is named in the answer to a request.
func (x *reached) note(t *testing.T, target string) {
	t.Helper()
	status, body := x.ask(t, x.root, target)
	if status != 200 {
		return
	}
	for _, id := range anyID.FindAllString(body, -1) {
		if kind := x.kinds[id]; kind != "" && kind != sport.KindOrganization {
			x.named[id] = target
		}
	}
}
