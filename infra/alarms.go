package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/jsii-runtime-go"

	"touchline/shared/accesslog"
	"touchline/shared/stack"
)

// alarms are the alarms, and the topic that they notify.
type alarms struct {
	topic awssns.CfnTopic
	list  []awscloudwatch.CfnAlarm
	// ARNs of rollbackAlarms.
	rollback []string
}

// rollbackAlarms are the alarms that roll an update back: a faulty version, a missing
// right or a wrong table shows in what callers get, as a share of it. Throttled
// loads count for nothing.
var rollbackAlarms = []string{"GatewayErrors", "FunctionErrors"}

// alarm goes off when the sum of its metrics reaches a limit in a number of
// periods, of five minutes if nothing else is said. CloudWatch charges for each metric of each alarm
// (0.10 USD a month beyond the first ten), which is why the sums have few terms.
type alarm struct {
	id, name string
	metrics  []metric
	outOf    *metric // limit is a percentage of it; nil: limit is a number
	limit    int
	below    bool   // it goes off below the limit
	formula  string // of the metrics m0, m1, ...; empty: their sum
	missing  string // what missing data is taken for; empty: notBreaching
	period   int    // seconds; 0: alarmPeriod
	periods  int    // consecutive ones; 0: 1
	todo     string // what has happened, and what to do about it
}

const alarmPeriod = 300 // seconds

// sharePeriod is that of an alarm on a share, in seconds. One error is enough, so that a
// stage with a request a minute rings as well: from a hundred requests in a quarter
// of an hour on it takes more than one. CloudWatch looks every minute, so that a stage
// with many requests need not wait for the end of it.
const sharePeriod = 900

// slow is the time that 99 percent of requests may take behind the gateway,
// including the start of a function, in milliseconds.
const slow = 2000

// Refusals in five minutes that somebody should look at: a program that goes on with a
// wrong secret, one that does not wait.
const (
	manyUnauthorized = 200
	manyRateLimited  = 1000
	manyThrottled    = 100
)

func (s *stage) watch() alarms {
	a := alarms{topic: s.topic()}
	for _, one := range slices.Concat(s.alarmsOfRequests(), s.alarmsOfCallers(), s.alarmsOfStores(), s.alarmsOfLoads(), s.alarmsOfSilence()) {
		made := s.alarm(one, a.topic)
		a.list = append(a.list, made)
		if slices.Contains(rollbackAlarms, one.id) {
			a.rollback = append(a.rollback, *made.AttrArn())
		}
	}
	return a
}

func (s *stage) alarmsOfRequests() []alarm {
	requests := s.ofGateway("Count", "Sum")
	return []alarm{
		{id: "GatewayErrors", name: "5xx", metrics: []metric{s.ofGateway("5xx", "Sum")}, outOf: &requests, limit: 1, period: sharePeriod,
			todo: "One request of a hundred got a server error. `touchline why REQUEST_ID` says why of one; the other alarms say which store fails. Where the functions' logs have no line, see the gateway's access log (integrationErrorMessage)."},
		{id: "FunctionErrors", name: "errors", metrics: s.ofFunctions("Errors"), outOf: &requests, limit: 1, period: sharePeriod,
			todo: "In one request of a hundred a function ended, ran out of time or of memory, or is not configured. Its log group holds the cause; after a deployment go back: `make rollback`."},
		{id: "FunctionThrottles", name: "throttles", metrics: s.ofFunctions("Throttles"), limit: 5,
			todo: "Lambda turned requests away: the account has no workers left. Ask AWS for more concurrent executions (Service Quotas), or lower the setting throttleRate."},
		{id: "GatewayThrottles", name: "gateway-throttles", metrics: []metric{s.gateway.throttled}, limit: manyThrottled,
			todo: "The gateway turned requests away before any function saw them: all callers together, partners and strangers, sent more than throttleRate a second. The query gateway throttles says when; the query busiest keys who sends most of what came through."},
		{id: "Duration", name: "p99", metrics: []metric{s.ofGateway("IntegrationLatency", "p99")}, limit: slow, periods: 3,
			todo: "One request of a hundred took 2 s or longer in the functions for a quarter of an hour. The log lines' durations name the store that is slow; where cold is true in most, raise the setting memory."},
	}
}

