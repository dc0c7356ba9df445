package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/database"
	"touchline/shared/dataset"
	"touchline/shared/endpoints/groups"
	"touchline/shared/limits"
	"touchline/shared/signing"
	"touchline/shared/sport"
)

// book is a workbook of the officer's: rows by sheet.
type book map[string][]row

type row map[string]string

func (b book) clone() book {
	c := book{}
	for kind, rows := range b {
		for _, r := range rows {
			c[kind] = append(c[kind], maps.Clone(r))
		}
	}
	return c
}

// write writes the sheets as CSV.
func (b book) write(t *testing.T, dir string) {
	t.Helper()
	for kind, rows := range b {
		names := map[string]bool{}
		for _, r := range rows {
			for name := range r {
				names[name] = true
			}
		}
		header := slices.Sorted(maps.Keys(names))
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		must(t, w.Write(header))
		for _, r := range rows {
			cells := make([]string, len(header))
			for i, name := range header {
				cells[i] = r[name]
			}
			must(t, w.Write(cells))
		}
		w.Flush()
		writeFile(t, filepath.Join(dir, kind+".csv"), text.String())
	}
}

// verdict is what was decided of a name.
type verdict uint8

const (
	hidden verdict = 1 + iota
	erased
)

// may is what a step is allowed: to show names, or to move results.
type may struct{ names, results bool }

// secret is one that a key had.
type secret struct{ key, text string }

// world is what can be seen at a time.
type world struct {
	bodies  string
	places  map[string]string // of matches: season and teams, by key
	results []string          // which are finished
	any     bool              // there is an organization
}

// life is a federation, its officer, and those who call.
type life struct {
	*screen
	t        *testing.T
	endpoint string
	now      time.Time
	r        interface{ IntN(int) int }
	mode     string
	may      may
	wrong    string // the sentence that was broken

	book   book   // as the officer has it
	books  []book // of before
	tables int

	decided      map[string]verdict
	decidedSince int // decisions since the last load that can be undone
	before       world
	exported     string
	exports      []string // after each load that changed something

	live, ended []secret
	endedAt     map[secret]time.Time
	quota       map[string]int // by key, and what was answered by key and month
	answered    map[string]int
	sent        []*http.Request // lately accepted
	nonce       int
	backups     []string
	erasedAt    map[string]int
}

func newLife(t *testing.T, endpoint string) *life {
	t.Helper()
	l := &life{t: t, endpoint: endpoint, now: time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC), decided: map[string]verdict{},
		quota: map[string]int{}, answered: map[string]int{}, endedAt: map[secret]time.Time{}, erasedAt: map[string]int{}}
	l.screen = keeper(t)
	if endpoint != "" {
		l.data = ""
		l.Env["AWS_ENDPOINT_URL_DYNAMODB"] = endpoint
		for _, table := range []string{"SPORTS", "NONCES", "QUOTAS", "KEYS"} {
			l.Env["TOUCHLINE_"+table+"_TABLE"] = fmt.Sprintf("year-%s-%d", strings.ToLower(table), time.Now().UnixNano())
		}
		dynamoDBOf(t, l.screen)
	}
	l.screen.Now = func() time.Time { return l.now }
	return l
}

// dynamoDBOf makes the tables that a terminal's environment names.
func dynamoDBOf(t *testing.T, term *screen) {
	t.Helper()
	d, err := database.Flags{}.OpenOrMake(t.Context(), &term.Terminal)
	must(t, err)
	d.Close()
}

// year is the season that the officer's book ends with.
func (l *life) year() int {
	year := 0
	for _, c := range l.book["competitions"] {
		var n int
		_, _ = fmt.Sscan(c["season"], &n)
		year = max(year, n)
	}
	return year
}

// load loads a book in the way of the step, and reports whether it was taken.
func (l *life) load(b book) bool {
	dir := filepath.Join(l.t.TempDir(), "set")
	b.write(l.t, dir)
	args := []string{"import"}
	if l.mode != "plain" {
		args = append(args, "--"+l.mode)
	}
	taken := l.run(append(args, dir)...) == exitOK
	if taken {
		l.loaded()
		if len(b) > 3 {
			l.books, l.book = append(l.books, l.book), b
		}
	}
	if l.book == nil {
		l.book = b
	}
	return taken
}

// loaded notes what there is after a command that may have been a load.
func (l *life) loaded() {
	wrote := strings.Contains(l.Output.String()+l.Errors.String(), "wrote ") // before the export
	if now := l.export(); now != l.exported || wrote {
		l.exported, l.decidedSince = now, 0
		l.exports = append(l.exports, now)
	}
}

// mistake loads a book that the officer puts right afterwards.
func (l *life) mistake(b book) {
	was := l.book
	l.load(b)
	l.book = was
}

func (l *life) decide(name string, v verdict) {
	l.decided[name] = max(v, l.decided[name])
	l.decidedSince++
}

