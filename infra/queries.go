package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
)

// query is a query of CloudWatch Logs Insights that the runbook names. The fields of
// a request's line are those of package accesslog, and of the gateway's line those
// of accessLog.
type query struct {
	name string
	text string
	of   []function // whose logs are searched; nil: the gateway's
}

func (s *stage) queries() []query {
	const most = " | sort requests desc | limit 50"
	return []query{
		{"server errors", `filter msg = "request" and status >= 500 | stats count(*) as requests, latest(requestId) as last by status, route, refusedBy, cause` + most, s.servers()},
		{"refusals", `filter msg = "request" and status in [401, 403, 429] | stats count(*) as requests, latest(requestId) as last by keyId, organization, refusedBy, why, code` + most, s.servers()},
		{"busiest keys", `filter msg = "request" | stats count(*) as requests by keyId, organization, route` + most, s.servers()},
		{"slow requests", `filter msg = "request" and durationMicros >= 1000000 | fields @timestamp, requestId, route, durationMicros, cold, startMicros, keys.micros, secrets.micros, nonces.micros, quotas.micros, sports.micros | sort durationMicros desc | limit 50`, s.servers()},
		{"failed invocations", `filter type like /^platform/ or (level = "ERROR" and msg != "request") | fields @timestamp, @log, @message | sort @timestamp desc | limit 100`, s.servers()},
		{"gateway errors", `filter status like /^5/ | stats count(*) as requests, latest(requestId) as last by routeKey, status, integrationErrorMessage, error` + most, nil},
		{"gateway throttles", `filter status = "429" and integrationStatus = "-" | stats count(*) as requests by bin(1m) | sort requests desc | limit 50`, nil},
	}
}

// saveQueries keeps the queries in a folder of the stage's.
func (s *stage) saveQueries() {
	for _, q := range s.queries() {
		groups := []any{s.gateway.logs.Ref()}
		if q.of != nil {
			groups = nil
			for _, f := range q.of {
				groups = append(groups, f.logs.Ref())
			}
		}
		awslogs.NewCfnQueryDefinition(s.Stack, new("Query"+camel(q.name)), &awslogs.CfnQueryDefinitionProps{
			Name: new("touchline/" + s.settings.Stage + "/" + q.name), QueryString: &q.text, LogGroupNames: &groups,
		})
	}
}
