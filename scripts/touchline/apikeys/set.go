package apikeys

import (
	"cmp"
	"context"
	"errors"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
)

type keysSet struct {
	oneKey
	settings
	NoScopes     bool `xor:"scopes" help:"The key holds no scope: it can ping only."`
	AllowAnyIP   bool `name:"allow-any-ip" xor:"addresses" help:"The key may be used from everywhere."`
	DefaultQuota bool `xor:"quota" help:"The usual ${monthly_quota} requests a month."`
	NeverExpires bool `xor:"expiry" help:"The key does not end."`
}

func (keysSet) Help() string {
	return `Changes what is named and nothing else, within 60 seconds; id and secret stay. What changed is shown.

Examples:

    touchline keys set tk_… --monthly-quota 50000
    touchline keys set tk_… --scope standings:read --scope matches:read --no-descendants --never-expires
`
}

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
		if errors.As(err, new(keys.FieldErrors)) {
			return inFlags(err)
		}
		return s.fault(d, err)
	}
	if changes.MonthlyQuota != nil {
		warnOfUse(ctx, c, d, after)
	}
	if s.JSON {
		return c.JSON(map[string]keys.Key{"before": before, "after": after})
	}
	changed := keys.Differences(before, after)
	for _, f := range changed {
		c.Printf("%-12s  %s -> %s\n", f.Name, cmp.Or(f.Before, "-"), cmp.Or(f.After, "-"))
	}
	if len(changed) == 0 {
		c.Sayf("nothing to change")
	}
	return nil
}

// changes are the flags given.
func (s *keysSet) changes() (keys.Changes, error) {
	changes := keys.Changes{Descendants: s.Descendants, MonthlyQuota: s.MonthlyQuota, Label: s.Label}
	if scopes := s.scopes(); scopes != nil || s.NoScopes {
		changes.Scopes = &scopes
	}
	if len(s.AllowIP) > 0 || s.AllowAnyIP {
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
