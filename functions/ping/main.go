// Command ping is the Lambda function of /v1/ping and, as the gateway's
// $default, every path that no other function has: those are unknown.
package main

import (
	"touchline/shared/endpoints/ping"
	"touchline/shared/service"
)

func main() { service.Start(ping.Operations) }
