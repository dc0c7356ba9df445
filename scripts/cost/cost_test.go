package cost

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"touchline/shared/accesslog"
)

// What cannot be measured here.
const (
	prodMemory = 512 // MB, as cdk.json says
	// durationMS is what Lambda bills for a request. A warm request waits for two
	// consecutive writes, some 4 ms each within a region, and computes for less than
	// one; 6 are for slower reads and the few cold starts.
	durationMS = 15
	// gatewayLog is the gateway's line about a request, some 285 bytes, and the 26
	// bytes that CloudWatch adds to each line, that one and ours. Lambda's own lines
	// are left out: the functions only log those of level WARN and above.
	gatewayLog = 337
	// sentHeaders is what is sent in addition to the body and our own headers: the
	// status line, and the headers of the gateway.
	sentHeaders = 150

	freeAlarms, freeMetrics = 10, 10
	daysAMonth              = 365.0 / 12
	million                 = 1_000_000
	gigabyte                = 1 << 30
)

// line is a row of a bill: a quantity, and the list price of its unit in November 2026,
// without tax, free tiers but CloudWatch's, savings plans and discounts for volume.
type line struct {
	name       string
	quantity   float64
	usd, euUSD float64 // in us-east-1, and in eu-central-1
}

// sum adds a bill up, in both regions, and shows it.
func sum(t *testing.T, lines []line) (usd, euUSD float64) {
	for _, l := range lines {
		usd, euUSD = usd+l.quantity*l.usd, euUSD+l.quantity*l.euUSD
		t.Logf("%-28s %14.2f  x %.9f = %7.2f USD", l.name, l.quantity, l.usd, l.quantity*l.usd)
	}
	t.Logf("%67.2f USD, in eu-central-1 %.2f", usd, euUSD)
	return usd, euUSD
}

func read(t *testing.T, name ...string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, name...)...))
	must(t, err)
	return raw
}

// TestTheReadmeSaysWhatRequestsCost shows the whole bill, with -v.
func TestTheReadmeSaysWhatRequestsCost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute: make test-all runs it")
	}
	if !bytes.Contains(read(t, "cdk.json"), fmt.Appendf(nil, `"memory": %d`, prodMemory)) {
		t.Errorf("prod has not %d MB any more", prodMemory)
	}
	template := read(t, "infra", "testdata", "dev.json")
	alarms := bytes.Count(template, []byte(`"MetricName"`)) - bytes.Count(template, []byte(`"MetricTransformations"`)) // the metrics that they watch
	u, size := measure(t)
	t.Logf("a request of the mix: %+v", u)
	const perGB = million / float64(gigabyte)
	many, manyEU := sum(t, []line{ // of a million requests
		{"HTTP API", 1, 1, 1.20},
		{"Lambda, requests", 1, 0.20, 0.20},
		{"Lambda, million GB-s, arm64", durationMS * prodMemory / 1000.0 / 1024, 13.3334, 13.3334},
		{"million read units", u.reads, 0.125, 0.1525},
		{"million write units", u.writes, 0.625, 0.7625},
		{"million calls of KMS", u.secrets, 3, 3},
		{"log written, GB", (u.logBytes + gatewayLog) * perGB, 0.50, 0.63},
		{"log kept for a month, GB", (u.logBytes + gatewayLog) * perGB, 0.03, 0.0324},
		{"data out, GB", (u.answerBytes + sentHeaders) * perGB, 0.09, 0.09},
	})
	idle, _ := sum(t, []line{ // a month without any
		{"KMS key", 1, 1, 1},
		{"alarm metrics", float64(max(0, alarms-freeAlarms)), 0.10, 0.10},
		{"metrics", float64(max(0, len(accesslog.Metrics())-freeMetrics)), 0.30, 0.30},
		{"data with recovery, GB", size / gigabyte, 0.45, 0.5508},
	})
	said := regexp.MustCompile(`a million requests read ([0-9.]+) million units, write ([0-9.]+) million and cost ([0-9.]+) USD in us-east-1, ([0-9.]+) in eu-central-1.*a stage without requests costs ([0-9.]+) USD a month`).FindSubmatch(read(t, "infra", "README.md"))
	if said == nil {
		t.Fatal("infra/README.md does not say what requests cost")
	}
	for i, got := range []float64{u.reads, u.writes, many, manyEU, idle} {
		if want, err := strconv.ParseFloat(string(said[i+1]), 64); err != nil || math.Abs(got-want) > 0.02*want {
			t.Errorf("infra/README.md says %s, %.2f were measured", said[i+1], got)
		}
	}
}
