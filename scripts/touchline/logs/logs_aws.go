package logs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"touchline/scripts/touchline/terminal"
)

const (
	// lookBack is how far back requests on AWS are looked for without --since: a
	// query is billed for what it reads.
	lookBack = 24 * time.Hour
	// mostLines is what CloudWatch Logs gives at most.
	mostLines = 10_000
)

// query is what the flags select, for CloudWatch Logs Insights.
func (l *Command) query() string {
	filters := []string{"ispresent(requestId)"}
	if l.Refused {
		filters = append(filters, "status >= 400")
	}
	if l.Key != "" {
		filters = append(filters, fmt.Sprintf("keyId = %q", l.Key))
	}
	if l.only.organization != "" {
		filters = append(filters, fmt.Sprintf("organization = %q", l.only.organization))
	}
	if l.only.status != "" {
		filters = append(filters, fmt.Sprintf("status like /^%s$/", strings.ReplaceAll(l.only.status, "x", "[0-9]")))
	}
	limit := l.Limit
	if limit == 0 || limit > mostLines {
		limit = mostLines
	}
	return fmt.Sprintf("fields @message | filter %s | sort @timestamp desc | limit %d", strings.Join(filters, " and "), limit)
}

// onAWS prints the requests of a deployment.
func (l *Command) onAWS(ctx context.Context, c *terminal.Terminal) error {
	if l.Follow {
		return terminal.Usagef("--follow is for the log of serve: lines reach CloudWatch up to a minute late; run it again instead")
	}
	d, err := l.Deployment(ctx, c)
	if err != nil {
		return err
	}
	from, to := l.only.from, l.only.to
	if from.IsZero() {
		from = c.Now().Add(-lookBack)
	}
	if to.IsZero() {
		to = c.Now()
	}
	progress := c.Progress("asking CloudWatch Logs", 0)
	texts, err := InsightsOf(ctx, d, progress.At).Query(ctx, l.query(), from, to)
	progress.End()
	if err != nil {
		return err
	}
	shown := 0
	for _, text := range slices.Backward(texts) {
		if l.wanted([]byte(text)) {
			l.print(c, []byte(text))
			shown++
		}
	}
	if shown == 0 {
		c.Sayf("no such request of stack %s from %s to %s", d.Name, from.UTC().Format(time.RFC3339), to.UTC().Format(time.RFC3339))
	}
	return nil
}
