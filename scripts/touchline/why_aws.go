package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs/types"
	"github.com/aws/smithy-go"

	"touchline/shared/accesslog"
)

const (
	// queryLimit bounds the wait for a query: what a person waits. A day of a
	// million lines takes some seconds.
	queryLimit = 2 * time.Minute
	// queryPoll is the pause between two looks at a query; the service allows five
	// a second for an account.
	queryPoll = 500 * time.Millisecond
	// stopLimit bounds the wait for a query that is given up.
	stopLimit = 5 * time.Second
)

// onAWS finds the line in the logs of a deployment.
func (w *whyCommand) onAWS(ctx context.Context, c *console, id string) (*accesslog.Line, []byte, error) {
	d, err := w.deployment(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	progress := c.progress("asking CloudWatch Logs", 0)
	defer progress.end()
	q := logQuery{
		client: cloudwatchlogs.NewFromConfig(d.config), groups: d.LogGroups, from: c.Now().Add(-w.Since), to: c.Now(),
		waited: progress.at,
	}
	texts, err := q.run(ctx, id)
	if err != nil {
		return nil, nil, w.explain(d, err)
	}
	for _, text := range texts {
		if l, err := accesslog.Parse([]byte(text)); err == nil && l.RequestID == id {
			return &l, []byte(text), nil
		}
	}
	return nil, nil, fmt.Errorf("no request %s in the logs of stack %s within %s: lines arrive up to a minute late, so ask again; look further back with --since, or at another stage with --stack", id, d.name, w.Since)
}

// explain says what to do about a query that failed.
func (w *whyCommand) explain(d *deployment, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("CloudWatch Logs did not answer within %s: ask for less with --since", queryLimit)
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		switch api.ErrorCode() {
		case "AccessDeniedException":
			return fmt.Errorf("the logs of stack %s may not be read: that needs logs:StartQuery, logs:GetQueryResults and logs:StopQuery on %s: %s", d.name, strings.Join(d.LogGroups, ", "), api.ErrorMessage())
		case "ResourceNotFoundException":
			return fmt.Errorf("a log group of stack %s is missing: deploy it again: %s", d.name, api.ErrorMessage())
		}
	}
	return fmt.Errorf("ask CloudWatch Logs: %w", err)
}

// logQuery is a query of CloudWatch Logs Insights.
type logQuery struct {
	client   *cloudwatchlogs.Client
	groups   []string
	from, to time.Time
	waited   func(looks int)
}

// run gives the messages of the lines of a request. A query that is given up is
// stopped: it costs for what it reads.
func (q logQuery) run(ctx context.Context, id string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, queryLimit)
	defer cancel()
	started, err := q.client.StartQuery(ctx, &cloudwatchlogs.StartQueryInput{
		LogGroupNames: q.groups,
		StartTime:     aws.Int64(q.from.Unix()),
		EndTime:       aws.Int64(q.to.Unix() + 1), // clocks differ
		QueryString:   aws.String(fmt.Sprintf("fields @message | filter requestId = %q | limit 10", id)),
	})
	if err != nil {
		return nil, err
	}
	texts, err := q.await(ctx, *started.QueryId)
	if err != nil && ctx.Err() != nil {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
		defer cancel()
		_, stopped := q.client.StopQuery(stopping, &cloudwatchlogs.StopQueryInput{QueryId: started.QueryId})
		return nil, errors.Join(context.Cause(ctx), stopped)
	}
	return texts, err
}

// await looks at a query until it has ended.
func (q logQuery) await(ctx context.Context, query string) ([]string, error) {
	for looks := 1; ; looks++ {
		out, err := q.client.GetQueryResults(ctx, &cloudwatchlogs.GetQueryResultsInput{QueryId: &query})
		if err != nil {
			return nil, err
		}
		switch out.Status {
		case types.QueryStatusComplete:
			return messages(out.Results), nil
		case types.QueryStatusScheduled, types.QueryStatusRunning, types.QueryStatusUnknown:
		default:
			return nil, fmt.Errorf("the query ended as %s", out.Status)
		}
		q.waited(looks)
		pause := time.NewTimer(queryPoll)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, context.Cause(ctx)
		}
	}
}

func messages(rows [][]types.ResultField) []string {
	var texts []string
	for _, row := range rows {
		for _, f := range row {
			if aws.ToString(f.Field) == "@message" {
				texts = append(texts, aws.ToString(f.Value))
			}
		}
	}
	return texts
}
