package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/limits"
	"touchline/shared/stack"

	"github.com/aws/aws-cdk-go/awscdk/v2"
)

// settings are what a deployment can choose, from the context of the CDK: a
// value from `-c name=value`, else that of the stage in cdk.json
// (stages.<stage>.<name>), else the default here. Unknown names are refused.
type settings struct {
	Stage  string // name of the stage, which identifies the stack
	Region string // AWS region; empty: that of the AWS configuration at deployment

	Architecture string // arm64, or amd64
	Memory       int    // MB of a function that serves requests; processor time is in proportion
	// Concurrency is the number of workers that are reserved for each function
	// that serves requests, which is also its maximum. 0 reserves none: 100
	// workers of an account have to stay unreserved, and a new account may have
	// only 10 in all.
	Concurrency   int
	ThrottleRate  int // requests a second that the gateway lets through, from all callers together
	ThrottleBurst int // the same, at once
	LogDays       int // after which lines of logs are deleted
	FailureLimit  int // failed authentications that a caller may have in a window (D2)
	FailureWindow int // length of that window in seconds
	// DefaultPhoto is the URL of the picture for players without one. Only dev
	// has a default, which no public stage should show.
	DefaultPhoto string

	IngestMemory  int // MB of the function that loads datasets
	IngestStorage int // MB of its disk, where archives are unpacked; a drop may use 88 percent of it

	// BulkMegabytes is from which size on, in MB of its files as they are in the
	// bucket, a dataset that is dropped on an empty table is loaded by many functions
	// at once, which the state machine conducts; 0: none is. Every other load writes
	// what has changed, and is done by one function. The default leaves to one function
	// what it can load with its default disk (package ingest), also where all of it is
	// compressed: an archive of 10 MB has some 400,000 players.
	BulkMegabytes   int
	BulkMemory      int // MB of the function that does the steps of such a load
	BulkStorage     int // MB of its disk: the whole dataset and a part of its lists
	BulkConcurrency int // how many steps are done at once, by as many workers of the account

	BackupDays int // how far back the tables of data and keys can be restored, 1 to 35
	// WarmWrites is how many write units a second the table of the data takes
	// from the beginning. 0 is the 4,000 of a new table. A higher value shortens
	// a first load of more than a few minutes, and is charged once, when it is
	// raised. DynamoDB does not lower it: later deployments can only raise it.
	WarmWrites int
	// MultiRegion makes a KMS key that can be replicated to another region. It
	// has to be chosen before the first deployment: a key cannot be converted.
	MultiRegion bool

	// Tables and a KMS key (ARN) to use instead of those of the stack, which are
	// kept: restored ones, or those that an older stack left behind. Empty:
	// those of the stack.
	SportsTable, KeysTable, SecretsKey string

	// LoadsTopic is the ARN of an SNS topic that each load of the bucket is published
	// to which changed something; empty: none.
	LoadsTopic string

	AlarmEmail string // receives the alarms; empty: only subscribers of the topic do
	// The limits of the alarms on callers, in five minutes: requests refused as
	// unauthorized, requests refused for their rate, and all requests for a
	// quarter of an hour.
	UnauthorizedAlarm, RateLimitedAlarm, RequestsAlarm int
	// WatchKey is the parameter of Systems Manager with the key that signs a ping every
	// minute; empty: none does.
	WatchKey string
	// LoadsWithinHours is how many hours may pass without a dataset that is dropped;
	// 0: any number.
	LoadsWithinHours int
	MonthlyBudget    int // of the account, in USD; AlarmEmail is notified; 0: none
	// RollbackMinutes is how long an update is monitored: if one of
	// rollbackAlarms goes off during that time, the update is rolled back.
	RollbackMinutes int
	// Rollout is how requests move to a new version: a name of rollouts.
	Rollout string

	Domain         string // of the API; empty: the gateway's
	CertificateARN string // of the domain, in ACM, in the region of the stack
	HostedZoneID   string // of the domain, in Route 53; empty: you make the record yourself, pointing to the output DomainTarget

	// PermissionsBoundary is the ARN of the managed policy that bounds every role of
	// the stage; empty: none.
	PermissionsBoundary string

	// Unattended lets prod be deployed though nobody is told of alarms or of costs.
	Unattended            bool
	TerminationProtection bool // while it is set, the stack cannot be removed
	// Disposable means that the tables are deleted with the stack, and not
	// protected from deletion.
	Disposable bool
	// Local adds the variables that functions on a laptop read, for running them
	// from the template. Such a template cannot be deployed.
	Local bool
}