// export is the data as the operator has them.
func (l *life) export() string {
	dir := filepath.Join(l.t.TempDir(), "out")
	if l.run("export", dir) != exitOK {
		return ""
	}
	var all strings.Builder
	for _, kind := range []string{"organizations", "competitions", "teams", "players", "matches"} {
		text, _ := os.ReadFile(filepath.Join(dir, kind+".ndjson"))
		all.Write(text)
	}
	return all.String()
}

// stored are the records of an export.
func (l *life) stored() iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for line := range strings.Lines(l.export()) {
			var x map[string]any
			if must(l.t, json.Unmarshal([]byte(line), &x)); !yield(x) {
				return
			}
		}
	}
}

// service does with the service as it would start now. Free is one that counts nothing, whose
// answers cost no write.
func (l *life) service(free bool, do func(http.Handler)) {
	l.with(l.t, func(d *database.Database) {
		sealer, err := apikeys.Sealer(&l.Terminal)
		must(l.t, err)
		s := d.Service()
		s.Opener, s.Now, s.Began, s.Rate, s.FailureLimit = sealer, l.Now, l.now, 1_000_000, 1_000_000
		if free {
			s.Nonces, s.Quotas = counted{}, counted{}
		}
		do(s.Handler(groups.Operations))
	})
}

// counted takes what comes.
type counted struct{}

func (counted) Consume(context.Context, limits.Nonce) error { return nil }

func (counted) Take(_ context.Context, q limits.Quota) (limits.Decision, error) {
	return limits.Decision{Allowed: true}, nil
}

func (l *life) makeKey(organization string, quota int) {
	var k apikeys.IssuedKey
	must(l.t, json.Unmarshal([]byte(l.succeed(l.t, "keys", "create", "--organization", organization, "--all-scopes", "--descendants", "--monthly-quota", fmt.Sprint(quota), "--json")), &k))
	l.live = append(l.live, secret{k.ID, k.Secret})
	l.quota[k.ID] = quota
}

