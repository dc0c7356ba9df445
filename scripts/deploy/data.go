package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/generation"
)

// checkTables looks at the tables that the new release will read: those that settings name,
// else the stack's own; and at a KMS key that a setting names.
func (c call) checkTables(ctx context.Context, p place, a *assembly, st state) error {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	for _, x := range stack.Exchangeable() {
		table := cmp.Or(a.metadata.Named[x.Variable], st.own(x))
		if table == "" || x.Variable == stack.VariableKMSKey {
			continue
		}
		_, err := dynamodb.NewFromConfig(p.config).DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
		if errors.As(err, new(*types.ResourceNotFoundException)) {
			return fmt.Errorf("there is no table %s, which would be read (%s). One that was deleted: `touchline restore --stack %s` brings it back, under its name. Else mend the setting in cdk.json", table, x.Output, a.stack)
		}
		if err != nil {
			return unread(table, "DescribeTable", err)
		}
		if x.Variable == stack.VariableSportsTable {
			if err := c.checkData(ctx, p, table); err != nil {
				return err
			}
		}
	}
	return checkKey(ctx, p, a.metadata.Named[stack.VariableKMSKey])
}

// checkKey looks at a KMS key that a setting names, where whoever deploys has the right to.
func checkKey(ctx context.Context, p place, key string) error {
	if key == "" {
		return nil
	}
	said, err := kms.NewFromConfig(p.config).DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &key})
	if err == nil && !said.KeyMetadata.Enabled {
		err = fmt.Errorf("it is %s", said.KeyMetadata.KeyState)
	}
	if err == nil || denied(err) {
		return nil
	}
	return fmt.Errorf("KMS key %s, which secretsKey names, opens no secret (infra/runbook.md, key-store): %w", key, err)
}

func unread(table, operation string, err error) error {
	return fmt.Errorf("could not look at table %s (dynamodb:%s; infra/README.md, Rights): %w", table, operation, err)
}

func sports(p place, name string) *store.Table {
	return &store.Table{DB: dynamo.DB{Client: dynamodb.NewFromConfig(p.config)}, Name: name}
}

// checkData looks at the table of the data before a deployment. It refuses to deploy in
// front of one whose data another version reads: every route would respond with 503 (D63),
// or loads would wait.
func (c call) checkData(ctx context.Context, p place, table string) error {
	state, err := generation.Read(ctx, sports(p, table))
	other, foreign := errors.AsType[*generation.OtherError](err)
	switch {
	case foreign && other.Empty():
		c.printf("table %s is empty: load a dataset after this.\n", table)
		return nil
	case foreign && !other.Upgradable():
		return fmt.Errorf("%w.\nDeployed in front of it, every route but ping would respond with 503 (infra/README.md, Another layout)", err)
	case err != nil && !foreign:
		return unread(table, "BatchGetItem", err)
	case err == nil && state.Moved > generation.Layout:
		return fmt.Errorf("%w.\nGo back to these data first, with `touchline upgrade --stack %s --back` of that version", &generation.MovedError{Table: table, To: state.Moved}, stack.Name(c.stage))
	case foreign || state.Moved != 0: // of an earlier layout, or somebody went back to one
		return fmt.Errorf("the data of table %s have to be upgraded first: touchline upgrade --stack %s, with this version, and deploy again after it. What is deployed serves meanwhile, and loads wait (infra/README.md, Another layout)", table, stack.Name(c.stage))
	}
	c.printf("table %s has data of layout %d, version %d: nothing has to be loaded.\n", table, generation.Layout, state.Version)
	return nil
}
