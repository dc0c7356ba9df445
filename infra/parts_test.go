package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/route"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
)

// variablesAreThoseRead checks that each variable that a function reads is set,
// to a part of the stack or a plain setting, and that no other is.
func variablesAreThoseRead(t *testing.T, s *synthesis, local bool) {
	plain := map[string]bool{
		stack.VariableStage: true, stack.VariableDefaultPhoto: true, stack.VariableStorage: true,
		stack.VariableFailureLimit: true, stack.VariableFailureWindow: true, stack.VariableProcessors: true,
		stack.VariableKeepLoads: true,
	}
	for _, function := range s.of("AWS::Lambda::Function") {
		read := stack.RequestVariables()
		if s.serves(function) == stack.Ingest {
			read = stack.IngestVariables()
		}
		want := map[string]bool{}
		for _, v := range read {
			if v.Deployed || local {
				want[v.Name] = true
			}
		}
		got := map[string]bool{}
		set, _ := s.Resources[function].at("Environment", "Variables").(map[string]any)
		for name, value := range set {
			got[name] = true
			if _, literal := value.(string); literal && !plain[name] && value != onALaptop {
				t.Errorf("%s: %s is written into the template", function, name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-read +set) %s", function, diff)
		}
	}
	if _, refused := s.Rules["Local"]; refused != local {
		t.Errorf("a template for a laptop can be deployed, or one for AWS cannot: %t", refused)
	}
}

// outputsAreThoseOfTheirPackage checks that package stack understands all
// outputs, and that each has a description.
func outputsAreThoseOfTheirPackage(t *testing.T, s *synthesis) {
	values := map[string]string{}
	for key, o := range s.Outputs {
		values[key] = fmt.Sprint(o.Value)
		if o.Description == "" || o.Value == nil {
			t.Errorf("%s: %+v", key, o)
		}
	}
	if _, err := stack.Parse(values); err != nil {
		t.Error(err)
	}
	for key := range values {
		if key == stack.OutputRollbackAlarms { // read by scripts/deploy; older stacks do not have it
			continue
		}
		without := map[string]string{}
		for k, v := range values {
			if k != key {
				without[k] = v
			}
		}
		if _, err := stack.Parse(without); err == nil {
			t.Errorf("nobody reads the output %s", key)
		}
	}
	for _, function := range s.of("AWS::Lambda::Function") {
		group := named(s.Resources[function].at("LoggingConfig", "LogGroup"), "")
		if !strings.Contains(values[stack.OutputLogGroups], "Ref:"+group) {
			t.Errorf("%s is not among %s", group, values[stack.OutputLogGroups])
		}
	}
}

// whatCannotBeMadeAgainStays when the stack is deleted, and is protected before
// that.
func whatCannotBeMadeAgainStays(t *testing.T, s *synthesis, protected bool) {
	want := map[string]string{
		"Sports": "RetainExceptOnCreate", "Keys": "RetainExceptOnCreate", "Quotas": "Delete", "Nonces": "Delete",
		"Secrets": "RetainExceptOnCreate", "IngestBucket": "RetainExceptOnCreate", // useless without a stack that was created
	}
	if diff := cmp.Diff(want, s.policies(t)); diff != "" {
		t.Error(diff)
	}
	for id, kept := range want {
		r := s.Resources[id]
		var want any = false
		if kept != "Delete" {
			want = map[string]any{"Fn::If": []any{"Protected", true, false}}
		}
		if diff := cmp.Diff(want, r.at("DeletionProtectionEnabled")); r.Type == "AWS::DynamoDB::Table" && diff != "" {
			t.Errorf("%s: deletion protection: %s", id, diff)
		}
	}
	if p := s.Parameters[stack.ParameterProtect]; p.Default != "true" {
		t.Errorf("tables are protected by default: %v", p.Default)
	}
	if diff := cmp.Diff(map[string]any{"Fn::Equals": []any{map[string]any{"Ref": stack.ParameterProtect}, "true"}}, s.Conditions["Protected"]); diff != "" {
		t.Error(diff)
	}
	if got := s.Metadata[stack.MetadataKey].TerminationProtection; got != protected {
		t.Errorf("a deployment with termination protection: %t", got)
	}
	for name, a := range s.manifest.Artifacts {
		if strings.HasPrefix(name, "touchline-") && !strings.Contains(name, ".") && a.Properties.TerminationProtection != protected {
			t.Errorf("%s: termination protection is %t", name, a.Properties.TerminationProtection)
		}
	}
}

func aDisposableStageLeavesLittle(t *testing.T, s *synthesis) {
	want := map[string]string{
		"Sports": "Delete", "Keys": "Delete", "Secrets": "Delete", "IngestBucket": "RetainExceptOnCreate", "Quotas": "Delete", "Nonces": "Delete",
	}
	if diff := cmp.Diff(want, s.policies(t)); diff != "" {
		t.Error(diff)
	}
	for _, id := range s.of("AWS::DynamoDB::Table") {
		if s.Resources[id].at("DeletionProtectionEnabled") != false {
			t.Errorf("%s is protected from being deleted", id)
		}
	}
	if len(s.Parameters) > 1 { // the CDK's own, the version of the bootstrap
		t.Errorf("parameters: %v", s.Parameters)
	}
}

// policies are what happens to the resources that store data when they are
// removed or replaced.
func (s *synthesis) policies(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for id, r := range s.Resources {
		switch r.Type {
		case "AWS::DynamoDB::Table", "AWS::KMS::Key", "AWS::S3::Bucket":
			found[id] = r.DeletionPolicy
			if r.UpdateReplacePolicy != strings.TrimSuffix(r.DeletionPolicy, "ExceptOnCreate") {
				t.Errorf("%s: replaced it is %s, removed %s", id, r.UpdateReplacePolicy, r.DeletionPolicy)
			}
		}
	}
	return found
}

// tablesAreThoseOfTheirStores, by key and time to live.
func tablesAreThoseOfTheirStores(t *testing.T, s *synthesis) {
	expires := *counters.TimeToLive("").TimeToLiveSpecification.AttributeName
	backups := map[string]any{"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 35.0}
	briefly, never := map[string]any{"PointInTimeRecoveryEnabled": true}, map[string]any{"PointInTimeRecoveryEnabled": false}
	for id, tt := range map[string]struct {
		key     []string
		expires any
		backups map[string]any
	}{
		"Sports": {keyOf(dynamo.Table("")), nil, backups},
		"Keys":   {keyOf(keys.KeysTable("")), nil, backups},
		"Nonces": {keyOf(counters.Table("")), expires, never},
		"Quotas": {keyOf(counters.Table("")), expires, briefly},
	} {
		r := s.Resources[id]
		var key []string
		elements, _ := r.at("KeySchema").([]any)
		for _, e := range elements {
			key = append(key, fmt.Sprint(at(e, "AttributeName"), " ", at(e, "KeyType")))
		}
		if diff := cmp.Diff(tt.key, key); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
		if r.at("TimeToLiveSpecification", "AttributeName") != tt.expires {
			t.Errorf("%s: items expire by %v, not %v", id, r.at("TimeToLiveSpecification"), tt.expires)
		}
		for property, want := range map[string]any{
			"BillingMode": "PAY_PER_REQUEST", "TableName": nil,
			"PointInTimeRecoverySpecification": tt.backups,
			"SSESpecification":                 map[string]any{"SSEEnabled": true, "SSEType": "KMS"},
		} {
			if diff := cmp.Diff(want, r.at(property)); diff != "" {
				t.Errorf("%s: %s: %s", id, property, diff)
			}
		}
	}
}

// localRunnersFindTheCode by the metadata that the CDK adds for them, in a
// folder of the assembly with the bootstrap for the right processor.
func localRunnersFindTheCode(t *testing.T, s *synthesis) {
	for _, function := range s.of("AWS::Lambda::Function") {
		r := s.Resources[function]
		asset, _ := r.Metadata["aws:asset:path"].(string)
		if r.Metadata["aws:asset:property"] != "Code" || asset == "" {
			t.Errorf("%s: %v", function, r.Metadata)
		}
		built, err := os.ReadFile(filepath.Join(s.folder, asset, "bootstrap"))
		if err != nil {
			t.Error(err)
		}
		processor := map[any]string{"arm64": "arm64", "x86_64": "amd64"}[r.at("Architectures", 0)]
		if want := string(s.serves(function)) + " for " + processor; string(built) != want {
			t.Errorf("%s is deployed with %q, not %q", function, built, want)
		}
	}
}

// notOwn are properties whose name is not that of the resource, or is unique
// within the stack anyway.
var notOwn = []string{"DisplayName", "StageName", "MetricName", "DomainName"}

// namesDoNotClash checks that names do not clash with those of another stage:
// every explicit name contains the stage.
func namesDoNotClash(t *testing.T, s *synthesis) {
	stage, _ := s.Resources["Ping"].at("Environment", "Variables", stack.VariableStage).(string)
	named := 0
	for id, r := range s.Resources {
		for property, value := range r.Properties {
			name, ok := value.(string)
			own := strings.HasSuffix(property, "Name") && !slices.Contains(notOwn, property) && r.Type != "AWS::Route53::RecordSet" && r.Type != "AWS::Lambda::Alias"
			if !ok || !own {
				continue
			}
			named++
			if !strings.Contains(name, "touchline-"+stage) && !strings.Contains(name, "touchline/"+stage+"/") {
				t.Errorf("%s: %s is %q", id, property, name)
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d names", named)
	}
}

func queuesOutlastTheFunction(t *testing.T, s *synthesis) {
	timeout, _ := s.Resources["Ingest"].at("Timeout").(float64)
	hidden, _ := s.Resources["IngestQueue"].at("VisibilityTimeout").(float64)
	if timeout != 900 || hidden <= timeout {
		t.Errorf("a message is hidden for %v s, a load may take %v s", hidden, timeout)
	}
	source := s.Resources["IngestSource"]
	if named(source.at("EventSourceArn"), "Arn") != "IngestQueue" || source.at("BatchSize") != 1.0 || source.at("FunctionResponseTypes", 0) != "ReportBatchItemFailures" {
		t.Errorf("%v", source.Properties)
	}
	told := s.Resources["IngestBucket"].at("NotificationConfiguration", "QueueConfigurations", 0)
	if named(at(told, "Queue"), "Arn") != "IngestQueue" || at(told, "Filter", "S3Key", "Rules", 0, "Value") != "/"+stack.DropReady {
		t.Errorf("%v", told)
	}
	if again := s.Resources["IngestQueue"].at("RedrivePolicy", "maxReceiveCount"); again != float64(stack.DropReceives) {
		t.Errorf("a message is received %v times, want %d, SQS's most", again, stack.DropReceives)
	}
	var written []string
	for _, r := range s.rights(t, "Ingest") {
		if r.action == "s3:PutObject" {
			written = append(written, strings.TrimPrefix(r.on, "IngestBucket/*/"))
		}
	}
	if diff := cmp.Diff([]string{stack.DropReport}, written); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"IngestQueuePolicy"}, s.Resources["IngestBucket"].DependsOn); diff != "" {
		t.Error(diff)
	}
}

// pingReadsNoRecord but the organization of a key.
func pingReadsNoRecord(t *testing.T, s *synthesis) {
	for _, group := range route.Groups() {
		for _, r := range s.rights(t, strings.ToUpper(string(group[:1]))+string(group[1:])) {
			if r.action != "dynamodb:BatchGetItem" {
				continue
			}
			var want any
			if group == route.GroupPing {
				want = map[string]any{"ForAllValues:StringLike": map[string]any{"dynamodb:LeadingKeys": []any{"?#O#*", "??#O#*", "LOAD"}}}
			}
			if diff := cmp.Diff(want, r.where); diff != "" {
				t.Errorf("%s: %s", group, diff)
			}
		}
	}
}

// setting is a property that shows a setting.
type setting struct {
	resource string
	path     []any
	want     any
}

func (s *synthesis) holds(t *testing.T, settings ...setting) {
	t.Helper()
	for _, tt := range settings {
		if got := s.Resources[tt.resource].at(tt.path...); got != tt.want {
			t.Errorf("%s %v is %v, want %v", tt.resource, tt.path, got, tt.want)
		}
	}
}

func theStagesSettingsArrive(t *testing.T, s *synthesis) {
	s.holds(t,
		setting{"Teams", []any{"MemorySize"}, 512.0},
		setting{"ApiStage", []any{"DefaultRouteSettings", "ThrottlingRateLimit"}, 1000.0},
		setting{"ApiStage", []any{"DefaultRouteSettings", "ThrottlingBurstLimit"}, 2000.0},
		setting{"Teams", []any{"Architectures", 0}, "arm64"},
		setting{"Ingest", []any{"EphemeralStorage", "Size"}, 10240.0},
		setting{"Ingest", []any{"Environment", "Variables", stack.VariableStorage}, "10240"},
		setting{"Ingest", []any{"ReservedConcurrentExecutions"}, nil},
		setting{"TeamsLogs", []any{"RetentionInDays"}, 90.0},
		setting{"Api", []any{"DisableExecuteApiEndpoint"}, false},
		setting{"Secrets", []any{"MultiRegion"}, true},
		setting{"UnauthorizedAlarm", []any{"Threshold"}, 200.0},
		setting{"RateLimitedAlarm", []any{"Threshold"}, 1000.0},
		setting{"RequestsAlarm", []any{"Threshold"}, 150_000.0},
		setting{"RequestsAlarm", []any{"EvaluationPeriods"}, 3.0},
		setting{"Teams", []any{"LoggingConfig", "LogFormat"}, "JSON"},
		setting{"Teams", []any{"LoggingConfig", "SystemLogLevel"}, "WARN"},
		setting{"Ingest", []any{"LoggingConfig", "SystemLogLevel"}, "WARN"},
	)
	if environment := s.manifest.Artifacts["touchline-prod"].Environment; environment != "aws://unknown-account/unknown-region" {
		t.Errorf("without a setting the stack is bound to %s", environment)
	}
}

func settingsArrive(t *testing.T, s *synthesis) {
	s.holds(t, []setting{
		{"Teams", []any{"MemorySize"}, 512.0},
		{"Teams", []any{"Environment", "Variables", stack.VariableDefaultPhoto}, "https://img.example/nobody.png"},
		{"Ingest", []any{"MemorySize"}, 1024.0},
		{"Ingest", []any{"Environment", "Variables", stack.VariableKeepLoads}, "30"},
		{"RequestsAlarm", []any{"Threshold"}, 1650.0},
		{"Teams", []any{"TracingConfig", "Mode"}, "Active"},
		{"Ingest", []any{"TracingConfig", "Mode"}, nil},
		{"Budget", []any{"Budget", "BudgetLimit", "Amount"}, 50.0},
		{"Budget", []any{"NotificationsWithSubscribers", 0, "Notification", "NotificationType"}, "FORECASTED"},
		{"Budget", []any{"NotificationsWithSubscribers", 2, "Subscribers", 0, "Address"}, "operator@club.example"},
		{"ApiStage", []any{"DefaultRouteSettings", "ThrottlingRateLimit"}, 11.0},
		{"ApiStage", []any{"DefaultRouteSettings", "ThrottlingBurstLimit"}, 22.0},
		{"TeamsLogs", []any{"RetentionInDays"}, 1.0},
		{"Api", []any{"DisableExecuteApiEndpoint"}, true},
		{"Domain", []any{"DomainNameConfigurations", 0, "SecurityPolicy"}, "TLS_1_2"},
		{"DomainMapping", []any{"DomainName", "Ref"}, "Domain"},
		{"DomainRecord", []any{"HostedZoneId"}, "Z0123456789ABC"},
		{"DomainRecord", []any{"AliasTarget", "DNSName", "Fn::GetAtt", 0}, "Domain"},
		{"AlarmsEmail", []any{"Endpoint"}, "operator@club.example"},
	}...)
	if environment := s.manifest.Artifacts["touchline-a-stage-named-at-leng"].Environment; environment != "aws://unknown-account/eu-central-1" {
		t.Errorf("the stack is bound to %s", environment)
	}
	if got := s.Outputs[stack.OutputBaseURL].Value; got != "https://api.club.example" {
		t.Errorf("requests are sent to %v", got)
	}
}

// TestNamedPartsAreUsedInThePlaceOfTheStacksOwn, which stay but are not used.
func TestNamedPartsAreUsedInThePlaceOfTheStacksOwn(t *testing.T) {
	const boundary = "arn:aws:iam::123456789012:policy/club/bounds"
	const key = "arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-0001-0002-0003-000000000004"
	s := synthesized(t, map[string]any{"sportsTable": "sports-restored", "keysTable": "keys-restored", "secretsKey": key, "permissionsBoundary": boundary})
	s.holds(t, []setting{
		{"Teams", []any{"Environment", "Variables", stack.VariableSportsTable}, "sports-restored"},
		{"Teams", []any{"Environment", "Variables", stack.VariableKeysTable}, "keys-restored"},
		{"Teams", []any{"Environment", "Variables", stack.VariableKMSKey}, key},
		{"Ingest", []any{"Environment", "Variables", stack.VariableSportsTable}, "sports-restored"},
		{"Sports", []any{"DeletionProtectionEnabled", "Fn::If", 0}, "Protected"},
	}...)
	for output, want := range map[string]any{stack.OutputSportsTable: "sports-restored", stack.OutputKeysTable: "keys-restored", stack.OutputSecretsKey: key} {
		if got := s.Outputs[output].Value; got != want {
			t.Errorf("%s is %v", output, got)
		}
	}
	for _, id := range s.of("AWS::IAM::Role") {
		if got := s.Resources[id].at("PermissionsBoundary"); got != boundary {
			t.Errorf("%s is bounded by %v", id, got)
		}
		rights, err := json.Marshal(s.Resources[id].at("Policies"))
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range []string{`["Sports","Arn"]`, `["Keys","Arn"]`, `["Secrets","Arn"]`} {
			if strings.Contains(string(rights), own) {
				t.Errorf("%s has rights on %s", id, own)
			}
		}
		if !strings.Contains(string(rights), ":table/sports-restored") {
			t.Errorf("%s has no right on the table that is named: %s", id, rights)
		}
	}
	if what := s.Resources["Sports"].DeletionPolicy; what != "RetainExceptOnCreate" {
		t.Errorf("the stack's own table: %s", what)
	}
	nagFindsNothing(t, s)
}

// TestADomainThatIsServedElsewhereTellsWhereToPoint, because its record is made
// by hand.
func TestADomainThatIsServedElsewhereTellsWhereToPoint(t *testing.T) {
	given := everything()
	delete(given, "hostedZoneId")
	s := synthesized(t, given)
	if records := s.of("AWS::Route53::RecordSet"); len(records) > 0 {
		t.Error(records)
	}
	if got := s.Outputs[stack.OutputDomainTarget]; named(got.Value, "RegionalDomainName") != "Domain" || got.Description == "" {
		t.Errorf("%+v", got)
	}
}

// everyFaultIsWatched checks that each metric of faults has an alarm, in the
// dimension of the stage.
func everyFaultIsWatched(t *testing.T, s *synthesis) {
	stage := s.Resources["Ping"].at("Environment", "Variables", stack.VariableStage)
	watched := map[any]bool{}
	for _, id := range s.of("AWS::CloudWatch::Alarm") {
		r := s.Resources[id]
		if r.at("Namespace") == accesslog.Namespace {
			watched[r.at("MetricName")] = r.at("Dimensions", 0, "Name") == accesslog.Dimension && r.at("Dimensions", 0, "Value") == stage
		}
	}
	for _, m := range accesslog.Metrics() {
		callers := m == accesslog.Unauthorized || m == accesslog.RateLimited || m == accesslog.Requests
		if fault := strings.HasSuffix(string(m), "Faults") || strings.HasSuffix(string(m), "Failures"); (fault || callers) != watched[string(m)] {
			t.Errorf("%s is watched: %t", m, watched[string(m)])
		}
	}
	body, err := json.Marshal(s.Resources["Dashboard"].at("DashboardBody"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range accesslog.Metrics() {
		if !strings.Contains(string(body), string(m)) {
			t.Errorf("%s is not on the dashboard", m)
		}
	}
}

func alarmsSayWhatToDo(t *testing.T, s *synthesis) {
	functions := map[any]bool{}
	for _, id := range s.of("AWS::Lambda::Function") {
		functions[s.Resources[id].at("FunctionName")] = true
	}
	for _, id := range s.of("AWS::CloudWatch::Alarm") {
		r := s.Resources[id]
		if r.at("Namespace") == "AWS/DynamoDB" {
			t.Errorf("%s takes missing data as it comes", id)
		}
		if told, _ := r.at("AlarmDescription").(string); len(told) < 100 {
			t.Errorf("%s says %q", id, told)
		}
		if named(r.at("AlarmActions", 0), "") != "Alarms" || r.at("TreatMissingData") != "notBreaching" {
			t.Errorf("%s notifies %v, and takes missing data for %v", id, r.at("AlarmActions"), r.at("TreatMissingData"))
		}
		queries, _ := r.at("Metrics").([]any)
		for _, q := range queries[min(1, len(queries)):] {
			// An alarm on DynamoDB ignores its setting for missing data
			// (PutMetricAlarm).
			filled := strings.Contains(fmt.Sprint(at(queries[0], "Expression")), `FILL(METRICS("m"), 0)`)
			if at(q, "MetricStat", "Metric", "Namespace") == "AWS/DynamoDB" && !filled {
				t.Errorf("%s would never end: what it watches is missing where nothing is wrong", id)
			}
			name := at(q, "MetricStat", "Metric", "Dimensions", 0)
			if at(name, "Name") == "FunctionName" && !functions[at(name, "Value")] {
				t.Errorf("%s watches %v, which is not there", id, name)
			}
		}
	}
	rollback := strings.Split(fmt.Sprint(at(s.Outputs[stack.OutputRollbackAlarms].Value, "Fn::Join", 1)), "Fn::GetAtt")
	if n := len(rollback) - 1; n != len(rollbackAlarms) || n > 5 {
		t.Errorf("%d alarms roll an update back; CloudFormation takes five: %v", n, rollback)
	}
	for _, id := range rollbackAlarms {
		queries, _ := s.Resources[id+"Alarm"].at("Metrics").([]any)
		share := queries[len(queries)-1]
		if at(share, "ReturnData") != true || !strings.HasPrefix(fmt.Sprint(at(share, "Expression")), "100 * sum / FILL(all, 1)") {
			t.Errorf("%s rolls an update back by %v, not by a share", id, share)
		}
		s.holds(t,
			setting{id + "Alarm", []any{"Threshold"}, 1.0}, setting{id + "Alarm", []any{"EvaluationPeriods"}, 1.0},
			setting{id + "Alarm", []any{"ComparisonOperator"}, "GreaterThanOrEqualToThreshold"})
		terms := 1 // of the gateway
		if id == "FunctionErrors" {
			terms = len(route.Groups())
		}
		for n, q := range queries[1 : len(queries)-1] {
			want := map[string][2]string{"GatewayErrors": {"AWS/ApiGateway", "5xx"}, "FunctionErrors": {"AWS/Lambda", "Errors"}}[id]
			if n == terms {
				want = [2]string{"AWS/ApiGateway", "Count"}
			}
			metric := at(q, "MetricStat", "Metric")
			if at(metric, "Namespace") != want[0] || at(metric, "MetricName") != want[1] || at(q, "MetricStat", "Stat") != "Sum" || at(q, "MetricStat", "Period") != 900.0 {
				t.Errorf("%s looks at %v, not at the sum of %v", id, q, want)
			}
		}
		if n := len(queries) - 3; n != terms || !strings.Contains(fmt.Sprint(rollback), id+"Alarm Arn") {
			t.Errorf("%s adds up %d metrics of %d, or rolls nothing back: %v", id, n, terms, rollback)
		}
		if watched := fmt.Sprint(queries); strings.Contains(watched, "-"+stack.Ingest) {
			t.Errorf("%s rolls an update back because of a load", id)
		}
	}
	load, other := fmt.Sprint(s.Resources["LoadThrottlesAlarm"].at("Metrics")), fmt.Sprint(s.Resources["TableThrottlesAlarm"].at("Metrics"))
	if !strings.Contains(load, "WriteThrottleEvents") || !strings.Contains(load, "Sports") || strings.Contains(other, "sports write") {
		t.Errorf("a load that is throttled has no alarm of its own: %s; %s", load, other)
	}
	s.holds(t, []setting{
		{"ApiThrottled", []any{"FilterPattern"}, `{ $.status = "429" && $.integrationStatus = "-" }`},
		{"ApiThrottled", []any{"MetricTransformations", 0, "MetricName"}, s.Resources["GatewayThrottlesAlarm"].at("MetricName")},
		{"ApiThrottled", []any{"MetricTransformations", 0, "MetricNamespace"}, s.Resources["GatewayThrottlesAlarm"].at("Namespace")},
		{"GatewayThrottlesAlarm", []any{"Threshold"}, 100.0},
	}...)
	if len(s.of("AWS::CloudWatch::Alarm")) < 9 {
		t.Errorf("alarms: %v", s.of("AWS::CloudWatch::Alarm"))
	}
}