// ask sends a signed request, and counts what is accepted.
func (l *life) ask(h http.Handler, by secret, target string) *httptest.ResponseRecorder {
	l.nonce++
	path, query, _ := strings.Cut(target, "?")
	signed, err := signing.Message{Method: http.MethodGet, Path: path, Query: query, Timestamp: fmt.Sprint(l.now.Unix()), Nonce: fmt.Sprintf("nonce-%020d", l.nonce)}.Signed(by.key, by.text)
	must(l.t, err)
	request := httptest.NewRequest(http.MethodGet, target, nil)
	for _, h := range signed.Headers {
		request.Header.Set(h[0], h[1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request.Clone(l.t.Context()))
	if w.Code == http.StatusOK {
		l.answered[by.key+l.now.Format("2006-01")]++
		l.sent = append(l.sent, request)
	}
	return w
}

// seen asks for everything with the key of the federation.
func (l *life) seen() world {
	w := world{places: map[string]string{}}
	if len(l.live) == 0 {
		return w
	}
	id := func(kind sport.Kind, key any) string { return string(dataset.ID(kind, fmt.Sprint(key))) }
	targets := []string{"/v1/federations/" + id(sport.KindOrganization, "fed") + "/players?includeDescendants=true&limit=100"}
	for x := range l.stored() {
		switch {
		case x["type"] != nil && x["season"] == nil:
			w.any = true
		case x["homeTeamId"] != nil:
			w.places[fmt.Sprint(x["id"])] = fmt.Sprint(x["competitionId"], " ", x["season"], " ", x["homeTeamId"], " ", x["awayTeamId"])
			if x["status"] == "finished" {
				w.results = append(w.results, fmt.Sprint(x["id"]))
			}
			for _, part := range []string{"", "/lineups", "/events"} {
				targets = append(targets, "/v1/matches/"+id(sport.KindMatch, x["id"])+part)
			}
		case x["teamId"] != nil:
			targets = append(targets, "/v1/players/"+id(sport.KindPlayer, x["id"]))
		case x["shortName"] != nil:
			targets = append(targets, "/v1/teams/"+id(sport.KindTeam, x["id"])+"/players?limit=100")
		default:
			targets = append(targets, fmt.Sprintf("/v1/tournaments/%s/players?season=%v&limit=100", id(sport.KindCompetition, x["id"]), x["season"]))
		}
	}
	var bodies strings.Builder
	l.service(true, func(h http.Handler) {
		for _, target := range targets {
			bodies.WriteString(l.ask(h, l.live[0], target).Body.String())
		}
		l.answered[l.live[0].key+l.now.Format("2006-01")] -= len(targets)
		l.sent = nil
	})
	w.bodies = bodies.String()
	return w
}

// holds checks the sentences of the year.
func (l *life) holds() {
	now := l.seen()
	defer func() { l.before = now }()
	// Nobody who was hidden or erased is named on any route or in any byte that can be
	// reached. The step may say public, --yes to just this, --show-again or --allow-erased.
	for _, name := range slices.Sorted(maps.Keys(l.decided)) {
		switch named := strings.Contains(now.bodies, name); {
		case named && l.decided[name] == hidden && l.may.names:
			delete(l.decided, name)
		case named:
			l.wrong = fmt.Sprintf("%s, who was %s, is named", name, map[verdict]string{hidden: "hidden", erased: "erased"}[l.decided[name]])
		case l.decided[name] == erased && l.data != "" && l.inFile(name):
			l.wrong = name + ", who was erased, is in a byte of the file"
		}
	}
	// No finished result moves to another table or to other teams without a number.
	if !l.may.results {
		for _, key := range l.before.results {
			if was, is := l.before.places[key], now.places[key]; is != was {
				l.wrong = fmt.Sprintf("the result of %s moved from %q to %q", key, was, is)
			}
		}
	}
	l.service(false, func(h http.Handler) {
		// No revoked key and no retired secret is answered, no key is lost. One of an
		// organization whose load was undone sees nothing.
		for _, s := range l.ended {
			if w := l.ask(h, s, "/v1/ping"); w.Code != http.StatusUnauthorized && w.Code != http.StatusForbidden {
				l.wrong = fmt.Sprintf("a secret that was ended is answered with %d", w.Code)
			}
		}
		for _, s := range l.live {
			if w := l.ask(h, s, "/v1/ping"); w.Code != http.StatusOK && w.Code != http.StatusTooManyRequests && (now.any || w.Code != http.StatusForbidden) {
				l.wrong = fmt.Sprintf("a key is answered with %d", w.Code)
			}
		}
		// No nonce counts twice.
		for _, request := range l.sent[max(0, len(l.sent)-3):] {
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, request.Clone(l.t.Context())); w.Code == http.StatusOK {
				l.wrong = "a nonce was accepted twice"
			}
		}
	})
	// No organization gets more than its quota.
	for key, quota := range l.quota {
		if n := l.answered[key+l.now.Format("2006-01")]; n > quota {
			l.wrong = fmt.Sprintf("%d requests were answered of %d", n, quota)
		}
	}
}

// inFile reports whether the file holds a text.
func (l *life) inFile(text string) bool {
	all, err := os.ReadFile(filepath.Join(l.data, database.FileName))
	must(l.t, err)
	return bytes.Contains(all, []byte(text))
}

func revoke(l *life) {
	if len(l.live) < 2 {
		l.makeKey("k", 60)
	}
	s := l.live[len(l.live)-1]
	l.succeed(l.t, "keys", "revoke", s.key)
	l.live = slices.DeleteFunc(l.live, func(x secret) bool { return x.key == s.key })
	l.ended = append(l.ended, s)
}

func rotate(l *life) {
	i := l.r.IntN(len(l.live))
	s := l.live[i]
	var k apikeys.IssuedKey
	must(l.t, json.Unmarshal([]byte(l.succeed(l.t, "keys", "rotate", "--json", s.key)), &k))
	l.retire(s.key)
	l.ended, l.live[i] = append(l.ended, s), secret{s.key, k.Secret}
}

// retire ends the older secret of a key.
func (l *life) retire(key string) { l.succeed(l.t, "keys", "rotate", "--drop-older", key) }

// spend sends more than a key may.
func spend(l *life) {
	s := l.live[len(l.live)-1]
	if l.quota[s.key] > 100 {
		return
	}
	l.service(false, func(h http.Handler) {
		for range l.quota[s.key] + 5 {
			l.ask(h, s, "/v1/ping")
		}
	})
}

func backUp(l *life) {
	if l.data == "" {
		return
	}
	file := filepath.Join(l.t.TempDir(), fmt.Sprintf("backup-%d.db", len(l.backups)))
	l.succeed(l.t, "backup", file)
	l.backups = append(l.backups, file)
}

// restore takes one of the backups, the newest or a wrong one.
func restore(l *life) {
	if len(l.backups) == 0 {
		backUp(l)
		return
	}
	l.may.results = true // which are lost is listed and asked
	l.may.names = false
	args := []string{"restore", "--yes"}
	if l.r.IntN(4) == 0 {
		l.may.names = true
		args = append(args, "--show-again")
	}
	if l.run(append(args, l.backups[l.r.IntN(len(l.backups))])...) == exitOK {
		l.exported, l.exports = l.export(), nil
	}
}

// exchange carries the data over into another table.
func exchange(l *life) {
	if l.data != "" {
		return
	}
	dir := filepath.Join(l.t.TempDir(), "carried")
	l.succeed(l.t, "export", "--erasures", dir)
	l.tables++
	l.Env["TOUCHLINE_SPORTS_TABLE"] += "x"
	dynamoDBOf(l.t, l.screen)
	l.succeed(l.t, "import", "--yes", dir)
	l.may.names, l.exports, l.exported = false, nil, l.export()
}
