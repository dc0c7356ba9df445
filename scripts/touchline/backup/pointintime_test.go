package backup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/backup"
)

// table is one as DynamoDB holds it.
type table struct {
	Arn                string
	Days               int // of backups; 0: none
	Tags               map[string]string
	Protected          bool
	from, at           string // what it was restored from, and to which second
	looks, busy, notIn int    // how often it is still CREATING; refuses a change; refuses backups
}

const forever = 1 << 30 // of busy

const arns = "arn:aws:dynamodb:eu-central-1:123456789012:table/"

// cloud is DynamoDB as far as a restore calls it. The calls that change something are
// recorded; broken is which of them, counted from 1, gets no answer though it is done
// (or is not done: lost).
type cloud struct {
	t      *testing.T
	tables map[string]*table
	calls  []string
	count  int
	broken int
	lost   bool
}

func newCloud(t *testing.T) *cloud {
	return &cloud{t: t, tables: map[string]*table{
		"stage-Keys-1": {Arn: arns + "stage-Keys-1", Days: 35, Tags: map[string]string{"project": "touchline", "stage": "prod", "aws:cloudformation:stack-name": "s"}, Protected: true},
		"stage-Sports-1-at-20250101T000000Z": {
			Arn: arns + "stage-Sports-1-at-20250101T000000Z", Days: 7, Tags: map[string]string{"note": "it's"}, Protected: true,
		},
	}}
}

func (c *cloud) restore(to time.Time, pauses *int) *backup.PointInTime {
	server := httptest.NewServer(http.HandlerFunc(c.serve))
	c.t.Cleanup(server.Close)
	client := dynamodb.NewFromConfig(aws.Config{
		Region: "eu-central-1", BaseEndpoint: &server.URL, RetryMaxAttempts: 1, Credentials: credentials.NewStaticCredentialsProvider("AKIAEXAMPLE", "hidden", ""),
	})
	return &backup.PointInTime{Client: client, To: to, Say: func(string, ...any) {}, Pause: func(context.Context, time.Duration) error { *pauses++; return nil }}
}

func (c *cloud) serve(w http.ResponseWriter, r *http.Request) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	body, _ := io.ReadAll(r.Body)
	var in map[string]any
	if err := json.Unmarshal(body, &in); err != nil {
		c.t.Error(err)
	}
	out := c.answer(operation, in)
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if code, ok := out.(string); ok {
		w.WriteHeader(http.StatusBadRequest)
		out = map[string]string{"__type": "com.amazonaws.dynamodb.v20120810#" + code}
	}
	_ = json.NewEncoder(w).Encode(out)
}

// answer is the output of a call, or the code of an error.
func (c *cloud) answer(operation string, in map[string]any) any {
	reads := strings.HasPrefix(operation, "Describe") || strings.HasPrefix(operation, "List")
	if !reads {
		if c.count++; c.count == c.broken && c.lost {
			return "InternalServerError"
		}
	}
	out := c.do(operation, in)
	if _, failed := out.(string); !reads && !failed {
		text, _ := json.Marshal(in)
		c.calls = append(c.calls, operation+" "+string(text))
		if c.count == c.broken {
			return "InternalServerError"
		}
	}
	return out
}

func name(in map[string]any) string {
	if arn, ok := in["ResourceArn"].(string); ok {
		return strings.TrimPrefix(arn, arns)
	}
	name, _ := in["TableName"].(string)
	return name
}

func (c *cloud) do(operation string, in map[string]any) any {
	if operation == "RestoreTableToPointInTime" {
		return c.begin(in)
	}
	t, ok := c.tables[name(in)]
	switch {
	case !ok:
		return "ResourceNotFoundException"
	case operation == "DescribeTable":
		return map[string]any{"Table": t.described(name(in))}
	case t.looks > 0 && !strings.HasPrefix(operation, "Describe"):
		return "ResourceInUseException"
	}
	switch operation {
	case "DescribeContinuousBackups":
		past := map[string]any{"PointInTimeRecoveryStatus": "DISABLED"}
		if t.Days > 0 {
			past = map[string]any{"PointInTimeRecoveryStatus": "ENABLED", "RecoveryPeriodInDays": t.Days, "EarliestRestorableDateTime": first.Unix(), "LatestRestorableDateTime": last.Unix()}
		}
		return map[string]any{"ContinuousBackupsDescription": map[string]any{"ContinuousBackupsStatus": "ENABLED", "PointInTimeRecoveryDescription": past}}
	case "UpdateContinuousBackups":
		if t.notIn > 0 {
			t.notIn--
			return "ContinuousBackupsUnavailableException"
		}
		t.Days = 35 // unless something else is said
		if days, ok := in["PointInTimeRecoverySpecification"].(map[string]any)["RecoveryPeriodInDays"].(float64); ok {
			t.Days = int(days)
		}
	case "ListTagsOfResource":
		// A page for each.
		all := slices.Sorted(maps.Keys(t.Tags))
		after, _ := in["NextToken"].(string)
		for n, key := range all {
			if key > after {
				page := map[string]any{"Tags": []map[string]string{{"Key": key, "Value": t.Tags[key]}}}
				if n < len(all)-1 {
					page["NextToken"] = key
				}
				return page
			}
		}
	case "TagResource":
		for _, tag := range in["Tags"].([]any) {
			t.Tags[tag.(map[string]any)["Key"].(string)] = tag.(map[string]any)["Value"].(string)
		}
	case "UpdateTable":
		return t.update(in)
	default:
		c.t.Errorf("an unknown call: %s", operation)
	}
	return map[string]any{}
}

