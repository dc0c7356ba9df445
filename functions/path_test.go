package functions

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"touchline/shared/route"
	"touchline/shared/sport"
)

// players is the request that the page follows: those of a club, from the federation's list.
func (w *world) players(t *testing.T) events.APIGatewayV2HTTPRequest {
	t.Helper()
	e := samples(t, route.GroupOrganizations)["clubs.json"]
	e.RawPath = strings.TrimSuffix(e.RawPath, "/clubs") + "/players"
	e.RequestContext.HTTP.Path = e.RawPath
	e.RawQueryString = "includeDescendants=true&clubId=" + string(sport.IDFor(sport.KindOrganization, "est.club.1")) + "&sort=-name"
	return w.sign(t, e)
}

// runTheListedFiles compiles a function so that it notes what it runs, and compares
// the files with the page.
func (w *world) runTheListedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a function to count what it runs: make test-all runs it")
	}
	counters, program := t.TempDir(), filepath.Join(t.TempDir(), "organizations")
	runProgram(t, "go", "build", "-tags", tags, "-cover", "-coverpkg=touchline/...", "-o", program, "touchline/functions/organizations")
	f := start(t, program, append(slices.Clone(w.environment), "GOCOVERDIR="+counters)...)
	if got := call(t, f, w.players(t)); got.StatusCode != 200 || !strings.Contains(got.Body, `"number"`) {
		t.Fatalf("%+v", got)
	}
	f.Abandon(t)
	followed(t).compare(t, covered(t, counters))
}
