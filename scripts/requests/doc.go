// Package requests reads the log of requests for an operator, from the file that
// `touchline serve` writes or from the CloudWatch Logs of a deployment, and
// explains what a line means. The touchline command and its console show that.
package requests
