// Command tournaments is the Lambda function for the routes below
// /v1/tournaments/.
package main

import (
	"touchline/shared/endpoints/tournaments"
	"touchline/shared/service"
)

func main() { service.Start(tournaments.Operations) }
