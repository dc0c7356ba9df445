// Command teams is the Lambda function for the routes below /v1/teams/.
package main

import (
	"touchline/shared/endpoints/teams"
	"touchline/shared/service"
)

func main() { service.Start(teams.Operations) }
