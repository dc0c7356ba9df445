// Package events holds sample gateway events, one folder per function. Its tests
// make them; those of the functions answer them, and those of infra hold them to the gateway.
package events

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/route"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/stack"
)

var update = flag.Bool("update", false, "rewrite the events")

// Who signs the events, and when; README.md names them.
const (
	keyID  = "tk_example"
	secret = "an-example-secret-that-opens-nothing"
	at     = "2026-03-14T15:00:00Z"
)

// sample is a request of the demo federation's.
type sample struct {
	file, method, path, query string
}

func samples() []sample {
	var (
		federation = string(sport.IDFor(sport.KindOrganization, "est"))
		premier    = string(sport.IDFor(sport.KindCompetition, "est.premier"))
		team       = string(sport.IDFor(sport.KindTeam, "est.premier.club.1"))
		player     = string(sport.IDFor(sport.KindPlayer, "est.premier.club.1/1"))
		match      = string(sport.IDFor(sport.KindMatch, "est.premier.match.15.20-4"))
	)
	return []sample{
		{"ping/ping", "GET", "/v1/ping", ""},
		{"ping/unknown-path", "GET", "/v1/referees", ""},
		{"organizations/federation", "GET", "/v1/federations/" + federation, ""},
		{"organizations/tree", "GET", "/v1/organizations/" + federation + "/tree", "depth=2"},
		{"organizations/clubs", "GET", "/v1/organizations/" + federation + "/clubs", "includeDescendants=true&sort=name&limit=10"},
		{"tournaments/competition", "GET", "/v1/tournaments/" + premier, ""},
		{"tournaments/matches", "GET", "/v1/tournaments/" + premier + "/matches", "status=finished&from=2026-03-01T00%3A00%3A00%2B01%3A00&page=1"},
		{"tournaments/standings", "GET", "/v1/tournaments/" + premier + "/standings", ""},
		{"tournaments/standings-head", "HEAD", "/v1/tournaments/" + premier + "/standings", "season=2025"},
		{"matches/match", "GET", "/v1/matches/" + match, ""},
		{"teams/players", "GET", "/v1/teams/" + team + "/players", "limit=5&page=2"},
		{"players/player", "GET", "/v1/players/" + player, ""},
	}
}

// event is the sample as the gateway hands it on: header names in lower case,
// the query as sent and, decoded, once more.
func (s sample) event(t *testing.T) []byte {
	t.Helper()
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	message := signing.Message{
		Method: s.method, Path: s.path, Query: s.query,
		Timestamp: strconv.FormatInt(now.Unix(), 10), Nonce: strings.ReplaceAll(s.file, "/", "."),
	}
	canonical, err := message.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	const domain = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"
	key, parameters := s.route()
	requestContext := map[string]any{
		"accountId": "123456789012", "apiId": "a1b2c3d4e5", "domainName": domain, "domainPrefix": "a1b2c3d4e5",
		"http": map[string]any{
			"method": s.method, "path": s.path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.7", "userAgent": "curl/8.5.0",
		},
		"requestId": "JKJaXmPLvHcESHA=", "routeKey": key, "stage": "$default",
		"time": now.Format("02/Jan/2006:15:04:05 -0700"), "timeEpoch": now.UnixMilli(),
	}
	event := map[string]any{
		"version": "2.0", "routeKey": key, "rawPath": s.path, "rawQueryString": s.query,
		"headers": map[string]string{
			"accept": "*/*", "content-length": "0", "host": domain, "user-agent": "curl/8.5.0",
			"x-amzn-trace-id": "Root=1-5e6722a7-cc56xmpl46db7ae02d4da47e",
			"x-forwarded-for": "192.0.2.7", "x-forwarded-port": "443", "x-forwarded-proto": "https",
			"x-service-key": keyID, "x-service-timestamp": message.Timestamp, "x-service-nonce": message.Nonce,
			"x-service-signature": signing.Sign(secret, canonical),
		},
		"requestContext": requestContext, "isBase64Encoded": false,
	}
	if len(parameters) > 0 {
		event["pathParameters"] = parameters
	}
	if s.query != "" {
		event["queryStringParameters"] = decoded(s.query)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(event); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// route is the gateway's route that the sample takes, and what it stands for.
func (s sample) route() (key string, parameters map[string]string) {
	head, rest, below := strings.Cut(strings.TrimPrefix(s.path, route.Prefix), "/")
	switch {
	case below:
		return "ANY " + route.Prefix + head + "/{proxy+}", map[string]string{"proxy": rest}
	case head == "ping":
		return "ANY " + s.path, nil
	}
	return "$default", nil
}

// decoded is a query as the gateway parses it.
func decoded(query string) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		out[name] = strings.NewReplacer("%3A", ":", "%2B", "+").Replace(value)
	}
	return out
}

func TestEventsAreThoseOfTheTable(t *testing.T) {
	var want []string
	for _, s := range samples() {
		file := filepath.FromSlash(s.file) + ".json"
		want = append(want, file)
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, s.event(t), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(s.event(t)), string(got)); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
	there, err := filepath.Glob("*/*")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, there); diff != "" {
		t.Error(diff)
	}
}

// TestEveryFunctionHasEvents and every folder of events its function.
func TestEveryFunctionHasEvents(t *testing.T) {
	folders := func(pattern string) []string {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, file := range files {
			names = append(names, filepath.Base(filepath.Dir(file)))
		}
		return slices.Compact(names)
	}
	functions := folders("../functions/*/main.go")
	if len(functions) < len(route.Groups()) {
		t.Errorf("functions %v", functions)
	}
	if diff := cmp.Diff(functions, folders("*/*.json")); diff != "" {
		t.Error(diff)
	}
}

func TestTheReadmeTellsKeySecretAndTime(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	facts := []string{"`" + keyID + "`", "`" + secret + "`", at, fmt.Sprint(now.Unix())}
	for _, v := range stack.RequestVariables() {
		if v.Required { // of whoever runs a function alone
			facts = append(facts, v.Name+"=")
		}
	}
	for _, fact := range facts {
		if !strings.Contains(string(text), fact) {
			t.Errorf("%s is not in README.md", fact)
		}
	}
}
