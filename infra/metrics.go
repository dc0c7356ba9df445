package main

import (
	"touchline/shared/accesslog"
	"touchline/shared/stack"
)

// metric is a metric of CloudWatch.
type metric struct {
	namespace, name string
	dimension, of   string // empty: it has none
	statistic       string // Sum, Minimum, p99
}

// own is a metric that the functions write.
func (s *stage) own(name accesslog.Metric) metric {
	return metric{namespace: accesslog.Namespace, name: string(name), dimension: accesslog.Dimension, of: s.settings.Stage, statistic: "Sum"}
}

// ofGateway is a metric of the HTTP API.
func (s *stage) ofGateway(name, statistic string) metric {
	return metric{namespace: "AWS/ApiGateway", name: name, dimension: "ApiId", of: *s.gateway.api.Ref(), statistic: statistic}
}

// ofFunctions is the sum of a metric of each function, by its name.
func (s *stage) ofFunctions(name string) []metric {
	var list []metric
	for _, f := range s.servers() {
		list = append(list, metric{
			namespace: "AWS/Lambda", name: name, dimension: "FunctionName",
			of: stack.FunctionName(s.settings.Stage, f.name), statistic: "Sum",
		})
	}
	return list
}

// ofTable is a metric of a table.
func ofTable(ref, name string) metric {
	return metric{namespace: "AWS/DynamoDB", name: name, dimension: "TableName", of: ref, statistic: "Sum"}
}
