package functions

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/route"
	"touchline/shared/service"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store/direct"
)

// page lists the files of a request.
func page(t *testing.T) way {
	t.Helper()
	return follow(t, filepath.Join("..", ".github", "CONTRIBUTING.md"), "Follow a request")
}

// players is the request that the page follows: those of a club, from the federation's list.
func (w *world) players(t *testing.T) events.APIGatewayV2HTTPRequest {
	t.Helper()
	e := samples(t, route.GroupOrganizations)["clubs.json"]
	e.RawPath = strings.TrimSuffix(e.RawPath, "/clubs") + "/players"
	e.RequestContext.HTTP.Path = e.RawPath
	e.RawQueryString = "includeDescendants=true&clubId=" + string(sport.IDFor(sport.KindOrganization, "est.club.1")) + "&sort=-name"
	return w.sign(t, e)
}

// runTheListedFiles compiles a function so that it notes what it runs, and compares
// the files with the page.
func (w *world) runTheListedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a function to count what it runs: make test-all runs it")
	}
	counters := t.TempDir()
	program := compileCovered(t, "touchline/functions/organizations")
	f := start(t, program, append(slices.Clone(w.environment), "GOCOVERDIR="+counters)...)
	if got := call(t, f, w.players(t)); got.StatusCode != 200 || !strings.Contains(got.Body, `"number"`) {
		t.Fatalf("%+v", got)
	}
	f.run.Abandon(t)
	page(t).compare(t, covered(t, counters), 20)
}

// calls is a database, and what a log is written to, that notes the files through
// which it is called: outermost first.
type calls struct {
	service.Client
	mu    sync.Mutex
	noted [][]string
}

func (c *calls) note() {
	callers := make([]uintptr, 100)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	var files []string
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if i := strings.LastIndex(frame.File, "/shared/"); i >= 0 && strings.HasPrefix(frame.Function, "touchline/") {
			files = append(files, frame.File[i+1:])
		}
	}
	slices.Reverse(files)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noted = append(c.noted, files)
}

func (c *calls) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.note()
	return c.Client.GetItem(ctx, in, o...)
}

func (c *calls) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c.note()
	return c.Client.PutItem(ctx, in, o...)
}

func (c *calls) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.note()
	return c.Client.UpdateItem(ctx, in, o...)
}

func (c *calls) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	c.note()
	return c.Client.BatchGetItem(ctx, in, o...)
}

func (c *calls) Write(line []byte) (int, error) {
	c.note()
	return len(line), nil
}

// callInTheListedOrder looks at who calls the database, the clock and the log: a
// caller comes before what it calls, so that a reader of the page never goes back.
func (w *world) callInTheListedOrder(t *testing.T) {
	noted := &calls{Client: direct.New(w.client)}
	s := service.OnDynamoDB(noted, stack.Tables{Sports: "sports", Nonces: "nonces", Quotas: "quotas", Keys: "keys"})
	s.Opener, s.DefaultPhoto, s.Log = w.service.Opener, photo, noted
	s.Now = func() time.Time {
		noted.note()
		return time.Now()
	}
	got, err := gateway.New(s.Handler(groups.Of(route.GroupOrganizations))).Handle(t.Context(), w.players(t))
	if err != nil || got.StatusCode != 200 {
		t.Fatalf("%+v, %v", got, err)
	}
	listed := page(t).Files
	for _, files := range noted.noted {
		files = slices.DeleteFunc(files, func(file string) bool { return !slices.Contains(listed, file) })
		if !slices.IsSortedFunc(files, func(a, b string) int { return slices.Index(listed, a) - slices.Index(listed, b) }) {
			t.Errorf("these are called in another order than they are listed in: %s", strings.Join(files, " → "))
		}
	}
	if len(noted.noted) < 10 {
		t.Errorf("%d calls were noted", len(noted.noted))
	}
}
