package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/generation"
)

// checkData looks at the table of the data before a deployment. It refuses to deploy in
// front of a table that cannot be read, for want of rights, and of one whose data another
// version reads: every route would respond with 503 (D63), or loads would wait.
func (c call) checkData(ctx context.Context, p place, table string) error {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	state, err := generation.Read(ctx, &store.Table{DB: dynamo.DB{Client: dynamodb.NewFromConfig(p.config)}, Name: table})
	other, foreign := errors.AsType[*generation.OtherError](err)
	switch {
	case foreign && other.Empty():
		c.printf("table %s is empty: load a dataset after this.\n", table)
		return nil
	case foreign && !other.Upgradable():
		return fmt.Errorf("%w.\nDeployed in front of it, every route but ping would respond with 503 (infra/README.md, Another layout)", err)
	case err != nil && !foreign:
		return fmt.Errorf("could not look at the layout of table %s (dynamodb:BatchGetItem; infra/README.md, Rights): %w", table, err)
	case err == nil && state.Moved > generation.Layout:
		return fmt.Errorf("%w.\nGo back to these data first, with `touchline upgrade --stack %s --back` of that version", &generation.MovedError{Table: table, To: state.Moved}, stack.Name(c.stage))
	case foreign || state.Moved > 0: // of an earlier layout, or somebody went back to one
		return fmt.Errorf("the data of table %s have to be upgraded first: touchline upgrade --stack %s, with this version, and deploy again after it. What is deployed serves meanwhile, and loads wait (infra/README.md, Another layout)", table, stack.Name(c.stage))
	}
	c.printf("table %s has data of layout %d, version %d: nothing has to be loaded.\n", table, generation.Layout, state.Version)
	return nil
}
