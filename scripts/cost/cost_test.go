package main

import (
	"context"
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/seed"
	"touchline/shared/service"
	"touchline/shared/store"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// round makes prices and quantities that are easy to calculate with.
func round() (prices, assumptions, measured) {
	unit := func(usd float64) price { return price{usd, 1, "units", "a page"} }
	p := prices{
		Gateway: price{2, million, "requests", "a page"}, Invocation: price{1, million, "requests", "a page"}, Compute: unit(0.5),
		Read: price{1, million, "read units", "a page"}, Write: price{10, million, "write units", "a page"}, KMSRequest: price{1, 10_000, "requests", "a page"},
		LogIngest: unit(4), DataOut: unit(8), KMSKey: unit(1), Alarm: unit(0.1), Metric: unit(3), Storage: unit(2), Backup: unit(1), LogStorage: unit(1),
		Look: price{2, million, "requests", "a page"},
	}
	a := assumptions{DurationMS: 8, MemoryMB: 512, MemoryOf: "as given", PlatformLogBytes: 512, HeaderBytes: 24, AlarmMetrics: 15, LooksAMinute: 10}
	u := usage{Reads: 3, Writes: 2, Secrets: 0.25, LogBytes: 1024, AnswerBytes: 1000}
	return p, a, measured{Requests: 40, PerMinute: 30, Average: u, Cold: u, TableBytes: gigabyte / 2, LoadedWrite: 12_345,
		ByTarget: map[string]average{"/v1/ping": {40, u}}}
}

func TestTheBillIsQuantityTimesPrice(t *testing.T) {
	p, a, m := round()
	b := newBill("nowhere", p, a, m, gigabyte/1024) // 1,048,576 requests
	want := map[string]float64{
		"HTTP API": 2.097152, "Lambda requests": 1.048576,
		"Lambda duration": 1_048_576 * 0.008 * 0.5 * 0.5, "DynamoDB reads": 3.145728, "DynamoDB writes": 20.97152,
		"KMS": 26.2144, "log of ours": 4, "log of the gateway": 2, "log kept for a month": 1.5, "data out": 8,
		"KMS key": 1, "alarms beyond the free ones": 0.5, "metrics beyond the free ones": 0, "data in DynamoDB": 1, "point-in-time recovery": 0.5,
		"looks into the queue": 0.876,
	}
	got := map[string]float64{}
	for _, lines := range [][]line{b.PerRequests, b.Fixed} {
		for _, l := range lines {
			got[l.Name] = l.Amount
		}
	}
	near := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Error(diff)
	}
}

func TestTheBillAsPrinted(t *testing.T) {
	p, a, m := round()
	var out strings.Builder
	if err := newBill("nowhere", p, a, m, million).print(&out); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/bill.txt"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestEveryPriceHasItsUnitAndPage(t *testing.T) {
	b := newBill("nowhere", usEast, assumed, measured{Average: usage{1, 1, 1, 1, 1}, TableBytes: 1}, 1)
	for _, lines := range [][]line{b.PerRequests, b.Fixed} {
		for _, l := range lines {
			if l.USD <= 0 || l.Unit == "" || l.Page == "" {
				t.Errorf("%+v", l)
			}
		}
	}
}

