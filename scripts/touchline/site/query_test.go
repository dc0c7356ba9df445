package site

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
)

// queryDriver asks the checker about targets, and prints what it says of each.
const queryDriver = `
const Query = require(process.argv[1])
let text = ''
process.stdin.on('data', (d) => { text += d }).on('end', () => {
  const [routes, targets] = text.split('\0')
  eval(routes)
  console.log(JSON.stringify(JSON.parse(targets).map((t) => Query.check(t, touchlineRoutes).map((l) => l.says).join('; '))))
})`

// TestTheCheckerRefusesTheQueriesThatTheServiceRefuses, and says what is taken.
func TestTheCheckerRefusesTheQueriesThatTheServiceRefuses(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	const clubs, matches = "/v1/federations/f224ed0516b87959243f0a47/clubs?", "/v1/tournaments/f224ed0516b87959243f0a47/matches?"
	asked := []struct{ target, says string }{
		{"/v1/ping", ""},
		{clubs + "limit=100&&page=1&includeDescendants=true&sort=-name&associationId=x", ""},
		{clubs + "limit=101", "the parameter limit takes a whole number from 1 to 100"},
		{clubs + "limit=010", "limit takes"},
		{clubs + "%6cimit=9", ""},
		{clubs + "Limit=9", "the route has no parameter Limit: it has associationId, status, includeDescendants, sort, page, limit"},
		{clubs + "page=1&page=1", "page is there more than once"},
		{clubs + "associationId=", "the parameter associationId takes an id"},
		{clubs + "sort=Name", "takes id, name, -id or -name"},
		{clubs + "includeDescendants=1", "takes true or false"},
		{matches + "status=live&from=2026-05-01&to=2026-05-31T23%3A59%2B02:00", ""},
		{matches + "status=done", "takes upcoming, live, finished or postponed"},
		{matches + "from=2026-02-30", "takes a date such as"},
		{matches + "from=2026-05-01T18:30 02:00", "takes a date such as"},
		{matches + "from=2026-05-01T18:30+02:00", ""}, // a plus is a plus
		{matches + "from=2026-05-02&to=2026-05-01", "from is later than to"},
		{matches + "from=2026-05-01&to=2026-05-01", ""}, // to is the end of its day
		{matches + "from=2026-05-01T23:59:59.999&to=2026-05-01", ""},
		{matches + "from=2026-05-02T01:00%2B02:00&to=2026-05-01T23:00", ""},
		{matches + "from=2026-05-02T01:01%2B02:00&to=2026-05-01T23:00", "from is later than to"},
		{matches + "from=2026-05-01T18:30:00.2Z&to=2026-05-01T18:30:00.1Z", "from is later than to"},
		{clubs + "page=100&limit=100", ""},
		{clubs + "limit=100&page=101", "page times limit is above 10000"},
		{clubs + "page=10000", "page times limit is above 10000"},
		{matches + "limit=100&page=101", ""},
		{"/v1/ping?x=1", "it has none"},
		{"/v1/pings", "no such path"},
	}
	var targets []string
	for _, a := range asked {
		targets = append(targets, a.target)
	}
	in, err := json.Marshal(targets)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", "-e", queryDriver, "./assets/query.js")
	node.Stdin = strings.NewReader(string(checkedRoutes()) + "\x00" + string(in))
	out, err := node.Output()
	var got []string
	if err != nil || json.Unmarshal(out, &got) != nil || len(got) != len(asked) {
		t.Fatalf("%v: %s", err, out)
	}
	routes := groups.Table(endpoints.Deps{})
	for i, a := range asked {
		path, query, _ := strings.Cut(a.target, "?")
		operation, _, served := routes.Match(path)
		if served {
			_, err := operation.Decode(query)
			served = err == nil
		}
		if served != (got[i] == "") || !strings.Contains(got[i], a.says) || a.says == "" != served {
			t.Errorf("%s: served: %t, the checker says %q", a.target, served, got[i])
		}
	}
}
