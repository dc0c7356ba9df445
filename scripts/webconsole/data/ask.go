package data

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"golang.org/x/sync/errgroup"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/keys"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/reader"
	"touchline/shared/store/records"
)

// Asker puts the questions of one page to the operations of the API, as keys of the
// organizations at the top with all scopes and descendants. It reads each item once. It
// is safe for concurrent use.
type Asker struct {
	source *Source
	tops   []*records.OrganizationRecord
	table  *route.Table
}

// Asker asks for a page. It is nil where there is no organization.
func (s *Source) Asker(ctx context.Context) (*Asker, error) {
	tops, err := s.tops(ctx)
	if err != nil || len(tops) == 0 {
		return nil, err
	}
	sports := &reader.Reader{Items: &store.Cached{Source: s.Sports, Now: s.Now}}
	return &Asker{s, tops, groups.Table(endpoints.Deps{Sports: sports})}, nil
}

// RefusedError is a response that is not the data that was asked for.
type RefusedError struct {
	Target string // path and query
	Status int
}

func (e RefusedError) Error() string {
	return fmt.Sprintf("%s: status %d", e.Target, e.Status)
}

// questions are those of a page, put at the same time. Wait waits for the answers.
type questions struct {
	*errgroup.Group
	ctx context.Context
	a   *Asker
	r   *http.Request
}

func (a *Asker) questions(ctx context.Context, r *http.Request) *questions {
	g, ctx := errgroup.WithContext(ctx)
	return &questions{g, ctx, a, r}
}

// put asks for a reply of any form.
func put[T any](q *questions, into *T, format string, args ...any) {
	q.Go(func() (err error) {
		*into, err = ask[T](q.ctx, q.a, format, args...)
		return err
	})
}

// one asks for a single resource.
func one[T any](q *questions, into *T, format string, args ...any) {
	q.Go(func() (err error) {
		*into, err = resource[T](q.ctx, q.a, format, args...)
		return err
	})
}

// paged asks for the page of a list that the request names: L is a route.List or a
// route.ListIn.
func paged[L any](q *questions, into *L, pager *parts.Pager, format string, args ...any) {
	q.Go(func() (err error) {
		n, target := parts.PageOf(q.r), fmt.Sprintf(format, args...)
		sign := map[bool]string{true: "&", false: "?"}[strings.Contains(target, "?")]
		*into, err = ask[L](q.ctx, q.a, "%s%slimit=%d&page=%d", target, sign, parts.PageSize, n)
		list := reflect.ValueOf(*into)
		*pager = parts.PagerOf(q.r, n, list.FieldByName("Data").Len(), int(list.FieldByName("Total").Int()))
		return err
	})
}

// resource asks for one, and waits.
func resource[T any](ctx context.Context, a *Asker, format string, args ...any) (T, error) {
	reply, err := ask[route.Data[T]](ctx, a, format, args...)
	return reply.Data, err
}

// ask sends a request to an operation that replies with a T: for the first of the tops for
// which it does. If the API refuses, the error is a RefusedError.
func ask[T any](ctx context.Context, a *Asker, format string, args ...any) (none T, err error) {
	target := fmt.Sprintf(format, args...)
	for _, top := range a.tops {
		var reply any
		if reply, err = a.reply(ctx, top.ID, target); err == nil {
			return reply.(T), nil
		}
	}
	refused := problem.From(err)
	if refused.Cause != nil && ctx.Err() == nil {
		a.source.Report(fmt.Errorf("%s: %w", target, refused.Cause))
	}
	return none, RefusedError{target, refused.Status()}
}

func (a *Asker) reply(ctx context.Context, as sport.ID, target string) (any, error) {
	path, query, _ := strings.Cut(target, "?")
	operation, params, ok := a.table.Match(path)
	if !ok {
		return nil, problem.New(problem.NotFound)
	}
	args, err := operation.Decode(query)
	if err != nil {
		return nil, err
	}
	return operation.Serve(ctx, route.Call{
		Organization: as, Descendants: true, KeyID: "console", Scopes: keys.AllScopes(),
		Alias: params.Alias, ID: params.ID, Now: a.source.Now(),
	}, args)
}