// settingsOf reads the context of an app. Reading all of it at once gives only
// the names, because objects in it are wrapped.
func settingsOf(app awscdk.App) (settings, error) {
	all, ok := app.Node().GetAllContext(nil).(map[string]any)
	if !ok {
		return settings{}, errors.New("the CDK's context is no object")
	}
	context := map[string]any{}
	for name := range all {
		context[name] = app.Node().TryGetContext(&name)
	}
	return readSettings(context)
}

// readSettings reads a context; the error names every fault in it.
func readSettings(context map[string]any) (settings, error) {
	r := reader{own: context, used: map[string]bool{"stages": true}}
	var s settings
	s.Stage = r.text("stage", "dev", "a lower-case letter and then at most 20 letters, digits and hyphens; not github…, whose stacks are those of scripts/github-roles.yml",
		func(v string) bool { return stageName.MatchString(v) && !strings.HasPrefix(v, "github") })
	r.ofStage(s.Stage)
	s.Region = r.text("region", "", "an AWS region, such as eu-central-1", regionName.MatchString)

	s.Architecture = r.text("architecture", "arm64", "arm64 or amd64", func(v string) bool { return v == "arm64" || v == "amd64" })
	s.Memory = r.number("memory", stack.DefaultMemory, 128, 10240)
	s.Concurrency = r.number("concurrency", 0, 0, 1000)
	s.ThrottleRate = r.number("throttleRate", 200, 1, 10000)
	s.ThrottleBurst = r.number("throttleBurst", 400, 1, 5000)
	s.LogDays = r.number("logDays", 30, 1, 3653)
	if !slices.Contains(logDays, s.LogDays) {
		r.fault("logDays is %d: want one of %v, which are what CloudWatch keeps logs for", s.LogDays, logDays)
	}
	s.DefaultPhoto = r.defaultPhoto(s.Stage)
	s.FailureLimit = r.number("failureLimit", limits.FailureLimit, 1, 100_000)
	s.FailureWindow = r.number("failureWindow", int(limits.WindowLength.Seconds()), 1, 86_400)
	s.IngestMemory = r.number("ingestMemory", 3008, 512, 10240)
	s.IngestStorage = r.number("ingestStorage", 2048, 512, 10240)
	s.BulkMegabytes = r.number("bulkMegabytes", 10, 0, 1_000_000)
	s.BulkMemory = r.number("bulkMemory", 3008, 512, 10240)
	s.BulkStorage = r.number("bulkStorage", 10240, 512, 10240)
	s.BulkConcurrency = r.number("bulkConcurrency", 4, 1, 1000)
	s.SportsTable = r.text("sportsTable", "", "the name of a DynamoDB table", tableName.MatchString)
	s.KeysTable = r.text("keysTable", "", "the name of a DynamoDB table", tableName.MatchString)
	s.SecretsKey = r.text("secretsKey", "", "the ARN of a KMS key", keyARN.MatchString)
	s.BackupDays = r.number("backupDays", 35, 1, 35)
	s.WarmWrites = r.number("warmWrites", 0, 0, 40000)
	if s.WarmWrites > 0 && s.WarmWrites < newTableWrites {
		r.fault("warmWrites is %d: a new table takes %d, give more or leave it out", s.WarmWrites, newTableWrites)
	}
	s.MultiRegion = r.flag("multiRegion")
	s.LoadsTopic = r.text("loadsTopic", "", "the ARN of an SNS topic", topicARN.MatchString)
	s.AlarmEmail = r.text("alarmEmail", "", "an e-mail address", isAddress)
	s.UnauthorizedAlarm = r.number("unauthorizedAlarm", 200, 1, 1_000_000_000)
	s.RateLimitedAlarm = r.number("rateLimitedAlarm", 1000, 1, 1_000_000_000)
	s.RequestsAlarm = r.number("requestsAlarm", s.ThrottleRate*alarmPeriod/2, 1, 1_000_000_000)
	s.WatchKey = r.text("watchKey", "", "the name of a parameter of Systems Manager that begins with a slash, such as /touchline/prod/watch", parameterName.MatchString)
	s.LoadsWithinHours = r.number("loadsWithinHours", 0, 0, 7*24)
	s.MonthlyBudget = r.number("monthlyBudget", 0, 0, 1_000_000)
	s.RollbackMinutes = r.number("rollbackMinutes", 0, 0, 180)
	s.Rollout = r.text("rollout", atOnce, "one of "+strings.Join(sorted(rollouts), ", "), func(v string) bool { _, known := rollouts[v]; return known })
	s.Domain = r.text("domain", "", "a domain name in lower case, such as api.example.org", domainName.MatchString)
	s.CertificateARN = r.text("certificateArn", "", "the ARN of an ACM certificate", certificateARN.MatchString)
	s.HostedZoneID = r.text("hostedZoneId", "", "the id of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ", zoneID.MatchString)
	s.PermissionsBoundary = r.text("permissionsBoundary", "", "the ARN of an IAM policy", policyARN.MatchString)
	s.Unattended = r.flag("unattended")
	s.TerminationProtection = r.flag("terminationProtection")
	s.Disposable = r.flag("disposable")
	s.Local = r.flag("local")
	r.together(s)
	r.unknown()
	return s, errors.Join(r.faults...)
}

