package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

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

// organizationUse is an organization's use of a month.
type organizationUse struct {
	Organization sport.ID `json:"organization"`
	Name         string   `json:"name,omitempty"`
	Month        string   `json:"month"`
	Used         int      `json:"used"`
	Quota        int      `json:"quota,omitempty"` // 0: it has no key that works
}

// monthForm is how a month is written.
const monthForm = "2006-01"

// Run prints the use.
func (u *usageCommand) Run(ctx context.Context, c *console) error {
	at := c.Now().UTC()
	if u.Month != "" {
		var err error
		if at, err = time.Parse(monthForm, u.Month); err != nil {
			return usagef("--month %q: want one such as %s", u.Month, c.Now().UTC().Format(monthForm))
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
		only = sport.IDFor(sport.KindOrganization, u.Organization)
		counts[only] += 0 // shown, used or not
	}
	maps.DeleteFunc(counts, func(id sport.ID, _ int) bool { return only != "" && id != only })
	rows, err := d.uses(ctx, c, counts, list, at)
	if err != nil {
		return err
	}
	if u.JSON {
		return c.json(rows)
	}
	if len(rows) == 0 {
		c.sayf("no request was counted in %s", at.Format(monthForm))
		return nil
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ORGANIZATION\tNAME\tMONTH\tUSED\tQUOTA\t") // Flush reports errors
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", r.Organization, plain(r.Name), r.Month, r.Used, r.Quota, share(r.Used, r.Quota))
	}
	return w.Flush()
}

// uses are the counts with names and quotas, the most used first.
func (d *database) uses(ctx context.Context, c *console, counts map[sport.ID]int, list []keys.Key, at time.Time) ([]organizationUse, error) {
	quotas := map[sport.ID]int{}
	for _, k := range list {
		if k.Valid(c.Now()) {
			quotas[k.Organization] = max(quotas[k.Organization], k.Quota())
		}
	}
	rows := []organizationUse{}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		name, err := d.nameOf(ctx, id)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		rows = append(rows, organizationUse{Organization: id, Name: name, Month: at.Format(monthForm), Used: counts[id], Quota: quotas[id]})
	}
	slices.SortStableFunc(rows, func(a, b organizationUse) int { return cmp.Compare(b.Used, a.Used) })
	return rows, nil
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
