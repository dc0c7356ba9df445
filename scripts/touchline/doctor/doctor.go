// Package doctor is `touchline doctor`: it looks for what keeps Touchline from
// working.
//
// It checks this machine and its database or, with --stack, a deployment, one
// thing after another. It goes on after a fault, so that one run finds all of
// them. Each finding is fine, unknown, a warning or a fault, and a fault says what to do.
// The command changes nothing: it makes no master key and no table.
//
// A [Box] is a serve that runs. It looks at itself, which /health shows.
package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/loader"
	"touchline/shared/store/generation"
)

// Command is `touchline doctor`.
type Command struct {
	// Version is the version of the program.
	Version string `kong:"-"`

	JSON bool `name:"json" help:"Print the findings as JSON."`
	database.Flags
}

// Help is shown below the flags.
func (Command) Help() string {
	return `Looks for what keeps Touchline from working, and says what to do about it: of this machine the version, the master key, the clock, and whether all of the data can be read, also where nothing serves them; with --stack of a deployment the stack, your rights, the tables, the KMS key, the service and the clock. It changes nothing. The exit code is 1 where something is at fault.

Examples:

    touchline doctor
    touchline doctor --stack prod
`
}

// examination collects findings.
type examination struct {
	terminal *terminal.Terminal
	findings []Finding
}

func (x *examination) find(check string, state State, format string, args ...any) {
	x.findings = append(x.findings, found(check, state, format, args...))
}

// fault adds an error to the findings.
func (x *examination) fault(check string, err error) { x.find(check, Fault, "%v", err) }

// Findings examines.
func (d *Command) Findings(ctx context.Context, c *terminal.Terminal) []Finding {
	x := &examination{terminal: c}
	x.find("version", OK, "%s", d.Version)
	if d.Stack != "" {
		d.deployed(ctx, x)
	} else {
		d.machine(ctx, x)
	}
	return x.findings
}

// Run examines, and prints what was found.
func (d *Command) Run(ctx context.Context, c *terminal.Terminal) error {
	findings := d.Findings(ctx, c)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	faults := 0
	for _, f := range findings {
		if f.State == Fault {
			faults++
		}
	}
	if d.JSON {
		if err := c.JSON(findings); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			c.Printf("%-7s  %-10s  %s\n", f.State, f.Check, terminal.Plain(f.Message))
		}
	}
	if faults > 0 {
		return errors.New(terminal.Counted(faults, "fault") + " found")
	}
	return nil
}

// machine examines this machine and its database.
func (d *Command) machine(ctx context.Context, x *examination) {
	seal := x.masterKey()
	x.findings = append(x.findings, clock())
	db, err := d.Open(ctx, x.terminal)
	if err != nil {
		x.fault("database", err)
		return
	}
	defer db.Close()
	x.find("database", OK, "%s answers", db.Where)
	if db.File != nil {
		x.findings = append(x.findings, disk(d.Folder()))
		x.file(ctx, db)
	}
	x.tables(ctx, db)
	x.keys(ctx, db, seal)
}

// masterKey checks the master key without making one; nil if there isn't one.
func (x *examination) masterKey() keys.Sealer {
	seal, source, err := apikeys.MasterKey(x.terminal)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		x.find("master key", Warning, "there is none yet: the first key makes %s", source)
		return nil
	case err != nil:
		x.fault("master key", err)
		return nil
	}
	x.find("master key", OK, "%s: keep a copy of it, no backup holds it", source)
	return seal
}

// tables checks the four tables, and what is in the Sports table.
func (x *examination) tables(ctx context.Context, d *database.Database) {
	names := []string{d.Tables.Sports, d.Tables.Nonces, d.Tables.Quotas, d.Tables.Keys}
	if d.File != nil { // whose tables come into being by the first write
		names = nil
	}
	missing := 0
	for _, name := range names {
		if _, err := d.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name}); err != nil {
			missing++
			x.find("tables", Fault, "%s: %v", name, d.Explain(err))
		}
	}
	if missing > 0 {
		return
	}
	state, err := loader.StateOf(ctx, d.Sports())
	other, refused := errors.AsType[*generation.OtherError](err)
	upgraded := refused && other.Upgradable()
	switch {
	case errors.Is(err, loader.ErrUnfinished):
		x.find("data", Fault, "an import was interrupted: run it again, or any other, which finishes it first")
	case upgraded && d.Deployed == nil:
		x.find("data", Warning, "they are of layout %d: serve makes data of layout %d of them as it starts, and leaves them there", other.Open, generation.Layout)
	case err != nil:
		x.fault("data", err)
	case state == (generation.State{}):
		x.find("data", Warning, "there are none yet: run `%s`", d.Hint("import DIR"))
	default:
		x.find("data", OK, "they are there, of layout %d", generation.Layout)
	}
}

