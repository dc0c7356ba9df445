// Command matches is the Lambda function for the routes below /v1/matches/.
package main

import (
	"touchline/shared/endpoints/matches"
	"touchline/shared/service"
)

func main() { service.Start(matches.Operations) }
