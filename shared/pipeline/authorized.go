package pipeline

import (
	"context"
	"errors"
	"fmt"

	"touchline/shared/accesslog"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store/generation"
)

// Steps 12 to 21 of D1, of a caller who is known: what it may ask, how often, and
// whether what it asks for is there.

func (x *exchange) checkAddress(context.Context) *refusal {
	if !x.credential.Allows(limits.ParseCaller(x.request.SourceIP)) { // what is no address is in no allowlist
		return refuse(problem.Forbidden, accesslog.AddressNotAllowed)
	}
	return nil
}

func (x *exchange) checkScopes(context.Context) *refusal {
	for _, scope := range x.operation.Scopes {
		if !x.credential.HasScope(scope) {
			return &refusal{problem.New(problem.ScopeMissing), accesslog.Why{
				Word: accesslog.ScopeMissing, Scope: string(scope),
			}}
		}
	}
	return nil
}

func (x *exchange) checkOrganization(ctx context.Context) *refusal {
	active, pro, err := x.p.Organizations.Standing(ctx, x.credential.Organization)
	var unknown error
	if x.p.Data != nil { // after the standing, which brings it along where both have to be read
		x.state, unknown = x.p.Data.Generation(ctx)
	}
	_, other := errors.AsType[*generation.OtherError](unknown)
	switch {
	case other && !x.operation.ShowsData(): // whose standing cannot be read either
		return nil
	case other:
		return &refusal{problem.Because(problem.ServiceUnavailable, unknown), accesslog.Why{Word: accesslog.OtherLayout, Store: meter.Sports.String()}}
	case err != nil:
		return fault(problem.InternalError, meter.Sports, err)
	case unknown != nil && x.operation.ShowsData():
		return fault(problem.InternalError, meter.Sports, unknown)
	case active && pro:
		return nil
	case active:
		return refuse(problem.ProRequired, accesslog.OrganizationWithoutPlan)
	case pro:
		return refuse(problem.ProRequired, accesslog.OrganizationInactive)
	}
	return refuse(problem.ProRequired, accesslog.OrganizationUnknown)
}

func (x *exchange) checkRate(context.Context) *refusal {
	x.rate = x.p.Rates.Take(x.credential.ID, x.now)
	x.rated = true
	if !x.rate.Allowed {
		return limited(problem.RateLimited, accesslog.RateSpent, x.rate)
	}
	return nil
}

func (x *exchange) checkQuota(ctx context.Context) *refusal {
	d, err := x.p.Quotas.Take(ctx, limits.Quota{
		Organization: x.credential.Organization, Limit: x.credential.Quota(), Now: x.now, RequestID: x.id,
	})
	switch {
	case err != nil:
		return fault(problem.ServiceUnavailable, meter.Quotas, err)
	case !d.Allowed:
		return limited(problem.QuotaExceeded, accesslog.QuotaSpent, d)
	}
	return nil
}

func (x *exchange) checkParameters(context.Context) *refusal {
	var err error
	if x.arguments, err = x.operation.Decode(x.request.Query); err != nil {
		e := problem.From(err)
		return &refusal{e, x.whyParameters(e)}
	}
	return nil
}

func (x *exchange) checkDescendants(context.Context) *refusal {
	if x.arguments.IncludeDescendants && !x.credential.Descendants {
		return refuse(problem.Forbidden, accesslog.DescendantsNotAllowed)
	}
	return nil
}

// read asks the operation's handler and encodes its reply.
func (x *exchange) read(ctx context.Context) error {
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
		return err
	}
	if x.body, err = route.JSON(reply); err != nil {
		return fmt.Errorf("%w: %w", errReply, err)
	}
	return checkLength(x.body, x.takesGzip())
}

// checkIDs reads the handler's reply, on which the checks after it look, too.
func (x *exchange) checkIDs(ctx context.Context) *refusal {
	if err := x.read(ctx); err != nil {
		x.dataFault = problem.From(err)
	}
	if e := x.dataFault; e != nil && e.Code == problem.NotFound && e.Missing != problem.MissingSeason {
		return &refusal{e, accesslog.Why{Word: accesslog.NotFound, What: e.Missing}}
	}
	return nil
}

func (x *exchange) checkScopeSize(context.Context) *refusal {
	if e := x.dataFault; e != nil && e.Code == problem.ScopeTooLarge {
		why := accesslog.Why{Word: accesslog.TooManyOrganizations, Organizations: e.Organizations}
		if e.Details != nil && e.Details.Max != nil {
			why.Limit = *e.Details.Max
		}
		return &refusal{e, why}
	}
	return nil
}

func (x *exchange) checkData(context.Context) *refusal {
	e := x.dataFault
	switch {
	case e == nil:
		return nil
	case e.Code == problem.NotFound:
		return &refusal{e, accesslog.Why{Word: accesslog.NotFound, What: e.Missing}}
	}
	if large, ok := errors.AsType[*tooLargeError](e.Cause); ok {
		return &refusal{e, accesslog.Why{Word: accesslog.AnswerTooLarge, Bytes: large.bytes, Limit: large.limit}}
	}
	return &refusal{e, whyFault(meter.Sports, e.Cause)}
}
