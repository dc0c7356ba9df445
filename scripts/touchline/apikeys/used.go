package apikeys

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"touchline/scripts/requests"
	"touchline/scripts/touchline/deployment"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/keys"
)

type keysUsed struct {
	Since time.Duration `default:"24h" placeholder:"TIME" help:"How far back to look on AWS, such as 720h (default: ${default})."`
	JSON  bool          `name:"json" help:"Print a JSON object of days by key id."`
	logs.FileFlags
}

// Help is shown below the flags.
func (keysUsed) Help() string {
	return `A request never writes to its key. So the day of a key's last use is read from the log of requests, that of 'touchline serve' or with --stack the one on AWS, and noted in the key's record, where 'touchline keys list' shows it. Run it as often as you want to know; a daily job finds every day.

Examples:

    touchline keys used
    touchline keys used --stack prod --since 720h
`
}

// lastOfAuthentication is the number of the last check that only a caller with
// the key's secret passes (D1, 11: the nonce). A key that is merely named was
// not used.
const lastOfAuthentication = 11

// Run records the days.
func (u *keysUsed) Run(ctx context.Context, c *terminal.Terminal, parent *Command) error {
	if u.Since <= 0 {
		return terminal.Usagef("--since %s: want a time above zero, such as 24h", u.Since)
	}
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	var days map[string]keys.Day
	source := "the logs of " + d.Where
	if d.Deployed != nil {
		days, err = u.onAWS(ctx, c, d.Deployed)
	} else {
		u.FileFlags = u.OrThoseOfServe(ctx, d.Where)
		source = u.File()
		days, err = u.local()
	}
	if err != nil {
		return err
	}
	foreign := 0
	for _, id := range slices.Sorted(maps.Keys(days)) {
		k, err := registry.Used(ctx, id, days[id])
		if errors.Is(err, keys.ErrUnknown) {
			foreign++
			delete(days, id)
			continue
		}
		if err != nil {
			return d.Explain(err)
		}
		days[id] = k.LastUsed
	}
	if err := u.print(c, days); err != nil {
		return err
	}
	if foreign > 0 {
		// No key is ever removed from the table.
		return fmt.Errorf("%s of %s not in table %s at %s: it is the log of another service; name the right one with --log or --data-dir, or its database with --dynamodb-endpoint",
			terminal.Counted(foreign, "key"), source, d.Tables.Keys, d.Where)
	}
	return nil
}

// print shows the days by key.
func (u *keysUsed) print(c *terminal.Terminal, days map[string]keys.Day) error {
	if u.JSON {
		return c.JSON(days)
	}
	for _, id := range slices.Sorted(maps.Keys(days)) {
		c.Printf("%s  %s\n", id, days[id])
	}
	if len(days) == 0 {
		c.Sayf("no key was used")
	}
	return nil
}

// note takes a line of a log into account.
func note(days map[string]keys.Day, text []byte) {
	l, err := accesslog.Parse(text)
	if err != nil || l.KeyID == "" || l.Check != 0 && l.Check <= lastOfAuthentication {
		return
	}
	days[l.KeyID] = max(days[l.KeyID], keys.DayOf(l.Time))
}

// local reads the log of serve, and the former one where there is one.
func (u *keysUsed) local() (map[string]keys.Day, error) {
	days := map[string]keys.Day{}
	err := requests.Read(u.File(), func(line []byte) bool {
		note(days, line)
		return false
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, u.Missing()
	}
	return days, err
}

// onAWS asks for the newest line of each key that passed authentication.
func (u *keysUsed) onAWS(ctx context.Context, c *terminal.Terminal, d *deployment.Deployment) (map[string]keys.Day, error) {
	progress := c.Progress("asking CloudWatch Logs", 0)
	defer progress.End()
	texts, err := logs.Insights(d, progress.At).Query(ctx, fmt.Sprintf("fields @message | filter ispresent(keyId) and (not ispresent(check) or check > %d)"+
		" | sort @timestamp desc | dedup keyId | limit %d", lastOfAuthentication, maxCount), c.Now().Add(-u.Since), c.Now())
	if err != nil {
		return nil, err
	}
	days := map[string]keys.Day{}
	for _, text := range texts {
		note(days, []byte(text))
	}
	return days, nil
}
