package main

import "touchline/shared/accesslog"

// line is a row of a bill: a quantity, the price of its unit, and the amount.
type line struct {
	Name     string  `json:"name"`
	Quantity float64 `json:"quantity"`
	Unit     string  `json:"unit"`
	USD      float64 `json:"usdPerUnit"`
	Amount   float64 `json:"amountUSD"`
	Measured bool    `json:"measured"` // measured here; otherwise assumed
	Page     string  `json:"page"`
}

func (p price) line(name string, quantity float64, measured bool) line {
	return line{name, quantity, p.Unit, p.USD / p.Per, quantity * p.USD / p.Per, measured, p.Page}
}

// assumptions are what cannot be measured on a laptop.
type assumptions struct {
	// DurationMS is what Lambda bills for a request, in milliseconds. A warm
	// request waits for two consecutive writes, some 4 ms each within a region,
	// and computes for less than one; 6 are for slower reads and the few cold
	// starts.
	DurationMS float64 `json:"durationMs"`
	MemoryMB   int     `json:"memoryMB"` // of a function
	MemoryOf   string  `json:"memoryOf"` // why so much
	// PlatformLogBytes is the gateway's line about a request, some 285 bytes,
	// and the 26 bytes that CloudWatch adds to each line, that one and ours.
	// Lambda's own lines are left out: the functions only log those of level
	// WARN and above.
	PlatformLogBytes float64 `json:"platformLogBytes"`
	// HeaderBytes is what is sent in addition to the body and our own headers:
	// the status line, and the headers of the gateway.
	HeaderBytes float64 `json:"headerBytes"`
	// AlarmMetrics is the number of metrics that the alarms of a stage watch.
	// Ten of an account are free, as are ten custom metrics and three
	// dashboards.
	AlarmMetrics int `json:"alarmMetrics"`
	// LooksAMinute is how often Lambda polls the queue for datasets: five
	// pollers wait 20 seconds each. There are fewer only if the mapping has no
	// limit on concurrency.
	LooksAMinute int `json:"looksAMinute"`
}

var assumed = assumptions{DurationMS: 15, PlatformLogBytes: 337, HeaderBytes: 150, AlarmMetrics: 34, LooksAMinute: 15}

const (
	freeAlarms, freeMetrics = 10, 10
	hoursAMonth             = 730
	gigabyte                = 1 << 30
)

// usage is what one request consumed, on average.
type usage struct {
	Reads       float64 `json:"readUnits"`
	Writes      float64 `json:"writeUnits"`
	Secrets     float64 `json:"kmsRequests"`
	LogBytes    float64 `json:"logBytes"`
	AnswerBytes float64 `json:"answerBytes"` // body and headers
}

// ofRequests is what a number of requests costs.
func ofRequests(p prices, a assumptions, u usage, n float64) []line {
	return []line{
		p.Gateway.line("HTTP API", n, true),
		p.Invocation.line("Lambda requests", n, true),
		p.Compute.line("Lambda duration", n*a.DurationMS/1000*float64(a.MemoryMB)/1024, false),
		p.Read.line("DynamoDB reads", n*u.Reads, true),
		p.Write.line("DynamoDB writes", n*u.Writes, true),
		p.KMSRequest.line("KMS", n*u.Secrets, true),
		p.LogIngest.line("log of ours", n*u.LogBytes/gigabyte, true),
		p.LogIngest.line("log of the gateway", n*a.PlatformLogBytes/gigabyte, false),
		p.LogStorage.line("log kept for a month", n*(u.LogBytes+a.PlatformLogBytes)/gigabyte, false),
		p.DataOut.line("data out", n*(u.AnswerBytes+a.HeaderBytes)/gigabyte, true),
	}
}

// fixed is what a stage costs a month without any request; bytes is the size of
// its tables.
func fixed(p prices, a assumptions, bytes float64) []line {
	return []line{
		p.KMSKey.line("KMS key", 1, false),
		p.Alarm.line("alarms beyond the free ones", float64(max(0, a.AlarmMetrics-freeAlarms)), false),
		p.Metric.line("metrics beyond the free ones", float64(max(0, len(accesslog.Metrics())-freeMetrics)), true),
		p.Storage.line("data in DynamoDB", bytes/gigabyte, true),
		p.Backup.line("point-in-time recovery", bytes/gigabyte, true),
		p.Look.line("looks into the queue", float64(a.LooksAMinute)*60*hoursAMonth, false),
	}
}

func sum(lines []line) (usd float64) {
	for _, l := range lines {
		usd += l.Amount
	}
	return usd
}

// bill is everything that is printed.
type bill struct {
	Prices      string      `json:"prices"` // where they are from
	Requests    float64     `json:"requests"`
	Measured    measured    `json:"measured"`
	Assumed     assumptions `json:"assumed"`
	PerRequests []line      `json:"requestLines"`
	Fixed       []line      `json:"fixedLines"`
	NotCounted  []string    `json:"notCounted"`
}

// notCounted is what else an invoice may contain.
func notCounted() []string {
	return []string{
		"loads: the write units above once, then what changes; Lambda's time for them, requests to S3 and SQS, and the drops in the bucket for a month (0.023 USD a GB)",
		"requests that are refused: one with an unknown key costs what the gateway and Lambda take, and no units but the key's read",
		"`touchline why` and `keys used`: CloudWatch Logs Insights reads 0.005 USD a GB of the log that they search",
		"a table that was warmed up, charged once; replicas of the KMS key",
		"a domain (Route 53: 0.50 USD a zone), a CDN or firewall in front, more alarms or dashboards of your own",
		"the bucket of the CDK's bootstrap, some cents",
		"tax, support plans, free tiers other than CloudWatch's, savings plans, discounts",
	}
}

// newBill computes the bill for n requests.
func newBill(from string, p prices, a assumptions, m measured, n float64) bill {
	return bill{
		Prices: from, Requests: n, Measured: m, Assumed: a,
		PerRequests: ofRequests(p, a, m.Average, n), Fixed: fixed(p, a, m.TableBytes), NotCounted: notCounted(),
	}
}
