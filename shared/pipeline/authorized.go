package pipeline

import (
	"context"
	"errors"

	"touchline/shared/accesslog"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/problem"
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
	p := &x.prefetched
	if err := await(ctx, p.asked); err != nil {
		return fault(problem.InternalError, meter.Sports, err)
	}
	_, other := errors.AsType[*generation.OtherError](p.stateErr)
	switch x.state = p.state; {
	case other && !x.operation.ShowsData(): // whose standing cannot be read either
		p.withData = p.withData && p.standingErr == nil && p.standing.good()
		return nil
	case other:
		return &refusal{problem.Because(problem.ServiceUnavailable, p.stateErr), accesslog.Why{Word: accesslog.OtherLayout, Store: meter.Sports.String()}}
	case p.standingErr != nil:
		return fault(problem.InternalError, meter.Sports, p.standingErr)
	case p.stateErr != nil && x.operation.ShowsData():
		return fault(problem.InternalError, meter.Sports, p.stateErr)
	case p.standing.good():
		return nil
	case p.standing.active:
		return refuse(problem.ProRequired, accesslog.OrganizationWithoutPlan)
	case p.standing.pro:
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
		x.p.Spent.Take(x.credential.Organization, x.now)
		return limited(problem.QuotaExceeded, accesslog.QuotaSpent, d)
	}
	return nil
}

func (x *exchange) checkParameters(context.Context) *refusal {
	if x.argsFault == nil {
		return nil
	}
	return &refusal{x.argsFault, x.whyParameters()}
}

func (x *exchange) checkDescendants(context.Context) *refusal {
	if x.arguments.IncludeDescendants && !x.credential.Descendants {
		return refuse(problem.Forbidden, accesslog.DescendantsNotAllowed)
	}
	return nil
}

// checkIDs awaits the handler's reply, on which the checks after it look, too. What was not
// prefetched, since the rate was spent, is read now: the rate may have let the request
// through meanwhile.
func (x *exchange) checkIDs(ctx context.Context) *refusal {
	p := &x.prefetched
	if !p.withData {
		go x.read(ctx)
	}
	if err := await(ctx, p.replied); err != nil {
		x.dataFault = problem.From(err)
	} else if x.body = p.body; p.bodyErr != nil {
		x.dataFault = problem.From(p.bodyErr)
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
