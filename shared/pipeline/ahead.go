package pipeline

import (
	"context"
	"fmt"

	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store/generation"
)

// ahead is the work that runs while the nonce and the quota are written: the
// standing of the organization, and behind it the data. Its results are looked
// at in their turn (steps 14 and 19 to 21), so nobody can tell that they were
// there before; where an earlier step refuses they are dropped, and the end of
// the request's context ends the work, but for reads that the cache keeps.
type ahead struct {
	handling
	organizations Organizations
	states        Data // nil: there is nothing to ask
	withData      bool // read the data, too

	asked    chan struct{} // closed when standing and state are set
	standing standing
	state    state
	replied  chan struct{} // closed when reply is set; never where it is not read
	reply    reply
}

type standing struct {
	active, pro bool
	err         error
}

func (s standing) good() bool { return s.err == nil && s.active && s.pro }

// state is what is known of the data, or why it is not.
type state struct {
	*generation.State
	err error
}

type reply struct {
	body []byte
	err  error
}

// goAhead begins the work that a validly signed request is going to need. It
// begins nothing that the checks known by now are going to refuse: those need no
// store (steps 12, 13, 15, 17 and 18), and only asking them here has no effect.
func (x *exchange) goAhead(ctx context.Context) {
	arguments, err := x.operation.Decode(x.request.Query)
	if err != nil {
		x.argsFault = problem.From(err)
	}
	x.arguments = arguments
	if x.checkAddress(ctx) != nil || x.checkScopes(ctx) != nil {
		return
	}
	x.begin(ctx, x.checkParameters(ctx) == nil && x.checkDescendants(ctx) == nil &&
		x.p.Rates.Peek(x.credential.ID, x.now).Allowed &&
		x.p.Spent.Peek(x.credential.Organization, x.now).Allowed)
}

// begin begins to ask for the standing, and behind it for the data.
func (x *exchange) begin(ctx context.Context, withData bool) {
	x.ahead = &x.work
	*x.ahead = ahead{
		handling: x.handling(), organizations: x.p.Organizations, states: x.p.Data, withData: withData,
		asked: make(chan struct{}), replied: make(chan struct{}),
	}
	go x.ahead.run(ctx)
}

func (a *ahead) run(ctx context.Context) {
	a.standing = a.ask(ctx)
	if a.withData && a.standing.good() {
		go a.read(ctx) // beside the state, which takes a round trip where the worker does not know it
	}
	a.state = a.know(ctx)
	close(a.asked)
}

// ask reports a panic as an error: in a goroutine of its own it would end the
// worker.
func (a *ahead) ask(ctx context.Context) (s standing) {
	defer func() {
		if v := recover(); v != nil {
			s = standing{err: newPanic(v)}
		}
	}()
	s.active, s.pro, s.err = a.organizations.Standing(ctx, a.call.Organization)
	return s
}

// know asks for the state of the data. It does so after ask, which brings it along
// where both have to be read.
func (a *ahead) know(ctx context.Context) (s state) {
	if a.states == nil {
		return state{}
	}
	defer func() {
		if v := recover(); v != nil {
			s = state{err: newPanic(v)}
		}
	}()
	s.State, s.err = a.states.Generation(ctx)
	return s
}

func (a *ahead) read(ctx context.Context) {
	a.reply = a.do(ctx)
	close(a.replied)
}

// handling is a call of the operation's handler.
type handling struct {
	operation  *route.Operation
	call       route.Call
	arguments  route.Arguments
	compressed bool // the caller takes a compressed body
}

func (x *exchange) handling() handling {
	return handling{
		operation: x.operation,
		call: route.Call{
			Organization: x.credential.Organization,
			Descendants:  x.credential.Descendants,
			KeyID:        x.credential.ID,
			Scopes:       x.credential.Scopes,
			Alias:        x.path.Alias,
			ID:           x.path.ID,
			Now:          x.now,
		},
		arguments:  x.arguments,
		compressed: x.takesGzip(),
	}
}

// do calls the handler and encodes its reply. A panic is an error.
func (h handling) do(ctx context.Context) (r reply) {
	defer func() {
		if v := recover(); v != nil {
			r = reply{err: newPanic(v)}
		}
	}()
	value, err := h.operation.Serve(ctx, h.call, h.arguments)
	if err != nil {
		return reply{err: err}
	}
	body, err := route.JSON(value)
	if err != nil {
		return reply{err: fmt.Errorf("%w: %w", errReply, err)}
	}
	if err := checkLength(body, h.compressed); err != nil {
		return reply{err: err}
	}
	return reply{body: body}
}

// awaitStanding waits for the standing, and the state of the data.
func (a *ahead) awaitStanding(ctx context.Context) (standing, state) {
	if err := await(ctx, a.asked); err != nil {
		return standing{err: err}, state{err: err}
	}
	return a.standing, a.state
}

// await waits for done or the end of ctx; where both have come, done wins.
func await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	select {
	case <-done:
		return nil
	default:
		return context.Cause(ctx)
	}
}

// awaitData gives the handler's reply. It is called after the checks that
// goAhead asked for, but the rate may have let this request through meanwhile:
// then it begins here.
func (a *ahead) awaitData(ctx context.Context) reply {
	if !a.withData {
		go a.read(ctx)
	}
	if err := await(ctx, a.replied); err != nil {
		return reply{err: err}
	}
	return a.reply
}
