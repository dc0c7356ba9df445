// Command players is the Lambda function for the routes below /v1/players/.
package main

import (
	"touchline/shared/endpoints/players"
	"touchline/shared/service"
)

func main() { service.Start(players.Operations) }
