package backup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	counters "touchline/shared/limits/dynamo"
)

// table is one as DynamoDB holds it.
type table struct {
	Days               float64 // of backups; 0: none
	Tags               string
	Protected, Expires bool
	Restored           map[string]any // its RestoreSummary
	looks, busy        int            // how often it is still CREATING; refuses a change
	going              bool           // it is DELETING, for one look
}

const forever = 1 << 30 // of busy

const arns = "arn:aws:dynamodb:eu-central-1:123456789012:table/"

// cloud is DynamoDB as far as a recovery calls it, and refuses. The calls that change
// something are recorded; broken is which of them, counted from 1, gets no answer though it
// is done (or is not done: lost).
type cloud struct {
	t       *testing.T
	tables  map[string]*table
	deleted []string // of which there is a backup
	calls   []string
	count   int
	broken  int
	lost    bool
}

const (
	sports = "stage-Sports-1-at-20250101T000000Z"
	keys   = "stage-Keys-1"
	quotas = "stage-Quotas-1"
	nonces = "stage-Nonces-1"
)

func newCloud(t *testing.T) *cloud {
	c := &cloud{t: t, tables: map[string]*table{}}
	for _, name := range []string{sports, keys, quotas, nonces} {
		c.tables[name] = &table{Days: 35, Protected: true, Expires: name == quotas || name == nonces}
	}
	return c
}

// remove deletes a table, as DynamoDB does: one with backups leaves another.
func (c *cloud) remove(names ...string) {
	for _, name := range names {
		if delete(c.tables, name); name != nonces {
			c.deleted = append(c.deleted, name)
		}
	}
}

func (c *cloud) recovery(to time.Time, pauses *int) *backup.Recovery {
	server := httptest.NewServer(http.HandlerFunc(c.serve))
	c.t.Cleanup(server.Close)
	client := dynamodb.NewFromConfig(aws.Config{
		Region: "eu-central-1", BaseEndpoint: &server.URL, RetryMaxAttempts: 1, Credentials: credentials.NewStaticCredentialsProvider("AKIAEXAMPLE", "hidden", ""),
	})
	return &backup.Recovery{Client: client, Stage: "prod", To: to, Say: func(string, ...any) {}, Pause: func(context.Context, time.Duration) error { *pauses++; return nil }}
}

func (c *cloud) serve(w http.ResponseWriter, r *http.Request) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	body, _ := io.ReadAll(r.Body)
	var in map[string]any
	if err := json.Unmarshal(body, &in); err != nil {
		c.t.Error(err)
	}
	reads := strings.HasPrefix(operation, "Describe") || strings.HasPrefix(operation, "List")
	var out any = "InternalServerError"
	if !reads {
		c.count++
	}
	if reads || c.count != c.broken || !c.lost {
		out = c.do(operation, in)
	}
	if _, failed := out.(string); !reads && !failed {
		text, _ := json.Marshal(in)
		c.calls = append(c.calls, operation+" "+string(text))
		if c.count == c.broken {
			out = "InternalServerError"
		}
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if code, ok := out.(string); ok {
		w.WriteHeader(http.StatusBadRequest)
		out = map[string]string{"__type": "com.amazonaws.dynamodb.v20120810#" + code}
	}
	_ = json.NewEncoder(w).Encode(out)
}

// do is the output of a call, or the code of an error.
func (c *cloud) do(operation string, in map[string]any) any {
	name, _ := in["TableName"].(string)
	if arn, ok := in["ResourceArn"].(string); ok {
		name = strings.TrimPrefix(arn, arns)
	}
	t := c.tables[name]
	switch operation {
	case "ListBackups":
		var found []map[string]any
		for n, state := range []string{"AVAILABLE", "AVAILABLE", "DELETED"} {
			if slices.Contains(c.deleted, name) {
				found = append(found, map[string]any{"BackupArn": arns + name + fmt.Sprintf("/backup/%032d", n), "BackupStatus": state, "BackupCreationDateTime": second.Unix() + int64(n)})
			}
		}
		return map[string]any{"BackupSummaries": found}
	case "RestoreTableFromBackup":
		from, _, _ := strings.Cut(strings.TrimPrefix(in["BackupArn"].(string), arns), "/backup/")
		return c.begin(in["TargetTableName"].(string), map[string]any{"SourceTableArn": arns + from, "SourceBackupArn": in["BackupArn"], "RestoreDateTime": second.Unix()})
	case "RestoreTableToPointInTime":
		return c.begin(in["TargetTableName"].(string), map[string]any{"SourceTableArn": in["SourceTableArn"], "RestoreDateTime": in["RestoreDateTime"]})
	case "CreateTable":
		return c.begin(name, nil)
	}
	switch {
	case t == nil:
		return "ResourceNotFoundException"
	case operation == "DescribeTable":
		out := map[string]any{"TableName": name, "TableArn": arns + name, "TableStatus": "ACTIVE", "DeletionProtectionEnabled": t.Protected}
		if t.going {
			out["TableStatus"] = "DELETING"
			c.remove(name)
		}
		if t.looks > 0 {
			t.looks--
			out["TableStatus"] = "CREATING"
		}
		if t.Restored != nil {
			t.Restored["RestoreInProgress"] = t.looks > 0
			out["RestoreSummary"] = t.Restored
		}
		return map[string]any{"Table": out}
	case t.looks > 0:
		return "ResourceInUseException"
	}
	return t.change(operation, in)
}

