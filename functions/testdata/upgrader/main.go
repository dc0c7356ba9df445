// Command upgrader upgrades the table sports for a test as `touchline upgrade` does,
// which takes longer to compile: upgrader ENDPOINT run|back|drop [LAYOUT]. It prints as
// JSON what it has done.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"touchline/shared/loader"
	"touchline/shared/loader/upgrade"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
)

func main() {
	done, err := do(context.Background(), os.Args[1], os.Args[2:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(done)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func do(ctx context.Context, endpoint string, words []string) (any, error) {
	client, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: endpoint, Getenv: os.Getenv})
	if err != nil {
		return nil, err
	}
	db := dynamo.DB{Client: client}
	// One write after the other, so that the test can count them.
	u := &upgrade.Upgrade{Loader: &loader.Loader{
		Table: &store.Table{DB: db, Name: "sports", Parallel: 1},
		Lease: &store.Lease{DB: db, Holder: rand.Text(), Label: "a test", Now: time.Now},
	}}
	switch words[0] {
	case "run":
		report, err := u.Run(ctx)
		if errors.Is(err, upgrade.ErrCurrent) {
			return map[string]bool{"current": true}, nil
		}
		return report, err
	case "back":
		to, _, loads, err := u.Back(ctx)
		return map[string]int{"to": to, "loads": loads}, err
	case "drop":
		layout, err := strconv.Atoi(words[1])
		if err != nil {
			return nil, err
		}
		items, err := u.Drop(ctx, layout)
		return map[string]int{"items": items}, err
	}
	return nil, fmt.Errorf("%q: want run, back or drop", words)
}
