package main

import (
	"encoding/json"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsscheduler"

	"touchline/shared/stack"
)

// exportKeys has the table of the keys exported to a bucket once a day, by DynamoDB
// itself, from its backups: it takes nothing of what the table can serve. The bucket
// may be in another region, for a day on which this one is lost (infra/README.md, A
// lost region). The data come again from their datasets; keys come from nowhere else.
func (s *stage) exportKeys() {
	bucket := s.settings.KeysExport
	if bucket == "" {
		return
	}
	prefix := stack.Name(s.settings.Stage) + "/keys"
	global := func(service, resource string) *string {
		return s.Stack.FormatArn(&awscdk.ArnComponents{
			Service: &service, Region: text(""), Account: text(""), Resource: &resource, ArnFormat: awscdk.ArnFormat_NO_RESOURCE_NAME,
		})
	}
	objects := bucket + "/" + prefix + "/*"
	role := s.role("KeysExportRole", "scheduler", "What the daily export of the keys may do", map[string][]statement{
		"export": {{allow: []string{"dynamodb:ExportTableToPointInTime"}, on: []string{*s.keys.arn}}},
		"bucket": {{allow: []string{"s3:AbortMultipartUpload", "s3:PutObject", "s3:PutObjectAcl"}, on: []string{*global("s3", objects)}}},
	})
	suppress(role, suppression{
		rule: "AwsSolutions-IAM5", findings: []string{"Resource::arn:<AWS::Partition>:s3:::" + objects},
		reason: "DynamoDB chooses the names of the objects that it writes below the prefix",
	})
	input, err := json.Marshal(map[string]string{
		"TableArn": *s.keys.arn, "S3Bucket": bucket, "S3Prefix": prefix, "ExportFormat": "DYNAMODB_JSON",
	})
	if err != nil {
		panic(err) // of strings
	}
	group := awsscheduler.NewCfnScheduleGroup(s.Stack, text("KeysExportGroup"), &awsscheduler.CfnScheduleGroupProps{Name: text(stack.Name(s.settings.Stage))})
	awsscheduler.NewCfnSchedule(s.Stack, text("KeysExport"), &awsscheduler.CfnScheduleProps{
		Description: text("Exports the table of the keys to bucket " + bucket),
		GroupName:   group.Ref(), ScheduleExpression: text("rate(1 day)"),
		FlexibleTimeWindow: &awsscheduler.CfnSchedule_FlexibleTimeWindowProperty{Mode: text("OFF")},
		Target: &awsscheduler.CfnSchedule_TargetProperty{
			Arn:     global("scheduler", "aws-sdk:dynamodb:exportTableToPointInTime"),
			RoleArn: role.AttrArn(), Input: text(string(input)),
		},
	})
}
