package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/direct"
	"touchline/shared/store/dynamo"
)

// TestACallIsOneAttempt, by either client, and its failure is one that a Table knows.
func TestACallIsOneAttempt(t *testing.T) {
	var transient *store.TransientError
	failure := func(status int, code string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"no"}`, code) //nolint:errcheck // a test's answer
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		is     func(error) bool
	}{
		"no table":         {failure(400, "ResourceNotFoundException"), func(err error) bool { return errors.Is(err, store.ErrNoTable) }},
		"too many":         {failure(400, "ProvisionedThroughputExceededException"), func(err error) bool { return errors.Is(err, store.ErrThrottled) }},
		"a server's error": {failure(500, "InternalServerError"), func(err error) bool { return errors.As(err, &transient) }},
		"no answer": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html>") //nolint:errcheck // a test's answer
		}, func(err error) bool { return errors.As(err, &transient) }},
		"a refusal": {failure(400, "ValidationException"), func(err error) bool {
			return err != nil && !errors.As(err, &transient) && !errors.Is(err, store.ErrThrottled)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			attempts := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				attempts++
				c.answer(w, r)
			}))
			defer server.Close()
			client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			key := store.Key{PK: "p", SK: "s"}
			for way, db := range map[string]dynamo.DB{"the SDK": {Client: client}, "direct": {Client: direct.New(client)}} {
				for what, call := range map[string]func(context.Context) error{
					"get":   func(ctx context.Context) error { _, err := db.Get(ctx, "t", []store.Key{key}, true); return err },
					"write": func(ctx context.Context) error { _, err := db.Write(ctx, "t", []store.Write{{Key: key}}); return err },
					"query": func(ctx context.Context) error { _, err := db.Query(ctx, "t", store.Query{PK: "p"}, key); return err },
					"scan":  func(ctx context.Context) error { _, err := db.Scan(ctx, "t", key); return err },
					"lease": func(ctx context.Context) error {
						_, err := db.TakeLease(ctx, "t", key, store.Holder{ID: "h"}, time.Now())
						return err
					},
				} {
					attempts = 0
					if err := call(t.Context()); !c.is(err) || attempts != 1 {
						t.Errorf("%s by %s: %d attempts, %v", what, way, attempts, err)
					}
				}
			}
		})
	}
}
