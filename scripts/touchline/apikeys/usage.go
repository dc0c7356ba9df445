package apikeys

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

// UsageCommand is `touchline usage`.
type UsageCommand struct {
	Month        string `placeholder:"YYYY-MM" help:"UTC month (default: this one)."`
	Organization string `placeholder:"ID" help:"Only this organization: its id, or your own key for it."`
	JSON         bool   `name:"json" help:"Print a JSON array."`
	database.Flags
}

// Help is shown below the flags.
func (UsageCommand) Help() string {
	return `Says how many requests of each organization were counted in a month, and of how many: the largest quota of its keys. All keys of an organization share one count, and a key's own number bounds that count: keys that are refused for it now follow in rows of their own. Counts are kept for a year after the month.

Examples:

    touchline usage
    touchline usage --stack prod --month 2026-02 --organization at.oefb
`
}

// Run prints the use.
func (u *UsageCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	at := c.Now().UTC()
	if u.Month != "" {
		var err error
		if at, err = time.Parse(keys.MonthForm, u.Month); err != nil {
			return terminal.Usagef("--month %q: want one such as %s", u.Month, c.Now().UTC().Format(keys.MonthForm))
		}
	}
	d, err := u.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	list, err := d.Keys().List(ctx)
	if err != nil {
		return d.Explain(err)
	}
	SayDamaged(c, list)
	counts, err := d.Usage(ctx, at)
	if err != nil {
		return d.Explain(err)
	}
	only := sport.ID("")
	if u.Organization != "" {
		only = dataset.ID(sport.KindOrganization, u.Organization)
		counts[only] += 0 // shown, used or not
	}
	maps.DeleteFunc(counts, func(id sport.ID, _ int) bool { return only != "" && id != only })
	names, err := database.NamesOf(ctx, d.Sports(), slices.Collect(maps.Keys(counts)))
	if err != nil && ctx.Err() != nil {
		return err
	}
	rows := keys.Uses(counts, list, at, c.Now(), names)
	if u.JSON {
		return c.JSON(rows)
	}
	if len(rows) == 0 {
		c.Sayf("no request was counted in %s", at.Format(keys.MonthForm))
		return nil
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ORGANIZATION\tNAME\tMONTH\tUSED\tQUOTA\t") // Flush reports errors
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", r.Organization, terminal.Plain(r.Name), r.Month, r.Used, r.Quota, cmp.Or(outOf(r, c.Now()), share(r.Used, r.Quota)))
	}
	return w.Flush()
}

// outOf says which key a row is about; empty for an organization.
func outOf(r keys.Use, now time.Time) string {
	if r.Key == "" {
		return ""
	}
	return fmt.Sprintf("%s gets 429 until %s", r.Key, nextMonth(now))
}

// share is used as a percentage of quota.
func share(used, quota int) string {
	if quota == 0 {
		return "no key"
	}
	return fmt.Sprintf("%.1f %%, %d left", 100*float64(used)/float64(quota), max(quota-used, 0))
}
