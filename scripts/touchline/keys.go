package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/kms"

	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
	"touchline/shared/stack"
)

// keysCommand is `touchline keys`: one field a command below it.
type keysCommand struct {
	databaseFlags
	KMSKey string `name:"kms-key" placeholder:"ID" help:"AWS KMS key (id, ARN or alias) that seals the secrets (default: that of --stack, else TOUCHLINE_KMS_KEY); without one, the master key of this machine does."`

	Create keysCreate `cmd:"" help:"Make a key for an organization and print its secret, once."`
	List   keysList   `cmd:"" help:"List all keys."`
	Show   keysShow   `cmd:"" help:"Show one key."`
	Set    keysSet    `cmd:"" help:"Change a key's scopes, quota, addresses, expiry or label."`
	Rotate keysRotate `cmd:"" help:"Give a key a new secret; the old one works until it is retired."`
	Retire keysRetire `cmd:"" help:"End a rotation: drop the older secret."`
	Revoke keysRevoke `cmd:"" help:"End a key for good."`
	Used   keysUsed   `cmd:"" help:"Note in each key when it was last used, by the log of requests."`
}

// Help is shown below the flags.
func (keysCommand) Help() string {
	return `A key belongs to one organization and holds scopes. Changes take effect within 60 seconds, a new key works at once.

Examples:

    touchline keys create --organization at.oefb --all-scopes --descendants
    touchline keys list --stack prod
`
}

// open connects to the database and makes the registry.
func (k *keysCommand) open(ctx context.Context, c *console) (*database, *keys.Registry, error) {
	d, err := k.databaseFlags.open(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	r := &keys.Registry{Store: &keys.DynamoDB{Client: d.client, Table: d.tables.Keys}, Now: c.Now}
	return d, r, nil
}

// openSealing is open for the commands that make a secret.
func (k *keysCommand) openSealing(ctx context.Context, c *console) (*database, *keys.Registry, error) {
	kmsKey := k.KMSKey
	if kmsKey == "" && k.Stack == "" {
		kmsKey = c.Getenv(stack.VariableKMSKey)
	}
	if k.AWS && kmsKey == "" && c.Getenv(stack.VariableMasterKey) == "" {
		return nil, nil, usagef("--aws needs --kms-key, or give --stack, which names it: on AWS the service opens secrets with that KMS key, not with this machine's master key")
	}
	d, r, err := k.open(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	if d.deployed != nil {
		r.Sealer = &keys.KMSSealer{Client: kms.NewFromConfig(d.deployed.config), KeyID: cmp.Or(kmsKey, d.deployed.SecretsKey)}
		return d, r, nil
	}
	r.Sealer, err = k.sealer(ctx, kmsKey, c)
	return d, r, err
}

// sealer is KMS where a key of it is named, else the master key of this machine.
func sealer(ctx context.Context, kmsKey string, c *console) (keys.Sealer, error) {
	return awsFlags{}.sealer(ctx, kmsKey, c)
}

// sealer is sealer, with KMS in the account and region chosen.
func (f awsFlags) sealer(ctx context.Context, kmsKey string, c *console) (keys.Sealer, error) {
	if kmsKey != "" {
		cfg, err := f.load(ctx)
		if err != nil {
			return nil, err
		}
		return &keys.KMSSealer{Client: kms.NewFromConfig(cfg), KeyID: kmsKey}, nil
	}
	path := ""
	if _, given := lookup(c)(stack.VariableMasterKey); !given {
		var err error
		if path, err = keys.MasterKeyPath(); err != nil {
			return nil, err
		}
	}
	master, err := keys.LoadMasterKey(lookup(c), path)
	if err != nil {
		return nil, err
	}
	return keys.NewLocalSealer(master)
}

// lookup is os.LookupEnv on the console's environment, where empty is unset.
func lookup(c *console) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v := c.Getenv(name)
		return v, v != ""
	}
}

