package apikeys

import (
	"context"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
)

type keysSet struct {
	oneKey
	Scope        []string  `sep:"none" xor:"scopes" placeholder:"SCOPE" help:"The scopes the key holds from now on, such as matches:read; repeat it for more."`
	AllScopes    bool      `xor:"scopes" help:"The key holds every scope."`
	NoScopes     bool      `xor:"scopes" help:"The key holds no scope: it can ping only."`
	Descendants  *bool     `negatable:"" help:"The key sees everything below its organization, too, or with --no-descendants not."`
	AllowIP      []string  `name:"allow-ip" sep:"none" xor:"addresses" placeholder:"CIDR" help:"Address or prefix from which the key may be used from now on; repeat it for more."`
	AllowAnyIP   bool      `name:"allow-any-ip" xor:"addresses" help:"The key may be used from everywhere."`
	MonthlyQuota *int      `xor:"quota" placeholder:"N" help:"Requests a month."`
	DefaultQuota bool      `xor:"quota" help:"The usual ${monthly_quota} requests a month."`
	Expires      time.Time `xor:"expiry" placeholder:"TIME" help:"When the key ends, RFC 3339, such as 2027-01-01T00:00:00Z."`
	NeverExpires bool      `xor:"expiry" help:"The key does not end."`
	Label        *string   `placeholder:"TEXT" help:"What the key is for; an empty one takes it off."`
}

// Help is shown below the flags.
func (keysSet) Help() string {
	return `Changes what is named and nothing else, within 60 seconds; id and secret stay. What changed is shown.

Examples:

    touchline keys set tk_… --monthly-quota 50000
    touchline keys set tk_… --scope standings:read --scope matches:read --no-descendants --never-expires
`
}

// Run changes the key.
func (s *keysSet) Run(ctx context.Context, c *terminal.Terminal, parent *Command) error {
	changes, err := s.changes()
	if err != nil {
		return err
	}
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	before, after, err := registry.Set(ctx, s.ID, changes)
	if err != nil {
		if wrong := inFlags(err); wrong.Error() != err.Error() {
			return terminal.Usage(wrong)
		}
		return s.fault(d, err)
	}
	if s.JSON {
		return c.JSON(map[string]keys.Key{"before": before, "after": after})
	}
	changed := keys.Differences(before, after)
	for _, f := range changed {
		c.Printf("%-12s  %s -> %s\n", f.Name, orDash(f.Before), orDash(f.After))
	}
	if len(changed) == 0 {
		c.Sayf("nothing to change")
	}
	return nil
}

// changes are the flags given.
func (s *keysSet) changes() (keys.Changes, error) {
	changes := keys.Changes{Descendants: s.Descendants, MonthlyQuota: s.MonthlyQuota, Label: s.Label}
	none := []string{}
	switch {
	case s.AllScopes:
		changes.Scopes = new(keys.AllScopeNames())
	case s.NoScopes:
		changes.Scopes = &none
	case len(s.Scope) > 0:
		changes.Scopes = &s.Scope
	}
	switch {
	case s.AllowAnyIP:
		changes.Allowlist = &none
	case len(s.AllowIP) > 0:
		changes.Allowlist = &s.AllowIP
	}
	switch {
	case s.DefaultQuota:
		changes.MonthlyQuota = new(int)
	case s.MonthlyQuota != nil && *s.MonthlyQuota == 0:
		return keys.Changes{}, terminal.Usagef("--monthly-quota: a key of 0 requests a month would never work: give it one at least, --default-quota, or end it with touchline keys revoke")
	}
	switch {
	case s.NeverExpires:
		changes.ExpiresAt = &time.Time{}
	case !s.Expires.IsZero():
		changes.ExpiresAt = &s.Expires
	}
	if changes == (keys.Changes{}) {
		return changes, terminal.Usagef("nothing is said about what to change: give a flag such as --monthly-quota")
	}
	return changes, nil
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
