package logs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/smithy-go"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/awsjson"
)

const (
	// queryLimit bounds the time of a query: as long as a person would wait. A
	// day with a million lines takes some seconds.
	queryLimit = 2 * time.Minute
	// queryPoll is the pause between two requests for the result of a query;
	// CloudWatch allows five a second for an account.
	queryPoll = 500 * time.Millisecond
	// stopLimit bounds the time for stopping a query that is no longer needed.
	stopLimit = 5 * time.Second
)

// Insights searches the lines of a deployment in CloudWatch Logs.
type Insights struct {
	Client *awsjson.Service
	Stack  string          // name, for errors
	Groups []string        // log groups
	Waited func(looks int) // called whenever a query has not ended yet
}

// InsightsOf searches the lines of a deployment's log; waited is called whenever a
// query has not ended yet.
func InsightsOf(ctx context.Context, d *database.Deployment, waited func(looks int)) *Insights {
	client := &awsjson.Service{
		Name: "logs", Target: "Logs_20140328", Version: "1.1", Config: d.Config, Endpoint: database.EndpointOf(ctx, d.Config, "CloudWatch Logs"),
	}
	return &Insights{Client: client, Stack: d.Name, Groups: d.LogGroups, Waited: waited}
}

// Find returns the line of a request between two times, and its text; nil if
// there isn't one.
func (i *Insights) Find(ctx context.Context, requestID string, from, to time.Time) (*accesslog.Line, []byte, error) {
	texts, err := i.query(ctx, fmt.Sprintf("fields @message | filter requestId = %q | sort @timestamp desc | limit 10", requestID), from, to)
	for _, text := range texts {
		if l, err := accesslog.Parse([]byte(text)); err == nil && l.RequestID == requestID {
			return &l, []byte(text), nil
		}
	}
	return nil, nil, err
}

// query returns the lines that a query selects between two times. One that is given up is
// stopped, because it is billed for what it reads. The error says what to do.
func (i *Insights) query(ctx context.Context, query string, from, to time.Time) ([]string, error) {
	limited, cancel := context.WithTimeout(ctx, queryLimit)
	defer cancel()
	var started queryID
	err := i.Client.Call(limited, "StartQuery", map[string]any{
		"logGroupNames": i.Groups, "queryString": query,
		"startTime": from.Unix(), "endTime": to.Unix() + 1, // clocks differ
	}, &started)
	if err != nil {
		return nil, i.explain(err)
	}
	texts, err := i.await(limited, started)
	if err != nil && limited.Err() != nil {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
		defer cancel()
		err = errors.Join(context.Cause(limited), i.Client.Call(stopping, "StopQuery", started, nil))
	}
	if err != nil {
		return nil, i.explain(err)
	}
	return texts, nil
}

// queryID names a query.
type queryID struct {
	ID string `json:"queryId"`
}

// await polls a query until it has ended.
func (i *Insights) await(ctx context.Context, query queryID) ([]string, error) {
	for looks := 1; ; looks++ {
		var out struct {
			Status  string
			Results [][]struct{ Field, Value string }
		}
		if err := i.Client.Call(ctx, "GetQueryResults", query, &out); err != nil {
			return nil, err
		}
		switch out.Status {
		case "Complete":
			var texts []string
			for _, row := range out.Results {
				for _, f := range row {
					if f.Field == "@message" {
						texts = append(texts, f.Value)
					}
				}
			}
			return texts, nil
		case "Scheduled", "Running", "Unknown":
		default:
			return nil, fmt.Errorf("the query ended as %s", out.Status)
		}
		i.Waited(looks)
		if err := terminal.Pause(ctx, queryPoll); err != nil {
			return nil, err
		}
	}
}

// explain says what to do about a query that failed.
func (i *Insights) explain(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("CloudWatch Logs did not answer within %s: ask for less with --since", queryLimit)
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		switch api.ErrorCode() {
		case "AccessDeniedException":
			return fmt.Errorf("the logs of stack %s may not be read: that needs logs:StartQuery, logs:GetQueryResults and logs:StopQuery on %s: %s", i.Stack, strings.Join(i.Groups, ", "), api.ErrorMessage())
		case "ResourceNotFoundException":
			return fmt.Errorf("a log group of stack %s is missing: deploy it again: %s", i.Stack, api.ErrorMessage())
		}
	}
	return fmt.Errorf("ask CloudWatch Logs: %w", err)
}