func TestAFilePutsOtherPrices(t *testing.T) {
	p, err := usEast.overridden(strings.NewReader(`{"Read": 0.5, "KMSRequest": 0}`))
	if err != nil {
		t.Fatal(err)
	}
	want := usEast
	want.Read.USD, want.KMSRequest.USD = 0.5, 0
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	for file, says := range map[string]string{
		`{"Reed": 1}`: `no price "Reed"`, `{"Read": -1}`: "price Read is -1", `{"Read": "1"}`: "want an object of prices", `[]`: "want an object", ``: "want an object",
	} {
		if _, err := usEast.overridden(strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestTheMixIsOfTheRouteTable(t *testing.T) {
	routes, all := groups.Table(endpoints.Deps{}), 0
	for _, k := range mix {
		all += k.weight
		path, query, _ := strings.Cut(k.target, "?")
		operation, _, ok := routes.Match(path)
		if !ok {
			t.Errorf("no route for %s", path)
			continue
		}
		if operation.Group != groupOf(path) {
			t.Errorf("%s is served by %s, not %s", path, operation.Group, groupOf(path))
		}
		if _, err := operation.Decode(strings.ReplaceAll(query, "COMPETITION", strings.Repeat("0", 24))); err != nil {
			t.Errorf("%s: %v", k.target, err)
		}
	}
	if all != 100 {
		t.Errorf("the weights make %d of a hundred", all)
	}
}

// double is a DynamoDB that reports twice the units.
type double struct{ *dynamodb.Client }

func twice(c *types.ConsumedCapacity) {
	if c == nil {
		return
	}
	for _, units := range []*float64{c.CapacityUnits, c.ReadCapacityUnits, c.WriteCapacityUnits} {
		if units != nil {
			*units *= 2
		}
	}
}

func (d double) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := d.Client.GetItem(ctx, in, o...)
	if err == nil {
		twice(out.ConsumedCapacity)
	}
	return out, err
}

func (d double) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	out, err := d.Client.PutItem(ctx, in, o...)
	if err == nil {
		twice(out.ConsumedCapacity)
	}
	return out, err
}

func (d double) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	out, err := d.Client.UpdateItem(ctx, in, o...)
	if err == nil {
		twice(out.ConsumedCapacity)
	}
	return out, err
}

func (d double) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := d.Client.Query(ctx, in, o...)
	if err == nil {
		twice(out.ConsumedCapacity)
	}
	return out, err
}

func (d double) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	out, err := d.Client.BatchGetItem(ctx, in, o...)
	if err == nil {
		for i := range out.ConsumedCapacity {
			twice(&out.ConsumedCapacity[i])
		}
	}
	return out, err
}

// TestUnitsAreThoseThatTheEngineReports measures one plan twice, the second time
// with an engine that reports twice as many units.
func TestUnitsAreThoseThatTheEngineReports(t *testing.T) {
	small := plan{Seed: seed.Options{Demo: true}, Requests: 60, Every: 2 * time.Second}
	var results []measured
	for _, doubled := range []bool{false, true} {
		client, err := store.NewClient(t.Context(), store.Settings{Endpoint: enginetest.Start(t)})
		if err != nil {
			t.Fatal(err)
		}
		var database service.Database = client
		if doubled {
			database = double{client}
		}
		m, err := measure(t.Context(), database, client, small)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, m)
	}
	once, again := results[0], results[1]
	if once.Average.Writes != 2 {
		t.Errorf("%f write units a request: one for the nonce and one for the quota make 2", once.Average.Writes)
	}
	if once.Average.Reads <= 0.25 || once.Cold.Reads < once.Average.Reads || once.TableBytes < 10_000 || once.LoadedWrite < 100 {
		t.Errorf("%+v", once)
	}
	if once.Average.Secrets <= 0 || once.Average.Secrets >= 1 {
		t.Errorf("%f calls of KMS a request, where keys are cached for a minute", once.Average.Secrets)
	}
	near := func(name string, want, got float64) {
		if math.Abs(want-got) > 1e-9 {
			t.Errorf("%s: %f, want %f", name, got, want)
		}
	}
	near("reads", 2*once.Average.Reads, again.Average.Reads)
	near("writes", 2*once.Average.Writes, again.Average.Writes)
	before, after := newBill("us-east-1", usEast, assumed, once, million), newBill("us-east-1", usEast, assumed, again, million)
	near("the bill", sum(before.PerRequests)+once.Average.Reads*0.125+once.Average.Writes*0.625, sum(after.PerRequests)+
		million*(again.Average.LogBytes-once.Average.LogBytes)*-(0.5+0.03)/gigabyte)
}

func TestFlagsThatCannotBeAreRefused(t *testing.T) {
	good := cli{Requests: 1, Duration: 1, Memory: 128, PerMinute: 60, Sample: 1, Size: 1}
	for name, change := range map[string]func(*cli){
		"requests": func(c *cli) { c.Requests = 0 }, "duration": func(c *cli) { c.Duration = -1 },
		"memory": func(c *cli) { c.Memory = 64 }, "rate": func(c *cli) { c.PerMinute = 61 }, "sample": func(c *cli) { c.Sample = 0 },
	} {
		c := good
		change(&c)
		if err := c.run(t.Context(), &strings.Builder{}, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "want --requests") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
