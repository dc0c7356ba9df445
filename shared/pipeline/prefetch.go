package pipeline

import (
	"context"
	"fmt"

	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store/generation"
)

// prefetched is what is read while the nonce and the quota are written: the standing of
// the key's organization, and behind it the data. Its results are looked at in their turn
// (steps 14 and 19 to 21), so nobody can tell that they were there before; where an earlier
// step refuses they are dropped, and the end of the request's context ends the reads.
type prefetched struct {
	asked       chan struct{} // nil: nothing is prefetched; closed when the next four are set
	standing    standing
	standingErr error
	state       *generation.State // of the data; nil: not known
	stateErr    error

	withData bool          // the data is prefetched, too
	replied  chan struct{} // closed when the next two are set; never where the data is not read
	body     []byte        // the handler's reply
	bodyErr  error
}

type standing struct{ active, pro bool }

func (s standing) good() bool { return s.active && s.pro }

// prefetch begins the reads that a validly signed request is going to need. It begins none
// that the checks known by now are going to refuse: those need no store (steps 12, 13, 15,
// 17 and 18), and only asking them here has no effect.
func (x *exchange) prefetch(ctx context.Context) {
	arguments, err := x.operation.Decode(x.request.Query)
	if err != nil {
		x.argsFault = problem.From(err)
	}
	x.arguments = arguments
	if x.checkAddress(ctx) != nil || x.checkScopes(ctx) != nil {
		return
	}
	p := &x.prefetched
	p.withData = x.checkParameters(ctx) == nil && x.checkDescendants(ctx) == nil &&
		x.p.Rates.Peek(x.credential.ID, x.now).Allowed &&
		x.p.Spent.Peek(x.credential.Organization, x.now).Allowed
	p.asked, p.replied = make(chan struct{}), make(chan struct{})
	go func() {
		p.standing, p.standingErr = safely(func() (s standing, err error) {
			s.active, s.pro, err = x.p.Organizations.Standing(ctx, x.credential.Organization)
			return s, err
		})
		if p.withData && p.standingErr == nil && p.standing.good() {
			go x.read(ctx) // beside the state, which takes a round trip where the worker does not know it
		}
		if x.p.Data != nil { // after the standing, which brings it along where both have to be read
			p.state, p.stateErr = safely(func() (*generation.State, error) { return x.p.Data.Generation(ctx) })
		}
		close(p.asked)
	}()
}

// safely reports a panic as an error: in a goroutine of its own it would end the worker.
func safely[T any](do func() (T, error)) (value T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = newPanic(v)
		}
	}()
	return do()
}

// read asks the operation's handler and encodes its reply.
func (x *exchange) read(ctx context.Context) {
	p := &x.prefetched
	p.body, p.bodyErr = safely(func() ([]byte, error) {
		reply, err := x.operation.Serve(ctx, route.Call{
			Organization: x.credential.Organization,
			Descendants:  x.credential.Descendants,
			KeyID:        x.credential.ID,
			Scopes:       x.credential.Scopes,
			Alias:        x.path.Alias,
			ID:           x.path.ID,
			Now:          x.now,
		}, x.arguments)
		if err != nil {
			return nil, err
		}
		body, err := route.JSON(reply)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errReply, err)
		}
		return body, checkLength(body, x.takesGzip())
	})
	close(p.replied)
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
