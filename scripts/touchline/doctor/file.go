package doctor

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/engine"
	"touchline/shared/store/dynamo"
)

// file looks at a database that no engine has open, by one that it starts, and leaves it
// as it is.
func (x *examination) file(ctx context.Context, path string) {
	if _, err := os.Stat(path); err != nil {
		return // nothing was ever served from there
	}
	if left := engine.Remains(path); left != "" {
		x.find("file", Warning, "%s", left)
	}
	err := engine.Examine(ctx, path, func(endpoint string) error {
		client, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: endpoint, Getenv: x.terminal.Getenv})
		if err == nil {
			x.items(ctx, client, path, true)
		}
		return err
	})
	switch {
	case errors.Is(err, engine.ErrDatabaseInUse):
		x.find("file", Fault, "an engine has %s open, and does not answer where it is looked for: give --dynamodb-endpoint", path)
	case errors.Is(err, engine.ErrDatabase):
		x.damaged(path, err)
	case err != nil:
		x.fault("file", err)
	}
}

// items reads everything in a database. quiet says that nobody writes meanwhile.
func (x *examination) items(ctx context.Context, client *dynamodb.Client, where string, quiet bool) {
	p := x.terminal.Progress("reading", 0)
	n, err := database.ReadAll(ctx, client, quiet, p.At)
	p.End()
	if err != nil {
		x.damaged(where, err)
		return
	}
	x.find("file", OK, "%s can be read in %s", terminal.Counted(n, "item"), where)
}

func (x *examination) damaged(where string, err error) {
	x.find("file", Fault, "%s cannot be read in full (%v): stop serve, and bring the last backup back with `touchline restore`, which keeps what is there; without one, import the data into a new folder", where, err)
}
