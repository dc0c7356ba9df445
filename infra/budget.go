package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"

	"touchline/shared/stack"
)

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
				NotificationType: &kind, ComparisonOperator: text("GREATER_THAN"), Threshold: number(percent), ThresholdType: text("PERCENTAGE"),
			},
			Subscribers: &[]any{&awsbudgets.CfnBudget_SubscriberProperty{
				SubscriptionType: text("EMAIL"), Address: &s.settings.AlarmEmail,
			}},
		}
	}
	awsbudgets.NewCfnBudget(s.Stack, text("Budget"), &awsbudgets.CfnBudgetProps{
		Budget: &awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetName: text(stack.Name(s.settings.Stage)), BudgetType: text("COST"), TimeUnit: text("MONTHLY"),
			BudgetLimit: &awsbudgets.CfnBudget_SpendProperty{Amount: number(s.settings.MonthlyBudget), Unit: text("USD")},
		},
		NotificationsWithSubscribers: &[]any{told("FORECASTED", 100), told("ACTUAL", 80), told("ACTUAL", 100)},
	})
}
