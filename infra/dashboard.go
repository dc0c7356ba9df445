package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"touchline/shared/accesslog"
	"touchline/shared/stack"
)

// overview makes the dashboard: what the stage does, on one screen.
func (s *stage) overview() awscloudwatch.CfnDashboard {
	var arns []string
	for _, a := range s.alarms.list {
		arns = append(arns, *a.AttrArn())
	}
	widgets := []any{map[string]any{
		"type": "alarm", "x": 0, "y": 0, "width": 24, "height": 3,
		"properties": map[string]any{"title": "Alarms", "alarms": arns},
	}}
	for n, g := range s.graphs() {
		widgets = append(widgets, map[string]any{
			"type": "metric", "x": n % 3 * 8, "y": 3 + n/3*6, "width": 8, "height": 6,
			"properties": map[string]any{
				"title": g.title, "view": "timeSeries", "region": *s.Stack.Region(), "period": 300, "metrics": g.lines(),
			},
		})
	}
	return awscloudwatch.NewCfnDashboard(s.Stack, new("Dashboard"), &awscloudwatch.CfnDashboardProps{
		DashboardName: new(stack.Name(s.settings.Stage)),
		DashboardBody: s.Stack.ToJsonString(map[string]any{"widgets": widgets}, nil),
	})
}

type graph struct {
	title   string
	metrics []metric
}

func (s *stage) graphs() []graph {
	var faults []metric
	for _, m := range []accesslog.Metric{accesslog.KeyStoreFaults, accesslog.NonceStoreFaults, accesslog.QuotaStoreFaults, accesslog.DataFaults} {
		faults = append(faults, s.own(m))
	}
	units := func(name string) (list []metric) {
		for _, t := range []struct{ label, ref string }{
			{"sports", *s.sports.name}, {"nonces", *s.nonces.name}, {"quotas", *s.quotas.name}, {"keys", *s.keys.name},
		} {
			list = append(list, ofTable(t.label, t.ref, name))
		}
		return list
	}
	return []graph{
		{"Requests", []metric{s.own(accesslog.Requests), s.own(accesslog.ColdStarts)}},
		{"Refusals and errors", []metric{s.own(accesslog.Unauthorized), s.own(accesslog.RateLimited), s.own(accesslog.ServerErrors), s.ofGateway("5xx", "Sum")}},
		{"Milliseconds behind the gateway", []metric{s.ofGateway("IntegrationLatency", "p50"), s.ofGateway("IntegrationLatency", "p99")}},
		{"Store faults", faults},
		{"Read units", units("ConsumedReadCapacityUnits")},
		{"Write units", units("ConsumedWriteCapacityUnits")},
		{"Workers at once", s.ofFunctions("ConcurrentExecutions", "Maximum", s.all()...)},
		{"Errors of functions", s.ofFunctions("Errors", "Sum", s.all()...)},
		{"Datasets", []metric{ofQueue("waiting", *s.ingest.queue.AttrQueueName()), ofQueue("dead", *s.ingest.deadLetters.AttrQueueName()), s.own(accesslog.IngestFailures)}},
	}
}

// lines are the metrics in the form of a dashboard.
func (g graph) lines() []any {
	var list []any
	for _, m := range g.metrics {
		label := m.label
		if label == "" {
			label = m.name + " " + m.statistic
		}
		list = append(list, []any{m.namespace, m.name, m.dimension, m.of, map[string]any{"stat": m.statistic, "label": label}})
	}
	return list
}

func (s *stage) dashboardURL() string {
	return *awscdk.Fn_Sub(jsii.Sprintf("https://${AWS::Region}.console.aws.amazon.com/cloudwatch/home?region=${AWS::Region}#dashboards/dashboard/%s", stack.Name(s.settings.Stage)), nil)
}
