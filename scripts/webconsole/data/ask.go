package data

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/reader"
)

// Asker puts the questions of one page to the operations of the API, as a key of
// an organization with all scopes and descendants. It reads each item once. It is
// safe for concurrent use.
type Asker struct {
	source *Source
	viewer sport.ID
	table  *route.Table

	mu    sync.Mutex
	asked []*Exchange
}

// Exchange is a request and its response, as the page shows both.
type Exchange struct {
	Target string // path and query
	Status int
	Body   []byte
}

// JSON is the body, indented.
func (e *Exchange) JSON() string {
	var b bytes.Buffer
	if json.Indent(&b, e.Body, "", "  ") != nil {
		return string(e.Body)
	}
	return b.String()
}

// Asker asks as a key of an organization.
func (s *Source) Asker(viewer sport.ID) *Asker {
	sports := &reader.Reader{Items: &store.Cached{Source: s.Sports, Now: s.Now}}
	return &Asker{source: s, viewer: viewer, table: groups.Table(endpoints.Deps{Sports: sports, Players: wire.Players{DefaultPhoto: noPhoto}})}
}

// Exchanges are the questions that were put, by target.
func (a *Asker) Exchanges() []*Exchange {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.asked, func(a, b *Exchange) int { return strings.Compare(a.Target, b.Target) })
	return a.asked
}

// noPhoto is in the JSON of players without a photo, since the default of the
// service is not known here.
const noPhoto = "https://example.org/player.png"

// RefusedError is a response that is not the data that was asked for.
type RefusedError struct{ *Exchange }

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

// ask sends a request to an operation that replies with a T. If the API refuses,
// the error is a RefusedError.
func ask[T any](ctx context.Context, a *Asker, format string, args ...any) (T, error) {
	e := &Exchange{Target: fmt.Sprintf(format, args...)}
	a.mu.Lock()
	a.asked = append(a.asked, e)
	a.mu.Unlock()
	reply, err := a.reply(ctx, e.Target)
	if err == nil {
		e.Status = http.StatusOK
		e.Body, _ = route.JSON(reply) // tests of the endpoints encode every reply
		return reply.(T), nil
	}
	refused := problem.From(err)
	if refused.Cause != nil && ctx.Err() == nil {
		a.source.Report(fmt.Errorf("%s: %w", e.Target, refused.Cause))
	}
	e.Status, e.Body = refused.Status(), refused.JSON()
	var none T
	return none, RefusedError{e}
}

func (a *Asker) reply(ctx context.Context, target string) (any, error) {
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
		Organization: a.viewer, Descendants: true, KeyID: "console", Scopes: keys.AllScopes(),
		Alias: params.Alias, ID: params.ID, Now: a.source.Now(),
	}, args)
}
