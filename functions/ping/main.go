// Command ping is the Lambda function for /v1/ping and, as the gateway's
// $default, for all paths that no other function serves, which are unknown.
package main

import (
	"touchline/shared/endpoints/ping"
	"touchline/shared/service"
)

func main() { service.Start(ping.Operations) }
