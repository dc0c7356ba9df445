package main

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"touchline/scripts/keyinfo"
	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/limits/dynamo"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

type usageCommand struct {
	Month        string `placeholder:"YYYY-MM" help:"UTC month (default: this one)."`
	Organization string `placeholder:"ID" help:"Only this organization: its id, or your own key for it."`
	JSON         bool   `name:"json" help:"Print a JSON array."`
	databaseFlags
}

// Help is shown below the flags.
func (usageCommand) Help() string {
	return `Says how many requests of each organization were counted in a month, and of how many: the largest quota of its keys. Counts are kept for a year after the month.

Examples:

    touchline usage
    touchline usage --stack prod --month 2026-02 --organization at.oefb
`
}

// Run prints the use.
func (u *usageCommand) Run(ctx context.Context, c *console) error {
	at := c.Now().UTC()
	if u.Month != "" {
		var err error
		if at, err = time.Parse(keyinfo.MonthForm, u.Month); err != nil {
			return usagef("--month %q: want one such as %s", u.Month, c.Now().UTC().Format(keyinfo.MonthForm))
		}
	}
	d, err := u.open(ctx, c)
	if err != nil {
		return err
	}
	list, err := (&keys.DynamoDB{Client: d.client, Table: d.tables.Keys}).List(ctx)
	if err != nil {
		return d.explain(err)
	}
	counts, err := dynamo.Usage(ctx, d.client, d.tables.Quotas, at)
	if err != nil {
		return d.explain(err)
	}
	only := sport.ID("")
	if u.Organization != "" {
		only = dataset.ID(sport.KindOrganization, u.Organization)
		counts[only] += 0 // shown, used or not
	}
	maps.DeleteFunc(counts, func(id sport.ID, _ int) bool { return only != "" && id != only })
	rows, err := keyinfo.Uses(ctx, counts, list, at, c.Now(), d.nameOf)
	if err != nil {
		return err
	}
	if u.JSON {
		return c.json(rows)
	}
	if len(rows) == 0 {
		c.sayf("no request was counted in %s", at.Format(keyinfo.MonthForm))
		return nil
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ORGANIZATION\tNAME\tMONTH\tUSED\tQUOTA\t") // Flush reports errors
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", r.Organization, plain(r.Name), r.Month, r.Used, r.Quota, share(r.Used, r.Quota))
	}
	return w.Flush()
}

// nameOf is an organization's name; empty where it is not in the data, or the
// data may not be read.
func (d *database) nameOf(ctx context.Context, id sport.ID) (string, error) {
	item, err := d.sports().Get(ctx, records.OrganizationKey(id), false)
	if err != nil || item == nil {
		return "", err
	}
	r, err := store.Decode[records.OrganizationRecord](item)
	if err != nil {
		return "", err
	}
	return r.Name, nil
}

// share is used of quota in percent.
func share(used, quota int) string {
	if quota == 0 {
		return "no key"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(used)/float64(quota))
}

// plain is text of the data as a terminal may be shown it: without what would
// move its cursor.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}
