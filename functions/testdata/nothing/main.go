// Command nothing is a Lambda function that does nothing: what the start of the
// others is measured against.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() { lambda.Start(func() {}) }
