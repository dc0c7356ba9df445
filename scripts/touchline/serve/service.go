package serve

import (
	"context"
	"net/http"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/doctor"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/endpoints/groups"
	"touchline/shared/keys"
	"touchline/shared/problem"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// Handler is the API as a single worker: all functions together. cached is what it
// reads of the data.
func (s *Command) Handler(c *terminal.Terminal, d *database.Database, opener keys.Opener, log logs.RequestLog, cached *store.Cached) http.Handler {
	on := d.Service()
	on.Opener, on.DefaultPhoto, on.Items = opener, s.Photo, cached
	on.FailureLimit, on.Rate = s.FailureLimit, s.RateLimit
	on.Now, on.Began, on.Stage = c.Now, c.Now(), stack.LocalStage
	on.Log, on.Also, on.RefusesPages = log.Lines, log.Also, s.refusesPages
	return on.Handler(groups.Operations)
}

// CacheOf is a cache of the data, for Handler.
func CacheOf(c *terminal.Terminal, d *database.Database) *store.Cached {
	return &store.Cached{Source: d.Sports(), Now: c.Now}
}

// upgrade brings the data of an earlier version to the layout of this one, before they
// are served. Data in a DynamoDB that somebody else runs are left alone: another version
// may serve them.
func (s *Command) upgrade(ctx context.Context, c *terminal.Terminal, d *database.Database, ours bool) error {
	from, err := d.UpgradableFrom(ctx)
	if err != nil || from == 0 || !ours {
		return d.CheckLayout(ctx)
	}
	c.Sayf("the data in %s are of layout %d, this version reads layout %d: they are upgraded, and served then", s.Folder(), from, generation.Layout)
	_, err = d.Upgrade(ctx, c, 0)
	return err
}

// counting has /health know of each request before also is given it, nil for nobody.
func counting(box *doctor.Box, also func(*accesslog.Line)) func(*accesslog.Line) {
	return func(l *accesslog.Line) {
		box.Answered(l.Status)
		if also != nil {
			also(l)
		}
	}
}

// refused logs the requests that the front door refuses.
func refused(c *terminal.Terminal, log logs.RequestLog) func(why accesslog.Word, id, method string, bytes int) {
	lines := &accesslog.Log{Lines: log.Lines, Stage: stack.LocalStage, Also: log.Also}
	return func(why accesslog.Word, id, method string, bytes int) {
		lines.Write(&accesslog.Line{
			Time: c.Now(), RequestID: id, Method: method, Bytes: bytes,
			Status: problem.Forbidden.Status(), Code: string(problem.Forbidden), Why: why,
		}, nil)
	}
}