type keysCreate struct {
	Organization string    `required:"" placeholder:"ID" help:"Organization the key belongs to: its id, or your own key for it."`
	Scope        []string  `sep:"none" xor:"scopes" placeholder:"SCOPE" help:"A scope the key holds, such as matches:read; repeat it for more."`
	AllScopes    bool      `xor:"scopes" help:"The key holds every scope."`
	Descendants  bool      `help:"The key sees everything below its organization, too."`
	AllowIP      []string  `name:"allow-ip" sep:"none" placeholder:"CIDR" help:"Address or prefix from which the key may be used; repeat it for more (default: any)."`
	MonthlyQuota *int      `placeholder:"N" help:"Requests a month (default: ${monthly_quota})."`
	Expires      time.Time `placeholder:"TIME" help:"When the key ends, RFC 3339, such as 2027-01-01T00:00:00Z (default: never)."`
	Label        string    `placeholder:"TEXT" help:"What the key is for."`
	Count        int       `default:"1" placeholder:"N" help:"How many such keys to make (default: ${default})."`
	Unchecked    bool      `help:"Do not check that the organization exists."`
	JSON         bool      `name:"json" help:"Print each key as one line of JSON, with keyId and secret."`
}

// Help is shown below the flags.
func (keysCreate) Help() string {
	return `The secret is shown now and never again; it is stored sealed.

Examples:

    touchline keys create --organization at.oefb --all-scopes --descendants
    touchline keys create --organization at.oefb --scope standings:read --scope matches:read --allow-ip 203.0.113.0/24 --json
`
}

// maxCount bounds --count: a typing error should not fill the table.
const maxCount = 10_000

// Run makes the keys.
func (k *keysCreate) Run(ctx context.Context, c *console, parent *keysCommand) error {
	if k.Count < 1 || k.Count > maxCount {
		return usagef("--count must be from 1 to %d", maxCount)
	}
	if k.Organization == "" {
		return usagef("--organization must not be empty")
	}
	req := keys.Request{
		Organization: dataset.ID(sport.KindOrganization, k.Organization), Scopes: k.Scope, Descendants: k.Descendants,
		Allowlist: k.AllowIP, MonthlyQuota: k.MonthlyQuota, Label: k.Label,
	}
	if k.AllScopes {
		for _, s := range keys.AllScopes() {
			req.Scopes = append(req.Scopes, string(s))
		}
	}
	if !k.Expires.IsZero() {
		req.ExpiresAt = &k.Expires
	}
	if _, err := keys.NewKey(req, c.Now()); err != nil {
		return usageError{inFlags(err)}
	}
	d, registry, err := parent.openSealing(ctx, c)
	if err != nil {
		return err
	}
	if err := d.ensure(ctx); err != nil {
		return err
	}
	if !k.Unchecked {
		if err := d.known(ctx, c, k.Organization); err != nil {
			return err
		}
	}
	if len(req.Scopes) == 0 {
		c.sayf("note: without --scope or --all-scopes the key can ping, and nothing else")
	}
	return k.create(ctx, c, d, registry, req)
}

func (k *keysCreate) create(ctx context.Context, c *console, d *database, registry *keys.Registry, req keys.Request) error {
	p := c.progress("making keys", k.Count)
	defer p.end()
	for n := range k.Count {
		issued, err := registry.Create(ctx, req)
		if err != nil {
			return fmt.Errorf("after %d of %d keys: %w", n, k.Count, d.explain(err))
		}
		if err := printIssued(c, issued, k.JSON); err != nil {
			return err
		}
		if !c.OutTerminal {
			p.at(n + 1)
		}
	}
	return nil
}

// known checks that an organization is in the data. Where the data may not be
// read, it says so and trusts the caller.
func (d *database) known(ctx context.Context, c *console, given string) error {
	id := dataset.ID(sport.KindOrganization, given)
	there, err := d.has(ctx, id)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.sayf("note: could not check that organization %s exists: %v", given, err)
	case !there:
		return fmt.Errorf("no organization %q (id %s) in table %s at %s: import it first, check the spelling, or add --unchecked", given, id, d.tables.Sports, d.where)
	}
	return nil
}

// inFlags writes the fields of a request as the flags they come from.
func inFlags(err error) error {
	flags := map[keys.Field]string{
		keys.FieldOrganization: "--organization", keys.FieldScopes: "--scope", keys.FieldAllowlist: "--allow-ip",
		keys.FieldMonthlyQuota: "--monthly-quota", keys.FieldExpiresAt: "--expires", keys.FieldLabel: "--label",
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return err
	}
	var out []error
	for _, e := range joined.Unwrap() {
		var field *keys.FieldError
		if errors.As(e, &field) {
			e = fmt.Errorf("%s: %s", flags[field.Field], field.Reason)
		}
		out = append(out, e)
	}
	return errors.Join(out...)
}