// together checks settings that depend on each other.
func (r *reader) together(s settings) {
	if s.Domain != "" && s.CertificateARN == "" {
		r.fault("domain needs certificateArn: the ARN of its certificate in ACM, in the region of the stack")
	}
	if s.Domain == "" && s.CertificateARN+s.HostedZoneID != "" {
		r.fault("certificateArn and hostedZoneId are of a domain: give domain, too")
	}
	if s.Disposable && s.TerminationProtection {
		r.fault("disposable and terminationProtection exclude each other")
	}
	if s.MonthlyBudget > 0 && s.AlarmEmail == "" {
		r.fault("monthlyBudget needs alarmEmail: who is notified")
	}
	for _, of := range []struct{ name, arn string }{{"certificateArn", s.CertificateARN}, {"secretsKey", s.SecretsKey}, {"loadsTopic", s.LoadsTopic}} {
		if parts := strings.Split(of.arn, ":"); s.Region != "" && len(parts) > 3 && parts[3] != s.Region {
			r.fault("%s is of region %s: want one of the stage's region, %s", of.name, parts[3], s.Region)
		}
	}
}

// defaultPhoto has a default in dev only.
func (r *reader) defaultPhoto(stage string) string {
	const ofDev, want = "https://example.org/player.png", "an http or https URL"
	if _, given := r.value("defaultPhoto"); !given && stage != "dev" {
		r.fault("defaultPhoto is not set: every player without a picture is served with it. Want %s, in cdk.json under stages.%s", want, stage)
	}
	return r.text("defaultPhoto", ofDev, want, isURL)
}

// warnings are about settings that are unusual but may be intended.
func (s settings) warnings() []string {
	var list []string
	for _, lack := range s.lacks() {
		list = append(list, lack+". It is not deployed like this")
	}
	if s.Stage == "prod" && !s.TerminationProtection {
		list = append(list, "prod is not protected from being deleted: set terminationProtection in cdk.json, under stages.prod")
	}
	return list
}

// lacks is what keeps prod from being deployed: nobody would notice that it fails, or
// what it costs.
func (s settings) lacks() []string {
	var list []string
	if s.Stage != "prod" || s.Unattended {
		return nil
	}
	const otherwise = " in cdk.json, under stages.prod, or unattended if that is meant"
	if s.AlarmEmail == "" {
		list = append(list, "nobody is notified of alarms: set alarmEmail"+otherwise)
	}
	if s.MonthlyBudget == 0 {
		list = append(list, "nobody is told what the account costs: set monthlyBudget"+otherwise)
	}
	return list
}

