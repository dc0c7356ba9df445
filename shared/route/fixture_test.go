package route_test

import (
	"context"
	"errors"
	"testing"

	"touchline/shared/problem"
	"touchline/shared/route"
)

// everything has a parameter of every kind.
type everything struct {
	AssociationID route.FilterID `query:"associationId" doc:"An association."`
	ClubID        route.FilterID `query:"clubId" doc:"A club."`
	Depth         int            `query:"depth" default:"2" min:"1" max:"3" doc:"Levels."`
	route.Season
	route.Sorting
	route.Descendants
	route.ActiveStatus
	route.Paging
}

// times has the time bounds and no window.
type times struct {
	route.TimeRange
	route.MatchStatus
	route.Paging
}

// echo defines an operation whose reply is its parameters.
func echo[P any](row route.Row) route.Operation {
	return route.Define(row, func(_ context.Context, _ route.Call, p P) (P, error) { return p, nil })
}

func row(path string) route.Row { return route.Row{Group: route.GroupOrganizations, Path: path} }

// decode returns the parameters of a query, or the refusal.
func decode[P any](t *testing.T, o route.Operation, query string) (P, *problem.Error) {
	t.Helper()
	var none P
	args, err := o.Decode(query)
	if err != nil {
		refusal, ok := errors.AsType[*problem.Error](err)
		if !ok {
			t.Fatalf("%q: the error is a %T", query, err)
		}
		return none, refusal
	}
	reply, err := o.Serve(t.Context(), route.Call{}, args)
	if err != nil {
		t.Fatal(err)
	}
	return reply.(P), nil
}
