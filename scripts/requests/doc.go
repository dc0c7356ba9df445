// Package requests reads the log of requests for an operator: the file that
// `touchline serve` writes and what CloudWatch Logs has of a deployment, and says
// in words what a line means. The touchline command and its console show it.
package requests
