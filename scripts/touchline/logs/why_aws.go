package logs

import (
	"context"
	"fmt"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/awsjson"
)

// onAWS finds the line in the logs of a deployment.
func (w *WhyCommand) onAWS(ctx context.Context, c *terminal.Terminal, id string) (*accesslog.Line, []byte, error) {
	d, err := w.Deployment(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	progress := c.Progress("asking CloudWatch Logs", 0)
	defer progress.End()
	line, text, err := InsightsOf(ctx, d, progress.At).Find(ctx, id, c.Now().Add(-w.Since), c.Now())
	if line != nil || err != nil {
		return line, text, err
	}
	return nil, nil, fmt.Errorf("no request %s in the logs of stack %s within %s: lines arrive up to a minute late, so ask again; look further back with --since, or at another stage with --stack", id, d.Name, w.Since)
}

// InsightsOf searches the lines of a deployment's log; waited is called whenever a
// query has not ended yet.
func InsightsOf(ctx context.Context, d *database.Deployment, waited func(looks int)) *Insights {
	client := &awsjson.Service{
		Name: "logs", Target: "Logs_20140328", Version: "1.1", Config: d.Config, Endpoint: database.EndpointOf(ctx, d.Config, "CloudWatch Logs"),
	}
	return &Insights{Client: client, Stack: d.Name, Groups: d.LogGroups, Waited: waited}
}
