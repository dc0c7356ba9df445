package main

import (
	"errors"
	"maps"
	"net/mail"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"

	"touchline/shared/limits"
	"touchline/shared/stack"
)

// settings are what a deployment can choose, from the context of the CDK: a
// value from `-c name=value`, else that of the stage in cdk.json
// (stages.<stage>.<name>), else the default here. Unknown names are refused.
type settings struct {
	Stage  string // name of the stage, which identifies the stack
	Region string // AWS region; empty: that of the AWS configuration at deployment

	Memory       int // MB of a function that serves requests; processor time is in proportion
	ThrottleRate int // requests a second that the gateway lets through, from all callers together
	LogDays      int // after which lines of logs are deleted
	FailureLimit int // failed authentications that a caller may have in a minute (D2)
	// DefaultPhoto is the URL of the picture for players without one. Only dev
	// has a default, which no public stage should show.
	DefaultPhoto string

	// Tables and a KMS key (ARN) to use instead of those of the stack, which are
	// kept: restored ones, or those that an older stack left behind. Empty:
	// those of the stack.
	SportsTable, KeysTable, SecretsKey string

	AlarmEmail string // receives the alarms; empty: only subscribers of the topic do
	// WatchKey is the parameter of Systems Manager with the key that signs a ping every
	// minute; empty: none does.
	WatchKey      string
	MonthlyBudget int // of the account, in USD; AlarmEmail is notified; 0: none

	// Domain is the name of the API; empty: the gateway's.
	Domain         string
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
	// from the template, on its processor. Such a template cannot be deployed.
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
	r := newContextReader(context)
	var s settings
	s.Stage = r.Text("stage", "dev", "a lower-case letter and then at most 20 letters, digits and hyphens; not github…, whose stacks are those of scripts/github-roles.yml",
		func(v string) bool { return stageName.MatchString(v) && !strings.HasPrefix(v, "github") })
	r.OfStage(s.Stage)
	s.Region = r.Text("region", "", "an AWS region, such as eu-central-1", regionName.MatchString)

	s.Memory = r.Number("memory", stack.DefaultMemory, 128, 10240)
	s.ThrottleRate = r.Number("throttleRate", 200, 1, 10000)
	s.LogDays = r.Number("logDays", 30, 1, 3653)
	if !slices.Contains(logDays, s.LogDays) {
		r.Fault("logDays is %d: want one of %v, which are what CloudWatch keeps logs for", s.LogDays, logDays)
	}
	s.DefaultPhoto = defaultPhoto(r, s.Stage)
	s.FailureLimit = r.Number("failureLimit", limits.FailureLimit, 1, 100_000)
	s.SportsTable = r.Text("sportsTable", "", "the name of a DynamoDB table", tableName.MatchString)
	s.KeysTable = r.Text("keysTable", "", "the name of a DynamoDB table", tableName.MatchString)
	s.SecretsKey = r.Text("secretsKey", "", "the ARN of a KMS key", keyARN.MatchString)
	s.AlarmEmail = r.Text("alarmEmail", "", "an e-mail address", isAddress)
	s.WatchKey = r.Text("watchKey", "", "the name of a parameter of Systems Manager that begins with a slash, such as /touchline/prod/watch", parameterName.MatchString)
	s.MonthlyBudget = r.Number("monthlyBudget", 0, 0, 1_000_000)
	s.Domain = r.Text("domain", "", "a domain name in lower case, such as api.example.org", domainName.MatchString)
	s.CertificateARN = r.Text("certificateArn", "", "the ARN of an ACM certificate", certificateARN.MatchString)
	s.HostedZoneID = r.Text("hostedZoneId", "", "the id of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ", zoneID.MatchString)
	s.PermissionsBoundary = r.Text("permissionsBoundary", "", "the ARN of an IAM policy", policyARN.MatchString)
	s.Unattended = r.Flag("unattended", false)
	s.TerminationProtection = r.Flag("terminationProtection", false)
	s.Disposable = r.Flag("disposable", false)
	s.Local = r.Flag("local", false)
	together(r, s)
	r.Unknown()
	return s, r.Err()
}

// together checks settings that depend on each other.
func together(r *contextReader, s settings) {
	if s.Domain != "" && s.CertificateARN == "" {
		r.Fault("domain needs certificateArn: the ARN of its certificate in ACM, in the region of the stack")
	}
	if s.Domain == "" && s.CertificateARN+s.HostedZoneID != "" {
		r.Fault("certificateArn and hostedZoneId are of a domain: give domain, too")
	}
	if s.Disposable && s.TerminationProtection {
		r.Fault("disposable and terminationProtection exclude each other")
	}
	if s.MonthlyBudget > 0 && s.AlarmEmail == "" {
		r.Fault("monthlyBudget needs alarmEmail: who is notified")
	}
	for _, of := range []struct{ name, arn string }{{"certificateArn", s.CertificateARN}, {"secretsKey", s.SecretsKey}} {
		if parts := strings.Split(of.arn, ":"); s.Region != "" && len(parts) > 3 && parts[3] != s.Region {
			r.Fault("%s is of region %s: want one of the stage's region, %s", of.name, parts[3], s.Region)
		}
	}
}

// defaultPhoto has a default in dev only.
func defaultPhoto(r *contextReader, stage string) string {
	const ofDev, want = "https://example.org/player.png", "an http or https URL"
	if _, given := r.Value("defaultPhoto"); !given && stage != "dev" {
		r.Fault("defaultPhoto is not set: every player without a picture is served with it. Want %s, in cdk.json under stages.%s", want, stage)
	}
	return r.Text("defaultPhoto", ofDev, want, isURL)
}

// processor is that of the functions, as Go names it. Lambda's arm64 costs a fifth less.
func (s settings) processor() string {
	if s.Local {
		return runtime.GOARCH
	}
	return "arm64"
}

// named are the resources to use instead of the stack's own, by the variable of
// stack.Exchangeable.
func (s settings) named() map[string]string {
	named := map[string]string{
		stack.VariableSportsTable: s.SportsTable, stack.VariableKeysTable: s.KeysTable, stack.VariableKMSKey: s.SecretsKey,
	}
	maps.DeleteFunc(named, func(_, name string) bool { return name == "" })
	return named
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

var (
	stageName      = regexp.MustCompile(`^[a-z][a-z0-9-]{0,20}$`)
	regionName     = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)
	domainName     = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)
	certificateARN = regexp.MustCompile(`^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate/[0-9a-f-]+$`)
	tableName      = regexp.MustCompile(`^[A-Za-z0-9_.-]{3,255}$`)
	policyARN      = regexp.MustCompile(`^arn:aws[a-z-]*:iam::([0-9]{12}|aws):policy/[A-Za-z0-9+=,.@_/-]{1,512}$`)
	parameterName  = regexp.MustCompile(`^(/[A-Za-z0-9_.-]+)+$`)
	keyARN         = regexp.MustCompile(`^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/(mrk-)?[0-9a-f-]+$`)
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
