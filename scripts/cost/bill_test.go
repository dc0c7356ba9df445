package cost

import (
	"cmp"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"touchline/shared/accesslog"
)

// What cannot be measured here.
const (
	// prodMemory is that of the stage prod in cdk.json, in MB.
	prodMemory = 512
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
	// alarmMetrics is the number of metrics that the alarms of a stage watch. Ten of
	// an account are free, as are ten custom metrics and three dashboards.
	alarmMetrics = 33
	// looksAMinute is how often Lambda polls the queue for datasets: five pollers
	// wait 20 seconds each.
	looksAMinute = 15

	freeAlarms, freeMetrics = 10, 10
	daysAMonth              = 365.0 / 12
	million                 = 1_000_000
	gigabyte                = 1 << 30
)

// line is a row of a bill: a quantity, and the list price of its units in November 2026,
// without tax, free tiers, savings plans and discounts for volume.
type line struct {
	name     string
	quantity float64
	unit     string
	usd, per float64 // in us-east-1, so much for so many units
	assumed  bool    // not measured
	eu       float64 // USD in eu-central-1; 0: as in us-east-1
}

func (l line) amount() float64 { return l.quantity * l.usd / l.per }

func sum(lines []line) (usd float64) {
	for _, l := range lines {
		usd += l.amount()
	}
	return usd
}

// inFrankfurt is a bill of eu-central-1.
func inFrankfurt(lines []line) []line {
	there := slices.Clone(lines)
	for i := range there {
		there[i].usd = cmp.Or(there[i].eu, there[i].usd)
	}
	return there
}

// ofRequests is what n requests cost which each consume u.
func ofRequests(u usage, n float64) []line {
	return []line{
		{"HTTP API", n, "requests of 512 KB", 1, million, false, 1.20},
		{"Lambda requests", n, "requests", 0.20, million, false, 0},
		{"Lambda duration", n * durationMS / 1000 * prodMemory / 1024, "GB-s (arm64)", 13.3334, million, true, 0},
		{"DynamoDB reads", n * u.reads, "read units", 0.125, million, false, 0.1525},
		{"DynamoDB writes", n * u.writes, "write units", 0.625, million, false, 0.7625},
		{"KMS", n * u.secrets, "requests", 0.03, 10_000, false, 0},
		{"log of ours", n * u.logBytes / gigabyte, "GB", 0.50, 1, false, 0.63},
		{"log of the gateway", n * gatewayLog / gigabyte, "GB", 0.50, 1, true, 0.63},
		{"log kept for a month", n * (u.logBytes + gatewayLog) / gigabyte, "GB", 0.03, 1, true, 0.0324},
		{"data out", n * (u.answerBytes + sentHeaders) / gigabyte, "GB", 0.09, 1, false, 0},
	}
}

// idle is what a stage costs a month without any request, with so many bytes of data.
func idle(bytes float64) []line {
	return []line{
		{"KMS key", 1, "key", 1, 1, true, 0},
		{"alarms beyond the free ones", max(0, alarmMetrics-freeAlarms), "alarm metrics", 0.10, 1, true, 0},
		{"metrics beyond the free ones", float64(max(0, len(accesslog.Metrics())-freeMetrics)), "metrics", 0.30, 1, false, 0},
		{"data in DynamoDB", bytes / gigabyte, "GB", 0.25, 1, false, 0.306},
		{"point-in-time recovery", bytes / gigabyte, "GB", 0.20, 1, false, 0.2448},
		{"looks into the queue", looksAMinute * 60 * 24 * daysAMonth, "requests", 0.40, million, true, 0},
	}
}

// notCounted is what else an invoice may contain.
const notCounted = `Not counted:
- loads: the write units above once, then what changes; Lambda's time for them, requests to S3 and SQS, and the drops in the bucket for a month (0.023 USD a GB)
- requests that are refused: one with an unknown key costs what the gateway and Lambda take, and no units but the key's read
- ` + "`touchline why` and `logs`" + `: CloudWatch Logs Insights reads 0.005 USD a GB of the log that they search
- replicas of a KMS key
- a domain (Route 53: 0.50 USD a zone), a CDN or firewall in front, more alarms or dashboards of your own
- the bucket of the CDK's bootstrap, some cents
- tax, support plans, free tiers other than CloudWatch's, savings plans, discounts
`

// bill is the bill as text.
func bill(m measured) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	english := message.NewPrinter(language.English) // groups digits
	row := func(format string, cells ...any) { _, _ = english.Fprintf(w, format+"\n", cells...) }
	row("Measured: %d requests of the mix at %d a minute, one worker a function\n", m.requests, perMinute)
	row("request\tread units\twrite units\tlog bytes\tanswer bytes")
	for _, k := range mix {
		u := m.of[k.target]
		row("%s\t%.2f\t%.2f\t%.0f\t%.0f", k.target, u.reads, u.writes, u.logBytes, u.answerBytes)
	}
	row("average\t%.2f\t%.2f\t%.0f\t%.0f", m.average.reads, m.average.writes, m.average.logBytes, m.average.answerBytes)
	table := func(lines []line) {
		for _, l := range lines {
			digits := 2
			if l.quantity >= 100 {
				digits = 0
			}
			row("%s%s\t%.*f %s\tx %.3f USD / %.0f\t= %.2f", l.name, map[bool]string{true: "*"}[l.assumed], digits, l.quantity, l.unit, l.usd, l.per, l.amount())
		}
		row("\t\t\t= %.2f\n", sum(lines))
	}
	requests, stage := ofRequests(m.average, million), idle(m.tableBytes)
	row("\nA million requests in us-east-1 (* assumed: %d ms at %d MB, %d bytes of log by the gateway)\n", durationMS, prodMemory, gatewayLog)
	table(requests)
	row("In eu-central-1 they cost %.2f USD.\n", sum(inFrankfurt(requests)))
	row("A month without requests, with %.1f MB of data\n", m.tableBytes/(1<<20))
	table(stage)
	row("requests a day\ta month of them\twith the stage")
	for _, daily := range []float64{10_000, million, 100 * million} {
		month := sum(requests) * daily * daysAMonth / million
		row("%.0f\t%.2f USD\t%.2f USD", daily, month, month+sum(stage))
	}
	row("\nLoading all data once: %.0f write units.\n\n%s", m.loadUnits, notCounted)
	_ = w.Flush() // into memory
	return text.String()
}
