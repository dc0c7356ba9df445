package apikeys

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
)

// printHistory prints the changes that the record of a key holds, the oldest first.
// Nothing else has them: CloudTrail notes no write to a table unless data events are paid for,
// and a box notes none.
func printHistory(c *terminal.Terminal, k keys.Key) error {
	if len(k.History) == 0 {
		return nil
	}
	c.Printf("\n")
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "CHANGED\tBY\tWHAT") // Flush reports errors
	for _, e := range k.History {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", e.At.Format(time.RFC3339), cmp.Or(terminal.Plain(e.By), "-"), terminal.Plain(whatOf(e)))
	}
	return w.Flush()
}

// whatOf is an event in words.
func whatOf(e keys.Event) string {
	if len(e.Changes) == 0 {
		return "made"
	}
	var all []string
	for _, f := range e.Changes {
		all = append(all, fmt.Sprintf("%s: %s -> %s", f.Name, cmp.Or(f.Before, "-"), cmp.Or(f.After, "-")))
	}
	return strings.Join(all, "; ")
}

// Author says who makes a change in a database: of a deployment the AWS identity,
// else the user of this machine.
func Author(d *database.Database) func(context.Context) string {
	return func(ctx context.Context) string {
		if d.Deployed != nil {
			if who, err := sts.NewFromConfig(d.Deployed.Config).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{}); err == nil {
				return aws.ToString(who.Arn)
			}
		}
		who := "somebody"
		if u, err := user.Current(); err == nil {
			who = u.Username
		}
		if host, err := os.Hostname(); err == nil {
			who += "@" + host
		}
		return who
	}
}
