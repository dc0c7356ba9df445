package doctor

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cloudwatchtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"touchline/scripts/touchline/database"
)

// alarms lists the alarms of the deployment that are on.
func (x *examination) alarms(ctx context.Context, d *database.Deployment) {
	pages := cloudwatch.NewDescribeAlarmsPaginator(cloudwatch.NewFromConfig(d.Config), &cloudwatch.DescribeAlarmsInput{
		AlarmNamePrefix: aws.String(d.Name + "-"), AlarmTypes: []cloudwatchtypes.AlarmType{cloudwatchtypes.AlarmTypeMetricAlarm, cloudwatchtypes.AlarmTypeCompositeAlarm},
	})
	var raised []string
	all := 0
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			x.find("alarms", Warning, "they cannot be read: %v", err)
			return
		}
		all += len(page.MetricAlarms) + len(page.CompositeAlarms)
		for _, a := range page.MetricAlarms {
			if a.StateValue == cloudwatchtypes.StateValueAlarm {
				raised = append(raised, aws.ToString(a.AlarmName))
			}
		}
		for _, a := range page.CompositeAlarms {
			if a.StateValue == cloudwatchtypes.StateValueAlarm {
				raised = append(raised, aws.ToString(a.AlarmName))
			}
		}
	}
	switch {
	case len(raised) > 0:
		x.find("alarms", Fault, "in alarm: %s (%s)", strings.Join(raised, ", "), d.Dashboard)
	case all == 0:
		x.find("alarms", Warning, "there is none")
	default:
		x.find("alarms", OK, "none of %d is in alarm", all)
	}
}

// enoughConcurrency is how many concurrent functions an account should be able
// to run: AWS's default quota. New accounts begin with 10.
const enoughConcurrency = 1000

// quotas checks the quotas of the account that the service reaches first.
func (x *examination) quotas(ctx context.Context, d *database.Deployment) {
	settings, err := lambda.NewFromConfig(d.Config).GetAccountSettings(ctx, &lambda.GetAccountSettingsInput{})
	if err != nil || settings.AccountLimit == nil {
		x.find("quotas", Warning, "those of Lambda cannot be read: %v", err)
		return
	}
	if n := settings.AccountLimit.ConcurrentExecutions; n < enoughConcurrency {
		x.find("quotas", Warning, "the account runs %d functions at once, in this region and of all services: ask AWS for %d (Service Quotas, Lambda, concurrent executions)", n, enoughConcurrency)
		return
	}
	x.find("quotas", OK, "the account runs %d functions at once", settings.AccountLimit.ConcurrentExecutions)
}