// alarmsOfCallers are about what callers do: an attack, a caller whose program
// has gone wrong, or success.
func (s *stage) alarmsOfCallers() []alarm {
	return []alarm{
		{id: "Unauthorized", name: "unauthorized", metrics: []metric{s.own(accesslog.Unauthorized)}, limit: manyUnauthorized,
			todo: "Many requests were refused as unauthorized: a caller with a wrong secret or clock, a revoked key in use, or somebody who tries keys. `touchline why REQUEST_ID` says which check refuses."},
		{id: "RateLimited", name: "rate-limited", metrics: []metric{s.own(accesslog.RateLimited)}, limit: manyRateLimited,
			todo: "Many requests were refused for their rate, or because an organization's quota is spent. The log lines name the keys: talk to the caller, or raise its monthlyQuota."},
		{id: "Requests", name: "requests", metrics: []metric{s.own(accesslog.Requests)}, limit: s.settings.ThrottleRate * alarmPeriod / 2, periods: 3,
			todo: "For a quarter of an hour there were half as many requests as the gateway lets through, which cost. The log lines name the keys that send them. Where they are meant, raise the setting throttleRate before requests are turned away."},
	}
}

func (s *stage) alarmsOfLoads() []alarm {
	return []alarm{
		{id: "LoadThrottles", name: "load-throttles", limit: 1,
			metrics: []metric{ofTable(*s.sports.name, "WriteThrottleEvents")},
			todo:    "A load is slowed down, and goes on by itself: it writes faster than the table has grown used to. Where this lasts, load in smaller parts."},
	}
}

func (s *stage) alarmsOfStores() []alarm {
	fault := func(id, name string, m accesslog.Metric, todo string) alarm {
		return alarm{id: id, name: name, metrics: []metric{s.own(m)}, limit: 1, todo: todo}
	}
	const look = " The log lines of level ERROR hold the cause; see also the AWS Health Dashboard."
	return []alarm{
		fault("KeyStoreFaults", "key-store", accesslog.KeyStoreFaults,
			"Keys or their secrets could not be read, so that requests were answered 503: the table Keys, or KMS. Is the KMS key enabled?"+look),
		fault("NonceStoreFaults", "nonce-store", accesslog.NonceStoreFaults,
			"Nonces could not be written, so that requests were answered 503: the table Nonces."+look),
		fault("QuotaStoreFaults", "quota-store", accesslog.QuotaStoreFaults,
			"Quotas could not be counted, so that requests were answered 503: the table Quotas."+look),
		fault("DataFaults", "data", accesslog.DataFaults,
			"The sports data could not be read, so that requests were answered 500: the table Sports, or what a load wrote there. Answered 503 with otherLayout, they found data of another version in the table, or none: see infra/README.md, Another layout."+look),
		{id: "TableThrottles", name: "dynamodb-throttles", limit: 1, metrics: []metric{
			ofTable(*s.keys.name, "ReadThrottleEvents"),
			ofTable(*s.nonces.name, "WriteThrottleEvents"),
			ofTable(*s.quotas.name, "WriteThrottleEvents"),
			ofTable(*s.sports.name, "ReadThrottleEvents"),
		}, todo: "DynamoDB slowed a table of requests down: reads that grow faster than the table, or one organization's requests, whose quota is one item that takes 1,000 writes a second."},
	}
}

// alarm makes an alarm. Missing data is taken as zero: most of the metrics are
// only reported when they count something.
func (s *stage) alarm(a alarm, topic awssns.CfnTopic) awscloudwatch.CfnAlarm {
	comparison, period := "GreaterThanOrEqualToThreshold", cmp.Or(a.period, alarmPeriod)
	if a.below {
		comparison = "LessThanThreshold"
	}
	props := &awscloudwatch.CfnAlarmProps{
		AlarmName:          jsii.Sprintf("%s-%s", stack.Name(s.settings.Stage), a.name),
		AlarmDescription:   jsii.Sprintf("%s infra/runbook.md#%s has the commands.", a.todo, a.name),
		ComparisonOperator: &comparison,
		Threshold:          jsii.Number(a.limit),
		EvaluationPeriods:  jsii.Number(max(a.periods, 1)),
		TreatMissingData:   new(cmp.Or(a.missing, "notBreaching")),
		AlarmActions:       &[]any{topic.Ref()},
		OkActions:          &[]any{topic.Ref()},
	}
	if len(a.metrics) == 1 && a.outOf == nil {
		m := a.metrics[0]
		props.Namespace, props.MetricName, props.Period = &m.namespace, &m.name, jsii.Number(period)
		if m.dimension != "" {
			props.Dimensions = &[]any{&awscloudwatch.CfnAlarm_DimensionProperty{Name: &m.dimension, Value: &m.of}}
		}
		if strings.HasPrefix(m.statistic, "p") {
			props.ExtendedStatistic = &m.statistic
		} else {
			props.Statistic = &m.statistic
		}
		return awscloudwatch.NewCfnAlarm(s.Stack, new(a.id+"Alarm"), props)
	}
	// Missing data is replaced by zero, because TreatMissingData has no effect
	// on metrics of DynamoDB, which are missing when nothing is wrong: an alarm
	// that went off once would never end.
	sum := &awscloudwatch.CfnAlarm_MetricDataQueryProperty{
		Id: new("sum"), Expression: new(cmp.Or(a.formula, `SUM(FILL(METRICS("m"), 0))`)), Label: &a.name, ReturnData: a.outOf == nil,
	}
	queries := []any{sum}
	for i, m := range a.metrics {
		queries = append(queries, m.query("m"+strconv.Itoa(i), period))
	}
	if a.outOf != nil {
		queries = append(queries, a.outOf.query("all", period), &awscloudwatch.CfnAlarm_MetricDataQueryProperty{
			Id: new("share"), Expression: new("100 * sum / FILL(all, 1)"), Label: jsii.Sprintf("%s, percent", a.name), ReturnData: true,
		})
	}
	props.Metrics = &queries
	return awscloudwatch.NewCfnAlarm(s.Stack, new(a.id+"Alarm"), props)
}