// newTableWrites is how many write units a second a new table in DynamoDB takes.
const newTableWrites = 4000

var (
	stageName      = regexp.MustCompile(`^[a-z][a-z0-9-]{0,20}$`)
	regionName     = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)
	domainName     = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)
	certificateARN = regexp.MustCompile(`^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate/[0-9a-f-]+$`)
	tableName      = regexp.MustCompile(`^[A-Za-z0-9_.-]{3,255}$`)
	policyARN      = regexp.MustCompile(`^arn:aws[a-z-]*:iam::([0-9]{12}|aws):policy/[A-Za-z0-9+=,.@_/-]{1,512}$`)
	parameterName  = regexp.MustCompile(`^(/[A-Za-z0-9_.-]+)+$`)
	keyARN         = regexp.MustCompile(`^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[0-9a-f-]+$`)
	topicARN       = regexp.MustCompile(`^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}$`)
	zoneID         = regexp.MustCompile(`^Z[A-Z0-9]{1,31}$`)
	// logDays are the retention periods of CloudWatch Logs.
	logDays = []int{1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653}
)

func isURL(v string) bool {
	u, err := url.Parse(v)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

func isAddress(v string) bool {
	a, err := mail.ParseAddress(v)
	return err == nil && a.Address == v
}

// reader reads settings from a context and collects the faults.
type reader struct {
	own    map[string]any // for this run, or for every stage
	stage  map[string]any // the stage's
	used   map[string]bool
	faults []error
}

func (r *reader) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf(format, args...))
}

// ofStage finds the stage's settings, which may be missing.
func (r *reader) ofStage(name string) {
	stages, ok := r.own["stages"].(map[string]any)
	if r.own["stages"] != nil && !ok {
		r.fault("stages in cdk.json is no object: want {\"dev\": {...}, ...}")
	}
	r.stage, ok = stages[name].(map[string]any)
	if stages[name] != nil && !ok {
		r.fault("stages.%s in cdk.json is no object", name)
	}
}

// value is a setting as given.
func (r *reader) value(name string) (any, bool) {
	r.used[name] = true
	if v, ok := r.own[name]; ok {
		return v, true
	}
	v, ok := r.stage[name]
	return v, ok
}

func (r *reader) text(name, otherwise, want string, good func(string) bool) string {
	given, ok := r.value(name)
	if !ok {
		return otherwise
	}
	v, ok := given.(string)
	if !ok || !good(v) {
		r.fault("%s is %s: want %s", name, shown(given), want)
		return otherwise
	}
	return v
}

func (r *reader) number(name string, otherwise, low, high int) int {
	given, ok := r.value(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(fmt.Sprint(given)) // from -c it is text
	if err != nil || n < low || n > high {
		r.fault("%s is %s: want a whole number from %d to %d", name, shown(given), low, high)
		return otherwise
	}
	return n
}

func (r *reader) flag(name string) bool {
	given, ok := r.value(name)
	if !ok {
		return false
	}
	switch given {
	case true, "true":
		return true
	case false, "false":
		return false
	}
	r.fault("%s is %s: want true or false", name, shown(given))
	return false
}

func shown(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// unknown finds names that are not settings. Names with a colon, an at sign, a
// slash or a hyphen belong to the CDK.
func (r *reader) unknown() {
	for _, name := range slices.Sorted(maps.Keys(r.own)) {
		if !r.used[name] && !strings.ContainsAny(name, ":@/-") {
			r.fault("%s is no setting: want one of %s", name, r.names())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.stage)) {
		if !r.used[name] || name == "stage" || name == "stages" {
			r.fault("%s is no setting of a stage: want one of %s", name, r.names())
		}
	}
}

func (r *reader) names() string {
	return strings.Join(slices.Sorted(func(yield func(string) bool) {
		for name := range r.used {
			if name != "stages" && !yield(name) {
				return
			}
		}
	}), ", ")
}
