// Command tournaments is the Lambda function of what is below /v1/tournaments/.
package main

import (
	"touchline/shared/endpoints/tournaments"
	"touchline/shared/service"
)

func main() { service.Start(tournaments.Operations) }
