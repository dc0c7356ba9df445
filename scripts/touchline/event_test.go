package main

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/serve"
	"touchline/shared/gateway"
)

// TestAnEventIsAnswered by what the functions serve.
func TestAnEventIsAnswered(t *testing.T) {
	term := keeper(t)
	term.succeed(t, "import", "../../shared/demo/data")
	k := create(t, term, "--all-scopes", "--descendants")
	term.Env["TOUCHLINE_SECRET"] = k.Secret
	seal, err := apikeys.Sealer(&term.Terminal)
	must(t, err)
	worker := gateway.New((&serve.Command{Photo: "https://img.example/nobody.png"}).Handler(&term.Terminal, term.database(t), seal, logs.RequestLog{}, serve.CacheOf(&term.Terminal, term.database(t))))
	for target, want := range map[string]int{"/v1/ping": 200, "/v1/organizations/{organization:est}/clubs?limit=2&sort=-name": 200, "/v1/referees": 404, "/v1/ping?page=1": 400} {
		var e events.APIGatewayV2HTTPRequest
		must(t, json.Unmarshal([]byte(term.succeed(t, "get", "--event", "--key-id="+k.ID, target)), &e))
		if got, err := worker.Handle(t.Context(), e); err != nil || got.StatusCode != want {
			t.Errorf("%s: %d, %s, %v", target, got.StatusCode, got.Body, err)
		}
	}
}