func (c *cloud) begin(name string, summary map[string]any) any {
	if c.tables[name] != nil {
		return "TableAlreadyExistsException"
	}
	c.tables[name] = &table{Restored: summary, looks: 3, busy: 2}
	return map[string]any{}
}

func (t *table) change(operation string, in map[string]any) any {
	if !strings.HasPrefix(operation, "Describe") {
		if t.busy > 0 {
			if t.busy != forever {
				t.busy--
			}
			if operation == "UpdateContinuousBackups" {
				return "ContinuousBackupsUnavailableException"
			}
			return "ResourceInUseException"
		}
		t.busy = 1 // after each change
	}
	switch operation {
	case "DescribeContinuousBackups":
		past := map[string]any{"PointInTimeRecoveryStatus": "DISABLED"}
		if t.Days > 0 {
			past = map[string]any{"PointInTimeRecoveryStatus": "ENABLED", "EarliestRestorableDateTime": first.Unix(), "LatestRestorableDateTime": last.Unix()}
		}
		return map[string]any{"ContinuousBackupsDescription": map[string]any{"ContinuousBackupsStatus": "ENABLED", "PointInTimeRecoveryDescription": past}}
	case "UpdateContinuousBackups":
		t.Days, _ = in["PointInTimeRecoverySpecification"].(map[string]any)["RecoveryPeriodInDays"].(float64)
	case "TagResource":
		tags, _ := json.Marshal(in["Tags"])
		t.Tags = string(tags)
	case "DescribeTimeToLive":
		return map[string]any{"TimeToLiveDescription": map[string]string{"TimeToLiveStatus": map[bool]string{true: "ENABLED", false: "DISABLED"}[t.Expires]}}
	case "UpdateTimeToLive":
		if t.Expires {
			return "ValidationException"
		}
		t.Expires = true
	case "UpdateTable":
		t.Protected = true
	}
	return map[string]any{}
}

var (
	first  = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) // that can be restored
	second = time.Date(2025, 6, 1, 2, 59, 0, 0, time.UTC)
	last   = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	both   = []backup.Table{{Name: sports, Backups: true}, {Name: keys, Backups: true}}
	four   = append(slices.Clone(both), backup.Table{Name: quotas, Empty: counters.Table(quotas), Backups: true}, backup.Table{Name: nonces, Empty: counters.Table(nonces)})
)

// way is one of bringing tables back: to a second, or what was deleted.
type way struct {
	to     time.Time
	tables []backup.Table
	want   []string
	gone   []string
}

func ways() map[string]way {
	return map[string]way{
		"to a second": {second, both, []string{"stage-Sports-1-at-20250601T025900Z", "stage-Keys-1-at-20250601T025900Z"}, nil},
		"deleted":     {time.Time{}, four, []string{sports, keys, quotas, nonces}, []string{sports, keys, quotas, nonces}},
	}
}