func (c *cloud) begin(in map[string]any) any {
	to, from := in["TargetTableName"].(string), in["SourceTableArn"].(string)
	if c.tables[to] != nil {
		return "TableAlreadyExistsException"
	}
	c.tables[to] = &table{Arn: arns + to, Tags: map[string]string{}, from: from, at: fmt.Sprint(int64(in["RestoreDateTime"].(float64))), looks: 3, notIn: 2}
	return map[string]any{}
}

func (t *table) update(in map[string]any) any {
	if t.busy > 0 {
		if t.busy != forever {
			t.busy--
		}
		return "ResourceInUseException"
	}
	t.busy = 1 // after each change
	if in["DeletionProtectionEnabled"] == true {
		t.Protected = true
	}
	return map[string]any{}
}

func (t *table) described(name string) map[string]any {
	out := map[string]any{"TableName": name, "TableArn": t.Arn, "TableStatus": "ACTIVE", "DeletionProtectionEnabled": t.Protected}
	if t.looks > 0 {
		t.looks--
		out["TableStatus"] = "CREATING"
	}
	if t.from != "" {
		out["RestoreSummary"] = map[string]any{"SourceTableArn": t.from, "RestoreDateTime": json.Number(t.at), "RestoreInProgress": t.looks > 0}
	}
	return out
}

var (
	first  = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) // that can be restored
	last   = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	second = time.Date(2025, 6, 1, 2, 59, 0, 0, time.UTC)
	both   = []string{"stage-Sports-1-at-20250101T000000Z", "stage-Keys-1"}
	want   = []string{"stage-Sports-1-at-20250601T025900Z", "stage-Keys-1-at-20250601T025900Z"}
)

// restoredRight fails unless the new tables have what the old ones have.
func restoredRight(t *testing.T, c *cloud) {
	t.Helper()
	for i, from := range both {
		old, made := *c.tables[from], c.tables[want[i]]
		if made == nil {
			t.Fatalf("there is no %s", want[i])
		}
		old.Arn = arns + want[i]
		old.Tags = map[string]string{}
		for key, value := range c.tables[from].Tags {
			if !strings.HasPrefix(key, "aws:") {
				old.Tags[key] = value
			}
		}
		got := table{Arn: made.Arn, Days: made.Days, Tags: made.Tags, Protected: made.Protected}
		if diff := cmp.Diff(old, got, cmp.AllowUnexported(table{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want[i], diff)
		}
	}
}

func TestARestoreDoesAllOfTheRecipe(t *testing.T) {
	c, pauses := newCloud(t), 0
	got, err := c.restore(second, &pauses).Run(t.Context(), both)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v, %v", got, err)
	}
	restoredRight(t, c)
	var order []string
	for _, call := range c.calls {
		operation, _, _ := strings.Cut(call, " ")
		order = append(order, operation)
	}
	if diff := cmp.Diff([]string{
		"RestoreTableToPointInTime", "RestoreTableToPointInTime",
		"UpdateContinuousBackups", "TagResource", "UpdateTable",
		"UpdateContinuousBackups", "TagResource", "UpdateTable",
	}, order); diff != "" {
		t.Error(diff)
	}
	if pauses == 0 {
		t.Error("it did not wait for the tables")
	}
	before := len(c.calls)
	if _, err := c.restore(second, &pauses).Run(t.Context(), got); err != nil || len(c.calls) != before {
		t.Errorf("of tables that are in use already: %v, %v", c.calls[before:], err)
	}
}

func TestTheFirstAndTheLastSecondAreRestored(t *testing.T) {
	for _, to := range []time.Time{first, last} {
		c, pauses := newCloud(t), 0
		if _, err := c.restore(to, &pauses).Run(t.Context(), both[1:]); err != nil {
			t.Errorf("%v: %v", to, err)
		}
	}
}

// Backups that are on, but for another number of days than those of before, are set again.
func TestBackupsAreKeptForAsManyDays(t *testing.T) {
	c, pauses := newCloud(t), 0
	c.tables[want[1]] = &table{Arn: arns + want[1], Days: 34, Tags: map[string]string{}, from: arns + "stage-Keys-1", at: fmt.Sprint(second.Unix())}
	if _, err := c.restore(second, &pauses).Run(t.Context(), both); err != nil {
		t.Fatal(err)
	}
	restoredRight(t, c)
}

