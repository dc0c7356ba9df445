// Command matches is the Lambda function of what is below /v1/matches/.
// Package service lists the variables of its environment.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/matches"
	"touchline/shared/route"
	"touchline/shared/service"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	worker, err := service.FromEnvironment(context.Background(), os.Getenv, log)
	if err != nil {
		log.Error("the function is not configured", slog.String("cause", err.Error()))
		os.Exit(1)
	}
	lambda.Start(worker.Handler(routes).Handle)
}

func routes(d endpoints.Deps) *route.Table {
	return route.NewTable(matches.Endpoints{Sports: d.Sports}.Operations()...)
}
