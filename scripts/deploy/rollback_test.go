package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"touchline/shared/route"
	"touchline/shared/stack"
	"touchline/shared/store/generation"
	"touchline/shared/store/space"
)

// aliases is Lambda with the functions of the stage prod.
type aliases struct {
	releases map[string][]string // of each function's versions, from 1 on
	served   map[string]int      // the version that the alias names
	fails    string              // the function whose alias cannot be moved
	reads    map[string][]string // what releases read: data (space.Reads), tables of data and keys, KMS key
}

func (l *aliases) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/2015-03-31/functions/"), "/")
	name := parts[0]
	w.Header().Set("Content-Type", "application/json")
	switch {
	case l.releases[name] == nil:
		w.Header().Set("X-Amzn-ErrorType", "ResourceNotFoundException")
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"Message": "no such function"}`)
	case parts[1] == "versions":
		list := []map[string]any{{"Version": "$LATEST", "Description": "release latest"}}
		for n, release := range l.releases[name] {
			list = append(list, l.version(n+1, release))
		}
		slices.Reverse(list) // Lambda promises no order
		answer := map[string]any{"Versions": list[2:]}
		if r.URL.Query().Get("Marker") == "" {
			answer = map[string]any{"Versions": list[:2], "NextMarker": "2"}
		}
		_ = json.NewEncoder(w).Encode(answer)
	case parts[1] == "configuration":
		_ = json.NewEncoder(w).Encode(l.version(l.served[name], l.releases[name][l.served[name]-1]))
	case r.Method == http.MethodPut && name == l.fails:
		w.Header().Set("X-Amzn-ErrorType", "AccessDeniedException")
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprint(w, `{"Message": "denied"}`)
	case r.Method == http.MethodPut:
		var move struct{ FunctionVersion, RevisionId string }
		_ = json.NewDecoder(r.Body).Decode(&move)
		if move.RevisionId != "revision" || parts[len(parts)-1] != stack.Live {
			w.WriteHeader(http.StatusPreconditionFailed)
			return
		}
		version, _ := strconv.Atoi(move.FunctionVersion)
		l.served[name] = version
		_, _ = fmt.Fprint(w, `{}`)
	default:
		_, _ = fmt.Fprintf(w, `{"FunctionVersion": "%d", "RevisionId": "revision"}`, l.served[name])
	}
}

func (l *aliases) version(n int, release string) map[string]any {
	reads := l.reads[release]
	return map[string]any{
		"Version": fmt.Sprint(n), "Description": stack.Release(release) + stack.Reading + reads[0],
		"Environment": map[string]any{"Variables": map[string]string{
			stack.VariableSportsTable: reads[1], stack.VariableKeysTable: reads[2], stack.VariableKMSKey: reads[3],
		}},
	}
}

// TestARollbackMovesEveryAliasToTheReleaseBefore, or to one that is named, and
// nothing unless every function has it.
func TestARollbackMovesEveryAliasToTheReleaseBefore(t *testing.T) {
	all := []string{"ping", "organizations", "tournaments", "matches", "teams", "players"}
	reading := func(reads ...string) func(*aliases) {
		return func(l *aliases) { l.reads["b"] = reads }
	}
	for name, tt := range map[string]struct {
		change  func(*aliases)
		words   []string
		want    int // version of all after it
		problem string
	}{
		"the one before":                  {nil, nil, 3, ""},
		"the one before that":             {func(l *aliases) { l.serve(3) }, nil, 1, ""},
		"one that is named":               {nil, []string{"--to", "a"}, 1, ""},
		"forward again":                   {func(l *aliases) { l.serve(2) }, []string{"--to", "c"}, 5, ""},
		"only said":                       {nil, []string{"--dry-run"}, 5, ""},
		"there is none before":            {func(l *aliases) { l.serve(1) }, nil, 1, "there is no release before"},
		"one that is not there":           {nil, []string{"--to", "x"}, 5, "has no version of release x; nothing was moved"},
		"one that a function lacks":       {func(l *aliases) { l.releases["touchline-prod-players"] = []string{"a", "c", "c", "c", "c"} }, nil, 5, "touchline-prod-players has no version of release b; nothing was moved"},
		"a rollback that was broken off":  {func(l *aliases) { l.served["touchline-prod-ping"] = 1 }, nil, 0, "say which one all are to serve, --to RELEASE"},
		"an alias that cannot be moved":   {func(l *aliases) { l.fails = "touchline-prod-teams" }, nil, 0, "run it again with --to b"},
		"other tables":                    {reading(space.Reads, "former", "keys", "key"), nil, 5, "release b reads former, in place of what is served"},
		"other tables, that are meant":    {reading(space.Reads, "former", "keys", "key"), []string{"--other-tables"}, 3, ""},
		"keys that nobody may read":       {reading(space.Reads, "sports", "lost", "key"), []string{"--other-tables"}, 5, "reads lost, which the functions have no right to any more"},
		"data of another form":            {reading("1#another", "sports", "keys", "key"), nil, 5, "release b does not read the data that table sports has"},
		"a build that says not what":      {reading("", "sports", "keys", "key"), nil, 5, "release b does not read the data"},
		"a table that is gone":            {reading(space.Reads, "deleted", "keys", "key"), []string{"--other-tables"}, 5, "reads table deleted, which is not there"},
		"a function that is not deployed": {func(l *aliases) { delete(l.releases, "touchline-prod-players") }, nil, 0, "touchline-prod-players (lambda:GetAlias)"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, anywhere)
			must(t, generation.End(t.Context(), w.table(t), 1, time.Now()))
			w.status, w.region = "UPDATE_COMPLETE", "eu-west-1"
			w.outputs = map[string]string{"SportsTable": "sports", "KeysTable": "keys", "SecretsKey": "key"}
			w.parameters = map[string]string{"FormerSportsTable": "former"}
			if tt.change != nil && strings.Contains(tt.problem, "deleted") {
				w.parameters["FormerSportsTable"] = "deleted"
			}
			w.aliases = aliases{releases: map[string][]string{}, served: map[string]int{}, reads: map[string][]string{}}
			for _, release := range []string{"a", "b", "c"} {
				w.reads[release] = []string{space.Reads, "sports", "keys", "key"}
			}
			for _, function := range all {
				w.releases["touchline-prod-"+function] = []string{"a", "b", "b", "c", "c"}
			}
			w.serve(5)
			if tt.change != nil {
				tt.change(&w.aliases)
			}
			w.write(t, "cdk.json", `{"context": {"region": "us-east-1", "stages": {"prod": {"region": "eu-west-1"}}}}`)
			if tt.words == nil {
				w.write(t, "cdk.json", `{"context": {"region": "eu-west-1", "stages": {"prod": {}}}}`)
			}
			t.Chdir(w.dir)
			calls, out, err := w.run(append([]string{"rollback"}, tt.words...)...)
			if (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
				t.Fatalf("%v: %s", err, out)
			}
			if len(calls) > 0 || !strings.Contains(out, "region eu-west-1") {
				t.Errorf("%q, %s", calls, out)
			}
			if got := slices.Compact(slices.Sorted(maps.Values(w.served))); tt.want > 0 && !slices.Equal(got, []int{tt.want}) {
				t.Errorf("served are %v, want %d: %s", w.served, tt.want, out)
			}
		})
	}
}

// What the documents say to make of a rollback is done, word by word.
func TestTheRollbacksOfTheDocumentsAreMade(t *testing.T) {
	documents := ""
	for _, name := range []string{"README.md", "runbook.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "infra", name))
		must(t, err)
		documents += string(text)
	}
	found := regexp.MustCompile("make rollback STAGE=prod(?: ARGS='?([^'`\n]*))?").FindAllStringSubmatch(documents, -1)
	if len(found) < 8 {
		t.Fatal(found)
	}
	w := newWorld(t, anywhere)
	must(t, generation.End(t.Context(), w.table(t), 1, time.Now()))
	w.status, w.outputs = "UPDATE_COMPLETE", map[string]string{"SportsTable": "sports", "KeysTable": "keys", "SecretsKey": "key"}
	w.aliases = aliases{releases: map[string][]string{}, served: map[string]int{}, reads: map[string][]string{}}
	for _, function := range route.Groups() {
		w.releases[stack.FunctionName("prod", string(function))] = []string{"3f2a9c1b7d60", "c"}
	}
	for _, release := range []string{"3f2a9c1b7d60", "c"} {
		w.reads[release] = []string{space.Reads, "sports", "keys", "key"}
	}
	w.write(t, "cdk.json", `{"context": {"stages": {"prod": {}}}}`)
	t.Chdir(w.dir)
	for _, line := range found {
		w.serve(2)
		if _, out, err := w.run(append([]string{"rollback"}, strings.Fields(line[1])...)...); err != nil {
			t.Errorf("%s: %v: %s", line[0], err, out)
		}
	}
}

func (l *aliases) serve(version int) {
	for name := range l.releases {
		l.served[name] = version
	}
}