// Broken off at any call, whether that was done or not, the next run goes on, and does
// nothing twice but what changes nothing.
func TestARestoreGoesOnWhereItWasBrokenOff(t *testing.T) {
	for _, lost := range []bool{false, true} {
		for n := 1; ; n++ {
			c, pauses := newCloud(t), 0
			c.broken, c.lost = n, lost
			_, err := c.restore(second, &pauses).Run(t.Context(), both)
			if err == nil && c.count < n {
				if n < 8 {
					t.Fatalf("only %d calls", n)
				}
				break
			}
			if err == nil {
				continue // this call was refused for a while, and has no answer to lose
			}
			if !strings.Contains(err.Error(), "Run it again to go on") {
				t.Errorf("broken at %d: %v", n, err)
			}
			if _, err := c.restore(second, &pauses).Run(t.Context(), both); err != nil {
				t.Errorf("broken at %d, again: %v", n, err)
			}
			restoredRight(t, c)
			seen := map[string]bool{}
			for _, call := range c.calls {
				if seen[call] && !strings.HasPrefix(call, "TagResource") {
					t.Errorf("broken at %d: %s is done twice", n, call)
				}
				seen[call] = true
			}
		}
	}
}

// A table that never takes a change ends the run, which can be made again.
func TestATableThatStaysBusyIsGivenUp(t *testing.T) {
	c, pauses := newCloud(t), 0
	r := c.restore(second, &pauses)
	r.Pause = func(context.Context, time.Duration) error {
		if pauses++; pauses > 200 {
			t.Fatal("it tries for ever")
		}
		for _, made := range c.tables {
			made.busy = forever
		}
		return nil
	}
	if _, err := r.Run(t.Context(), both); err == nil || !strings.Contains(err.Error(), "ResourceInUseException") || !strings.Contains(err.Error(), "Run it again to go on") || pauses < 30 {
		t.Errorf("after %d pauses: %v", pauses, err)
	}
}

func TestADryRunSaysEachStepAndChangesNothing(t *testing.T) {
	c, pauses := newCloud(t), 0
	r := c.restore(second, &pauses)
	r.DryRun = true
	var said strings.Builder
	r.Say = func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }
	if _, err := r.Run(t.Context(), both); err != nil || len(c.calls) > 0 {
		t.Fatalf("%v, %v", c.calls, err)
	}
	for _, line := range []string{
		"1/10 restore stage-Sports-1-at-20250101T000000Z into stage-Sports-1-at-20250601T025900Z\n",
		"2/10 restore stage-Keys-1 into stage-Keys-1-at-20250601T025900Z\n",
		"9/10 tag stage-Keys-1-at-20250601T025900Z\n",
		"10/10 protect stage-Keys-1-at-20250601T025900Z from deletion\n",
	} {
		if !strings.Contains("\n"+said.String(), line) {
			t.Errorf("it does not say %q:\n%s", line, said.String())
		}
	}
}

func TestARestoreIsRefusedBeforeItBegins(t *testing.T) {
	for name, tt := range map[string]struct {
		to     time.Time
		change func(*cloud)
		says   string
	}{
		"too long ago":     {first.Add(-time.Second), nil, "to any second from 2025-01-01T00:00:00Z to 2026-01-01T00:00:00Z"},
		"in the future":    {last.Add(time.Second), nil, "to any second from"},
		"no backups":       {second, func(c *cloud) { c.tables["stage-Keys-1"].Days = 0 }, "point-in-time recovery is off"},
		"the name is used": {second, func(c *cloud) { c.tables[want[1]] = &table{Arn: arns + want[1]} }, "was not restored from stage-Keys-1"},
		"of another table": {second, func(c *cloud) {
			c.tables[want[1]] = &table{Arn: arns + want[1], from: arns + "stage-Nonces-1", at: fmt.Sprint(second.Unix())}
		}, "was not restored from stage-Keys-1"},
		"of another second": {second, func(c *cloud) {
			c.tables[want[1]] = &table{Arn: arns + want[1], from: arns + "stage-Keys-1", at: "1748746741"}
		}, "was not restored from stage-Keys-1 to 2025-06-01T02:59:00Z"},
		"no table": {second, func(c *cloud) { delete(c.tables, "stage-Keys-1") }, "there is no table stage-Keys-1"},
	} {
		t.Run(name, func(t *testing.T) {
			c, pauses := newCloud(t), 0
			if tt.change != nil {
				tt.change(c)
			}
			_, err := c.restore(tt.to, &pauses).Run(t.Context(), both)
			if err == nil || !strings.Contains(err.Error(), tt.says) || len(c.calls) > 0 {
				t.Errorf("%v, after %v", err, c.calls)
			}
		})
	}
}
