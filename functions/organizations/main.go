// Command organizations is the Lambda function for the routes below
// /v1/organizations/, /v1/federations/, /v1/associations/ and /v1/clubs/.
package main

import (
	"touchline/shared/endpoints/organizations"
	"touchline/shared/service"
)

func main() { service.Start(organizations.Operations) }