// query is the metric as a term of an alarm's expression.
func (m metric) query(id string, period int) any {
	return &awscloudwatch.CfnAlarm_MetricDataQueryProperty{
		Id: &id, ReturnData: false,
		MetricStat: &awscloudwatch.CfnAlarm_MetricStatProperty{
			Metric: &awscloudwatch.CfnAlarm_MetricProperty{
				Namespace: &m.namespace, MetricName: &m.name,
				Dimensions: &[]any{&awscloudwatch.CfnAlarm_DimensionProperty{Name: &m.dimension, Value: &m.of}},
			},
			Period: jsii.Number(period), Stat: &m.statistic,
		},
	}
}

// topic makes the topic, which only this stage's alarms may write to.
// Notifications do not need a KMS key of their own, and CloudWatch cannot use
// that of AWS.
func (s *stage) topic() awssns.CfnTopic {
	name := stack.Name(s.settings.Stage)
	topic := awssns.NewCfnTopic(s.Stack, new("Alarms"), &awssns.CfnTopicProps{DisplayName: &name})
	awssns.NewCfnTopicPolicy(s.Stack, new("AlarmsPolicy"), &awssns.CfnTopicPolicyProps{
		Topics: &[]*string{topic.Ref()},
		PolicyDocument: policy(
			statement{
				allow: []string{"sns:Publish"}, on: []string{*topic.Ref()}, principal: awsService("cloudwatch"),
				where: map[string]any{
					"StringEquals": map[string]any{"aws:SourceAccount": *s.Stack.Account()},
					"ArnLike": map[string]any{"aws:SourceArn": *s.Stack.FormatArn(&awscdk.ArnComponents{
						Service: new("cloudwatch"), Resource: new("alarm"), ResourceName: new(name + "-*"),
						ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
					})},
				},
			},
			overTLS([]string{"sns:Publish"}, []string{*topic.Ref()}),
		),
	})
	if s.settings.AlarmEmail != "" {
		awssns.NewCfnSubscription(s.Stack, new("AlarmsEmail"), &awssns.CfnSubscriptionProps{
			TopicArn: topic.Ref(), Protocol: new("email"), Endpoint: &s.settings.AlarmEmail,
		})
	}
	return topic
}

// budget makes the monthly budget of the account, if one is set. It is for the
// whole account: a budget by tag would count nothing until somebody activates
// the tag for cost allocation, in the account that pays.
func (s *stage) budget() {
	if s.settings.MonthlyBudget == 0 {
		return
	}
	told := func(kind string, percent int) any {
		return &awsbudgets.CfnBudget_NotificationWithSubscribersProperty{
			Notification: &awsbudgets.CfnBudget_NotificationProperty{
				NotificationType: &kind, ComparisonOperator: new("GREATER_THAN"), Threshold: jsii.Number(percent), ThresholdType: new("PERCENTAGE"),
			},
			Subscribers: &[]any{&awsbudgets.CfnBudget_SubscriberProperty{
				SubscriptionType: new("EMAIL"), Address: &s.settings.AlarmEmail,
			}},
		}
	}
	awsbudgets.NewCfnBudget(s.Stack, new("Budget"), &awsbudgets.CfnBudgetProps{
		Budget: &awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetName: new(stack.Name(s.settings.Stage)), BudgetType: new("COST"), TimeUnit: new("MONTHLY"),
			BudgetLimit: &awsbudgets.CfnBudget_SpendProperty{Amount: jsii.Number(s.settings.MonthlyBudget), Unit: new("USD")},
		},
		NotificationsWithSubscribers: &[]any{told("FORECASTED", 100), told("ACTUAL", 80), told("ACTUAL", 100)},
	})
}
