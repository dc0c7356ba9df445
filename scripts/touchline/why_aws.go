package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"

	"touchline/scripts/requests"
	"touchline/shared/accesslog"
)

// onAWS finds the line in the logs of a deployment.
func (w *whyCommand) onAWS(ctx context.Context, c *console, id string) (*accesslog.Line, []byte, error) {
	d, err := w.deployment(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	progress := c.progress("asking CloudWatch Logs", 0)
	defer progress.end()
	line, text, err := d.insights(progress.at).Find(ctx, id, c.Now().Add(-w.Since), c.Now())
	if line != nil || err != nil {
		return line, text, err
	}
	return nil, nil, fmt.Errorf("no request %s in the logs of stack %s within %s: lines arrive up to a minute late, so ask again; look further back with --since, or at another stage with --stack", id, d.name, w.Since)
}

// insights asks for the lines of a deployment's log; waited is told of each look
// at a query that has not ended.
func (d *deployment) insights(waited func(looks int)) *requests.Insights {
	return &requests.Insights{Client: cloudwatchlogs.NewFromConfig(d.config), Stack: d.name, Groups: d.LogGroups, Waited: waited}
}
