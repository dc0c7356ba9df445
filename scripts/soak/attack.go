package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"touchline/shared/route"
	"touchline/shared/signing"
)

// ask is a request for data that does not change, and the body of its response.
type ask struct {
	target string
	body   []byte
}

// request is a signed request for a target.
func (w *world) request(target string, n uint64) http.Header {
	key := &w.keys[n%uint64(len(w.keys))]
	path, query, _ := strings.Cut(target, "?")
	signed, err := signing.Message{
		Method: "GET", Path: path, Query: query, Timestamp: strconv.FormatInt(time.Now().Unix(), 10), Nonce: fmt.Sprintf("soak-%x-%d", rand.Uint64(), n), //nolint:gosec // unique, not secret
	}.Signed(key.Key.ID, key.Secret.Reveal())
	if err != nil {
		panic(err) // of a target of our own
	}
	h := http.Header{}
	for _, header := range signed.Headers {
		h.Set(header[0], header[1])
	}
	return h
}

// get sends a request once.
func (w *world) get(ctx context.Context, target string, n uint64) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base+target, http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header = w.request(target, n)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %d %s", target, response.StatusCode, body)
	}
	return body, err
}

// gather collects the requests: for each competition except the first, which has
// the live match, its routes and those of some teams, players and matches.
func (w *world) gather(ctx context.Context) error {
	n := uint64(0)
	ids := func(target string) (ids []string, err error) {
		n++
		body, err := w.get(ctx, target, n)
		if err != nil {
			return nil, err
		}
		var page struct{ Data []struct{ ID string } }
		err = json.Unmarshal(body, &page)
		for _, entry := range page.Data {
			ids = append(ids, entry.ID)
		}
		return ids, err
	}
	federation := "/v1/organizations/" + string(w.federation)
	targets := []string{
		federation, federation + "/tree", federation + "/clubs?includeDescendants=true&limit=50",
		federation + "/competitions?includeDescendants=true", federation + "/teams?includeDescendants=true&limit=50&sort=name",
	}
	competitions, err := ids(federation + "/competitions?includeDescendants=true&limit=20")
	if err != nil {
		return err
	}
	for i, c := range competitions {
		of := "/v1/tournaments/" + c
		if i == 0 {
			matches, err := ids(of + "/matches?status=upcoming&limit=1")
			if err != nil || len(matches) == 0 {
				return fmt.Errorf("no upcoming match in %s (%w)", c, err)
			}
			w.live = matches[0]
			continue
		}
		targets = append(targets, of, of+"/standings", of+"/matches?limit=25", of+"/teams", of+"/players?limit=50", of+"/top-scorers", of+"/cards", of+"/statistics")
		for _, list := range []struct{ name, path string }{{"matches", "/v1/matches/%s"}, {"teams", "/v1/teams/%s"}, {"players", "/v1/players/%s"}} {
			found, err := ids(of + "/" + list.name + "?limit=5")
			if err != nil {
				return err
			}
			for _, id := range found {
				target := fmt.Sprintf(list.path, id)
				targets = append(targets, target)
				switch list.name {
				case "matches":
					targets = append(targets, target+"/lineups", target+"/events")
				default:
					targets = append(targets, target+"/statistics", target+"/matches")
				}
			}
		}
	}
	if err := w.score(ctx, 0); err != nil {
		return err
	}
	for _, target := range targets {
		n++
		body, err := w.get(ctx, target, n)
		if err != nil {
			return err
		}
		w.asks = append(w.asks, ask{target, body})
	}
	return nil
}

// score loads a score of the live match.
func (w *world) score(ctx context.Context, home int) error {
	folder := filepath.Join(w.dir, "live")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	line := fmt.Sprintf(`{"id":%q,"patch":true,"status":"live","score":{"home":%d,"away":0}}`+"\n", w.live, home)
	if err := os.WriteFile(filepath.Join(folder, "matches.ndjson"), []byte(line), 0o600); err != nil {
		return err
	}
	end := w.scores.begin(home, time.Now())
	for {
		err := w.load(ctx, folder)
		if err == nil {
			end(time.Now())
			return nil
		}
		select { // the engine may be dead
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// peak is how many requests a second are served to eight callers who wait.
func (w *world) peak(ctx context.Context, during time.Duration) (float64, error) {
	var served, asked atomic.Int64
	var first atomic.Pointer[error]
	begin := time.Now()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for time.Since(begin) < during && ctx.Err() == nil {
				n := asked.Add(1)
				if _, err := w.get(ctx, w.asks[int(n)%len(w.asks)].target, uint64(n)); err != nil { //nolint:gosec // not negative
					first.CompareAndSwap(nil, &err)
					continue
				}
				served.Add(1)
			}
		})
	}
	all.Wait()
	if err := first.Load(); err != nil {
		return 0, fmt.Errorf("a request before the test begins: %w", *err)
	}
	return float64(served.Load()) / time.Since(begin).Seconds(), ctx.Err()
}

// attack sends requests at a rate for a time, and checks the responses. Every
// tenth is for the live match.
func (w *world) attack(ctx context.Context, rate int, during time.Duration, kills int) (*tally, error) {
	t := &tally{}
	var err error
	if t.before, err = w.charged(ctx); err != nil {
		return nil, err
	}
	expected := make(map[string][]byte, len(w.asks))
	for _, a := range w.asks {
		expected[w.base+a.target] = a.body
	}
	live := "/v1/matches/" + w.live
	var n atomic.Uint64
	targeter := func(to *vegeta.Target) error {
		i := n.Add(1)
		target := live
		if i%10 != 0 {
			target = w.asks[rand.IntN(len(w.asks))].target //nolint:gosec // a draw
		}
		*to = vegeta.Target{Method: http.MethodGet, URL: w.base + target, Header: w.request(target, i)}
		return nil
	}
	disturbing, end := context.WithCancel(ctx)
	var others sync.WaitGroup
	var problem atomic.Pointer[error]
	others.Go(func() {
		for home := 1; disturbing.Err() == nil; home++ {
			if err := w.score(disturbing, home); err == nil {
				t.loads++
			}
			wait(disturbing, 5*time.Second)
		}
	})
	others.Go(func() {
		for range kills {
			if !wait(disturbing, during/time.Duration(kills+1)) {
				return
			}
			if err := w.restart(ctx, 2*time.Second); err != nil {
				problem.CompareAndSwap(nil, &err)
				return
			}
			t.kills++
		}
	})
	var rss []int64
	others.Go(func() {
		for wait(disturbing, time.Second) {
			if bytes := w.resident(); bytes > 0 {
				rss = append(rss, bytes)
			}
		}
	})
	attacker := vegeta.NewAttacker(vegeta.Timeout(15*time.Second), vegeta.KeepAlive(true))
	for r := range attacker.Attack(targeter, vegeta.Rate{Freq: rate, Per: time.Second}, during, "soak") {
		if ctx.Err() != nil {
			attacker.Stop()
		}
		fault := ""
		if r.Code == http.StatusOK {
			if strings.HasSuffix(r.URL, live) {
				fault = w.scores.check(r.Body, r.Timestamp, r.Timestamp.Add(r.Latency), route.AgeLive)
			} else if !bytes.Equal(r.Body, expected[r.URL]) {
				fault = fmt.Sprintf("another body than before: %.100s", r.Body)
			}
		}
		t.take(r, fault)
	}
	end()
	others.Wait()
	t.rss = rss
	if err := problem.Load(); err != nil {
		return nil, *err
	}
	return t, ctx.Err()
}

// wait waits, and returns false if ctx has ended.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
