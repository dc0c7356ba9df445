package organizations

import (
	"context"

	"touchline/shared/endpoints/scope"
	"touchline/shared/endpoints/wire"
	"touchline/shared/problem"
	"touchline/shared/route"
)

// organization is /v1/{alias}/{id}.
func (e Endpoints) organization(ctx context.Context, call route.Call, p route.Descendants) (route.Data[wire.Organization], error) {
	q, err := e.askOne(ctx, call, p.IncludeDescendants)
	if err != nil {
		return route.Data[wire.Organization]{}, err
	}
	return route.Data[wire.Organization]{Data: q.show(&q.organization.Organization)}, nil
}

// askOne is ask where the addressed organization itself is the answer: one
// below the key's own needs includeDescendants (D20).
func (e Endpoints) askOne(ctx context.Context, call route.Call, deep bool, guesses ...guess) (*question, error) {
	q, err := e.ask(ctx, call, filters{}, deep, guesses...)
	if err != nil {
		return nil, err
	}
	if q.organization.ID != call.Organization && !deep {
		return nil, scope.NotFound(problem.MissingID)
	}
	return q, nil
}