// whole fails unless tables have what the stack's have.
func whole(t *testing.T, c *cloud, names []string) {
	t.Helper()
	for _, name := range names {
		got := *c.tables[name]
		want := table{Tags: `[{"Key":"project","Value":"touchline"},{"Key":"stage","Value":"prod"}]`, Restored: got.Restored}
		expires := name == quotas || name == nonces
		want.Expires, want.Protected = expires, !expires
		if name != nonces {
			want.Days = 35
		}
		got.looks, got.busy = 0, 0
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(table{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTablesComeBackWithAllThatTheStacksHave(t *testing.T) {
	for name, way := range ways() {
		c, pauses := newCloud(t), 0
		c.remove(way.gone...)
		got, err := c.recovery(way.to, &pauses).Run(t.Context(), way.tables)
		if err != nil || !slices.Equal(got, way.want) || pauses == 0 {
			t.Fatalf("%s: %v, %v, after %d pauses", name, got, err, pauses)
		}
		whole(t, c, way.want)
		for _, call := range c.calls {
			if strings.HasPrefix(call, "RestoreTableFromBackup") && !strings.Contains(call, "/backup/00000000000000000000000000000001") {
				t.Errorf("not the last backup that there is: %s", call)
			}
		}
	}
	c, pauses := newCloud(t), 0
	c.tables[keys].going = true
	if _, err := c.recovery(time.Time{}, &pauses).Run(t.Context(), four); err != nil || len(c.calls) != 4 {
		t.Errorf("tables that are there were changed, or one that is not was left: %v, %v", c.calls, err)
	}
}

// Broken off at any call, whether that was done or not, the next run goes on, and makes no
// table twice.
func TestARecoveryGoesOnWhereItWasBrokenOff(t *testing.T) {
	for name, way := range ways() {
		for _, lost := range []bool{false, true} {
			for n := 1; ; n++ {
				c, pauses := newCloud(t), 0
				c.remove(way.gone...)
				c.broken, c.lost = n, lost
				_, err := c.recovery(way.to, &pauses).Run(t.Context(), way.tables)
				if err == nil && c.count < n {
					if n < 8 {
						t.Fatalf("%s: only %d calls", name, n)
					}
					break
				}
				if _, err := c.recovery(way.to, &pauses).Run(t.Context(), way.tables); err != nil {
					t.Errorf("%s: broken at %d, again: %v", name, n, err)
				}
				whole(t, c, way.want)
			}
		}
	}
}

// A table that never takes a change ends the run, which can be made again.
func TestATableThatStaysBusyIsGivenUp(t *testing.T) {
	c, pauses := newCloud(t), 0
	r := c.recovery(second, &pauses)
	r.Pause = func(context.Context, time.Duration) error {
		if pauses++; pauses > 200 {
			t.Fatal("it tries for ever")
		}
		for _, made := range c.tables {
			made.busy = forever
		}
		return nil
	}
	if _, err := r.Run(t.Context(), both); err == nil || !strings.Contains(err.Error(), "Run it again to go on") || pauses < 30 {
		t.Errorf("after %d pauses: %v", pauses, err)
	}
}

func TestADryRunSaysEachStepAndChangesNothing(t *testing.T) {
	for name, way := range ways() {
		c, pauses := newCloud(t), 0
		c.remove(way.gone...)
		r := c.recovery(way.to, &pauses)
		r.DryRun = true
		var said strings.Builder
		r.Say = func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }
		if _, err := r.Run(t.Context(), way.tables); err != nil || len(c.calls) > 0 {
			t.Fatalf("%s: %v, %v", name, c.calls, err)
		}
		for _, line := range []string{"restore " + sports, "tag " + way.want[0], "protect " + way.want[1] + " from deletion"} {
			if !strings.Contains(said.String(), line) {
				t.Errorf("%s: it does not say %q:\n%s", name, line, said.String())
			}
		}
	}
}

func TestARecoveryIsRefusedBeforeItBegins(t *testing.T) {
	const target = "stage-Keys-1-at-20250601T025900Z"
	restored := func(from string, at time.Time) func(*cloud) {
		return func(c *cloud) {
			c.tables[target] = &table{Restored: map[string]any{"SourceTableArn": arns + from, "RestoreDateTime": at.Unix()}}
		}
	}
	for name, tt := range map[string]struct {
		to     time.Time
		change func(*cloud)
		says   string
	}{
		"too long ago":       {first.Add(-time.Second), nil, "to any second from 2025-01-01T00:00:00Z to 2026-01-01T00:00:00Z"},
		"in the future":      {last.Add(time.Second), nil, "to any second from"},
		"no backups":         {second, func(c *cloud) { c.tables[keys].Days = 0 }, "point-in-time recovery is off"},
		"the name is used":   {second, func(c *cloud) { c.tables[target] = &table{} }, "was not restored from stage-Keys-1"},
		"of another table":   {second, restored(nonces, second), "was not restored from stage-Keys-1"},
		"of another second":  {second, restored(keys, second.Add(1)), ""},
		"a deleted table":    {second, func(c *cloud) { c.remove(keys) }, "Without --to it comes back as it was then"},
		"deleted long ago":   {time.Time{}, func(c *cloud) { delete(c.tables, keys) }, "AWS has no backup of it"},
		"the first second":   {first, nil, ""},
		"the last second":    {last, nil, ""},
		"restored, and used": {time.Time{}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, pauses := newCloud(t), 0
			if tt.change != nil {
				tt.change(c)
			}
			_, err := c.recovery(tt.to, &pauses).Run(t.Context(), both[1:])
			if tt.says == "" && err == nil {
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.says) || len(c.calls) > 0 {
				t.Errorf("%v, after %v", err, c.calls)
			}
		})
	}
}
