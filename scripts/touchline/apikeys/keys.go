// Package apikeys has the commands about API keys and their use: `touchline
// keys` and `touchline usage`.
//
// A secret is shown once, by the command that makes it, and stored sealed: with
// the KMS key of a deployment, else with the master key of this machine
// ([Sealer]). Organizations are named by their ids or by the operator's own keys
// for them.
package apikeys

import (
	"context"
	"strings"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

// Command is `touchline keys`, with a field for each command below it.
type Command struct {
	database.Flags

	Create keysCreate `cmd:"" help:"Make a key for an organization and print its secret, once."`
	List   keysList   `cmd:"" help:"List all keys."`
	Show   keysShow   `cmd:"" help:"Show one key, and who changed it."`
	Set    keysSet    `cmd:"" help:"Change a key's scopes, quota, addresses, expiry or label."`
	Rotate keysRotate `cmd:"" help:"Give a key a new secret; the older one works until it is dropped."`
	Revoke keysRevoke `cmd:"" help:"End a key for good."`
}

// Help is shown below the flags.
func (Command) Help() string {
	return `A key belongs to one organization and holds scopes. Changes take effect within 60 seconds, a new key works at once.

Examples:

    touchline keys create --organization at.oefb --all-scopes --descendants
    touchline keys list --stack prod
`
}

// open connects to the database and makes the registry.
func (k *Command) open(ctx context.Context, c *terminal.Terminal) (*database.Database, *keys.Registry, error) {
	d, err := k.Flags.Open(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return d, &keys.Registry{Store: d.Keys(), Now: c.Now, By: Author(d)}, nil
}

// openSealing is open for the commands that make a secret.
func (k *Command) openSealing(ctx context.Context, c *terminal.Terminal) (*database.Database, *keys.Registry, error) {
	d, r, err := k.open(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	if d.Deployed != nil {
		r.Sealer = newKMSSealer(ctx, d)
		return d, r, nil
	}
	if r.Sealer, err = SealerOf(ctx, c, r.Store); err != nil {
		d.Close()
		return nil, nil, d.Explain(err)
	}
	return d, r, nil
}

// settings are what a key may do, as flags.
type settings struct {
	Scope        []string  `sep:"none" xor:"scopes" placeholder:"SCOPE" help:"A scope the key holds, such as matches:read; repeat it for more."`
	AllScopes    bool      `xor:"scopes" help:"The key holds every scope."`
	Descendants  *bool     `negatable:"" help:"The key sees everything below its organization, too, or with --no-descendants not."`
	AllowIP      []string  `name:"allow-ip" sep:"none" xor:"addresses" placeholder:"CIDR" help:"Address or prefix from which the key may be used; repeat it for more. A new key may be used from any."`
	MonthlyQuota *int      `xor:"quota" placeholder:"N" help:"Requests a month of all keys of the organization together, after which this one is refused; of a new key ${monthly_quota}."`
	Expires      time.Time `xor:"expiry" placeholder:"TIME" help:"When the key ends, RFC 3339, such as 2027-01-01T00:00:00Z. A new key does not end."`
	Label        *string   `placeholder:"TEXT" help:"What the key is for; an empty one takes it off."`
}

// scopes are those that were named; nil: none were.
func (s *settings) scopes() []string {
	if s.AllScopes {
		return keys.AllScopeNames()
	}
	return s.Scope
}

type keysCreate struct {
	Organization string `required:"" placeholder:"ID" help:"Organization the key belongs to: its id, or your own key for it."`
	settings
	Unchecked bool `help:"Do not check that the organization exists."`
	JSON      bool `name:"json" help:"Print the key as JSON, with keyId and secret."`
}

func (keysCreate) Help() string {
	return `The secret is shown now and never again; it is stored sealed.

Examples:

    touchline keys create --organization at.oefb --all-scopes --descendants
    touchline keys create --organization at.oefb --scope standings:read --scope matches:read --allow-ip 203.0.113.0/24 --json
`
}

func (k *keysCreate) Run(ctx context.Context, c *terminal.Terminal, parent *Command) error {
	if k.Organization == "" {
		return terminal.Usagef("--organization must not be empty")
	}
	req := keys.Request{
		Organization: dataset.ID(sport.KindOrganization, k.Organization), Scopes: k.scopes(), Allowlist: k.AllowIP, MonthlyQuota: k.MonthlyQuota,
		Descendants: k.Descendants != nil && *k.Descendants,
	}
	if k.Label != nil {
		req.Label = *k.Label
	}
	if !k.Expires.IsZero() {
		req.ExpiresAt = &k.Expires
	}
	if _, err := keys.NewKey(req, c.Now()); err != nil {
		return inFlags(err)
	}
	d, registry, err := parent.openSealing(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Ensure(ctx); err != nil {
		return err
	}
	if !k.Unchecked {
		o, err := d.Known(ctx, c, k.Organization)
		if err != nil {
			return err
		}
		if o != nil && o.Type == sport.Club {
			c.Sayf("note: a club's key sees the club, its teams, players and matches. The tables, fixtures and scorers of its leagues need a key of the organization that runs them")
		}
	}
	if len(req.Scopes) == 0 {
		c.Sayf("note: without --scope or --all-scopes the key can ping, and nothing else")
	}
	issued, err := registry.Create(ctx, req)
	if err != nil {
		return d.Explain(err)
	}
	warnOfUse(ctx, c, d, issued.Key)
	return printIssued(c, issued, k.JSON)
}

// warnOfUse says that a key is refused from the start, since the requests of the other keys
// of its organization count (D9). A count that cannot be read is passed over.
func warnOfUse(ctx context.Context, c *terminal.Terminal, d *database.Database, k keys.Key) {
	counts, _ := d.Usage(ctx, c.Now())
	if used := counts[k.Organization]; used >= k.Quota() {
		c.Sayf("note: the keys of the organization are counted together, and have sent %d requests this month: with %d this key gets 429 until %s. A key's number does not keep requests for it", used, k.Quota(), nextMonth(c.Now()))
	}
}

// nextMonth is when a quota begins again.
func nextMonth(now time.Time) string {
	now = now.UTC()
	return time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// inFlags names the flags that the faulty fields of a request come from: they are called
// like the fields.
func inFlags(err error) error {
	return terminal.Usagef("--%s", strings.ReplaceAll(err.Error(), "\n", "\n--"))
}