// keys looks for keys whose secrets this machine's master key cannot open.
func (x *examination) keys(ctx context.Context, d *database.Database, seal keys.Sealer) {
	registry := &keys.Registry{Store: d.Keys(), Sealer: seal, Now: x.terminal.Now}
	list, err := registry.Store.List(ctx)
	if err != nil {
		x.fault("keys", d.Explain(err))
		return
	}
	if damaged := keys.Damaged(list); damaged != nil {
		x.find("keys", Fault, "%s: `%s`, and make another", cannotBeRead(damaged), d.Hint("keys revoke "+damaged[0]))
	}
	working := 0
	for _, k := range list {
		if k.Valid(x.terminal.Now()) {
			working++
		}
	}
	if working == 0 {
		x.find("keys", Warning, "no key works: make one with `%s`", d.Hint("keys create"))
		return
	}
	if seal == nil {
		x.find("keys", Unknown, "%d in use: none was opened here", working)
		return
	}
	foreign, err := apikeys.ForeignKeys(ctx, registry, list)
	switch {
	case err != nil:
		x.fault("keys", err)
	case len(foreign) > 0:
		x.find("keys", Fault, "sealed with another master key, so that requests with them get 503: %s", strings.Join(foreign, ", "))
	default:
		x.find("keys", OK, "%d in use, all of this machine's master key", working)
	}
}

// pingLimit bounds the request for the time.
const pingLimit = 10 * time.Second

// How much a clock may be off, and from which difference on no request is
// accepted (read-api.md: a timestamp may be off by 300 s).
const (
	clockOff   = 5 * time.Second
	clockWrong = 300 * time.Second
)

// clock compares this machine's clock with the service's.
func (x *examination) clock(ctx context.Context, baseURL string) {
	ctx, cancel := context.WithTimeout(ctx, pingLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, baseURL+"/v1/ping", nil)
	if err != nil {
		x.fault("service", err)
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		x.find("service", Fault, "%s does not answer: %v", baseURL, err)
		return
	}
	_ = resp.Body.Close() // only the header matters
	if resp.StatusCode != http.StatusUnauthorized {
		x.find("service", Fault, "%s answers an unsigned request with %s, not with 401", baseURL, resp.Status)
		return
	}
	x.find("service", OK, "%s answers", baseURL)
	there, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		x.find("clock", Warning, "the service does not say what time it is")
		return
	}
	switch off := x.terminal.Now().Sub(there).Abs().Round(time.Second); {
	case off > clockWrong:
		x.find("clock", Fault, "this machine's differs from the service's by %s: requests are refused; set it", off)
	case off > clockOff:
		x.find("clock", Warning, "this machine's differs from the service's by %s: set it", off)
	default:
		x.find("clock", OK, "as the service's")
	}
}

// deployed examines a deployment.
func (d *Command) deployed(ctx context.Context, x *examination) {
	deployed, err := d.Deployment(ctx, x.terminal)
	if err != nil {
		x.fault("stack", err)
		return
	}
	x.find("stack", OK, "%s in %s", deployed.Name, deployed.Config.Region)
	who, err := sts.NewFromConfig(deployed.Config).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		x.fault("rights", err)
	} else {
		x.find("rights", OK, "you are %s", *who.Arn)
	}
	if db, err := d.Open(ctx, x.terminal); err != nil {
		x.fault("database", err)
	} else {
		defer db.Close()
		x.tables(ctx, db)
		x.keys(ctx, db, nil)
	}
	var key struct {
		KeyMetadata struct {
			Enabled  bool
			KeyState string
		}
	}
	client := keys.NewKMS(deployed.Config, database.EndpointOf(ctx, deployed.Config, "KMS"))
	err = client.Call(ctx, "DescribeKey", map[string]string{"KeyId": deployed.SecretsKey}, &key)
	refused, _ := errors.AsType[smithy.APIError](err)
	switch {
	case refused != nil && refused.ErrorCode() == "NotFoundException":
		x.find("KMS key", Fault, "%s is not there: no secret can be opened (infra/runbook.md, key-store)", deployed.SecretsKey)
	case err != nil:
		x.find("KMS key", Warning, "it cannot be looked at, which making keys needs the right to: %v", err)
	case !key.KeyMetadata.Enabled:
		x.find("KMS key", Fault, "%s is %s: no secret can be opened (infra/runbook.md, key-store)", deployed.SecretsKey, key.KeyMetadata.KeyState)
	default:
		x.find("KMS key", OK, "%s", deployed.SecretsKey)
	}
	x.clock(ctx, deployed.BaseURL)
	x.find("alarms", Unknown, "`aws cloudwatch describe-alarms --region %[1]s --state-value ALARM --alarm-name-prefix %[2]s- --query MetricAlarms[].AlarmName` has which ring, `aws sns list-subscriptions --region %[1]s` who has not confirmed to be told of them (PendingConfirmation), `aws lambda get-account-settings --region %[1]s` how many functions the account may run at once", deployed.Config.Region, deployed.Name)
}

// file reads all of the file of the data: its pages and its records.
func (x *examination) file(ctx context.Context, d *database.Database) {
	report, err := d.File.Check(ctx)
	switch {
	case err != nil:
		x.fault("file", d.Explain(err))
	case len(report.Damage) > 0:
		x.find("file", Fault, "the data in %s cannot be read in full (%s): stop serve, and bring the last backup back with `touchline restore`, which keeps what is there; without one, import the dataset into another folder", d.Where, strings.Join(report.Damage, "; "))
	default:
		const mb = 1 << 20
		x.find("file", OK, "%s can be read in %s; it has %d MB, %d of them not in use", terminal.Counted(report.All(), "item"), d.Where, report.Size/mb, report.Free/mb)
	}
}
