package doctor

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cloudwatchtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

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
