// Package accesslog is the log of requests: one structured line each, which
// holds the metrics, too.
package accesslog
