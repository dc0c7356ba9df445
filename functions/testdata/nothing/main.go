// Command nothing is a Lambda function that does nothing. The starts of the
// others are compared with its start.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() { lambda.Start(func() {}) }
