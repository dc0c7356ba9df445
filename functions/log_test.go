package functions

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// logged returns the response of a worker of all groups with empty caches, and its line in
// the log.
func (w *world) logged(t *testing.T, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, accesslog.Line) {
	t.Helper()
	var text bytes.Buffer
	cold := w.service
	cold.Log = &text
	answer, err := gateway.New(cold.Handler(groups.Operations)).Handle(t.Context(), w.sign(t, e))
	if err != nil {
		t.Fatal(err)
	}
	l, err := accesslog.Parse(text.Bytes())
	if err != nil {
		t.Fatalf("%v: %s", err, &text)
	}
	return answer, l
}

// logWhatWasNotFound tells apart responses that are the same for a caller.
func (w *world) logWhatWasNotFound(t *testing.T) {
	unknown := strings.Repeat("0", sport.IDLength)
	organization := "/v1/organizations/" + string(w.key.Key.Organization)
	tournament := samples(t, route.GroupTournaments)["competition.json"].RawPath
	match := samples(t, route.GroupMatches)["match.json"].RawPath
	tests := []struct {
		name, target string
		check        int
		what         string
	}{
		{"an organization", "/v1/organizations/" + unknown, 19, "id"},
		{"an organization that is no id", "/v1/organizations/x/teams", 19, "id"},
		{"an organization of another type", "/v1/clubs/" + string(w.key.Key.Organization) + "/teams", 19, "id"},
		{"an association to narrow by", organization + "/clubs?includeDescendants=true&associationId=" + unknown, 19, "associationId"},
		{"a club to narrow by", organization + "/teams?includeDescendants=true&clubId=" + unknown, 19, "clubId"},
		{"a competition to narrow by", organization + "/teams?competitionId=" + unknown, 19, "competitionId"},
		{"a team to narrow by", organization + "/players?teamId=x", 19, "teamId"},
		{"a tournament", "/v1/tournaments/" + unknown, 19, "id"},
		{"a season of a tournament", tournament + "?season=1900", 21, "season"},
		{"a season of a tournament's list", tournament + "/matches?season=1900", 21, "season"},
		{"a season of a tournament that is not there", "/v1/tournaments/" + unknown + "?season=1900", 19, "id"},
		{"a season of a match", match + "?season=1900", 21, "season"},
		{"a team", "/v1/teams/" + unknown, 19, "id"},
		{"a player", "/v1/players/" + unknown, 19, "id"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, l := w.logged(t, event("GET", tt.target))
			if answer.StatusCode != 404 || l.Check != tt.check || l.Why != accesslog.NotFound || l.Details.What != tt.what {
				t.Errorf("%d: check %d, %s of %q; want check %d, %q", answer.StatusCode, l.Check, l.Why, l.Details.What, tt.check, tt.what)
			}
		})
	}
}

// giveUpWaiting: reads that are throttled hold a worker for no longer than their patience, and
// are not charged.
func (w *world) giveUpWaiting(t *testing.T) {
	waited, sports := time.Duration(0), *w.service.Sports
	sports.DB = throttled{sports.DB}
	sports.Wait = func(_ context.Context, d time.Duration) error { waited += d; return nil }
	slow := *w
	slow.service.Sports, slow.service.Items = &sports, nil
	answer, l := slow.logged(t, samples(t, route.GroupTeams)["players.json"])
	w.nonces = slow.nonces
	if answer.StatusCode != 500 || l.Quotas.WriteUnits != 0 || waited > store.ReadPatience || waited < store.ReadPatience/4 {
		t.Errorf("%d after %v, %+v", answer.StatusCode, waited, l)
	}
}

// throttled is a database that refuses each read for its rate.
type throttled struct{ store.DB }

func (throttled) Get(context.Context, string, []store.Key, bool) (store.Reply, error) {
	return store.Reply{}, store.ErrThrottled
}
