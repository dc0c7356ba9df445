package main

import (
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"touchline/shared/stack"
)

// intake is how a dataset gets into the table: the bucket it is dropped into, the
// queue that announces it, and the function that loads it.
type intake struct {
	bucket      awss3.CfnBucket
	queue       awssqs.CfnQueue
	deadLetters awssqs.CfnQueue
	function    function
}

const (
	// ingestTimeout is the longest that Lambda allows, in seconds.
	ingestTimeout = 900
	// visibility is how long a message that is being processed is hidden, in
	// seconds: until the function has certainly ended.
	visibility = ingestTimeout + 60
	// loaders bounds the concurrent invocations; 2 is the minimum. Only one of
	// them loads, since the loader's lease is for the whole table; the other
	// waits.
	loaders = 2
	// dropDays is how long a drop and its report are kept.
	dropDays = 30
	// letterSeconds is how long the queues keep a message: the maximum, 14 days.
	letterSeconds = 14 * 24 * 60 * 60
)

func (s *stage) intake() intake {
	var i intake
	i.deadLetters = s.queue("IngestDeadLetters", nil)
	i.queue = s.queue("IngestQueue", i.deadLetters)
	s.queuePolicy("IngestDeadLettersPolicy", i.deadLetters)
	told := s.queuePolicy("IngestQueuePolicy", i.queue, s.notifiesOfDrops(i.queue))
	i.bucket = s.bucket(i.queue)
	i.bucket.AddResourceDependency(told, nil) // S3 tries the queue when it is configured
	s.bucketPolicy(i)
	i.function = s.ingesting(i)
	awslambda.NewCfnEventSourceMapping(s.Stack, new("IngestSource"), &awslambda.CfnEventSourceMappingProps{
		EventSourceArn: i.queue.AttrArn(), FunctionName: i.function.invoked,
		BatchSize:             jsii.Number(1),
		FunctionResponseTypes: jsii.Strings("ReportBatchItemFailures"),
		ScalingConfig:         &awslambda.CfnEventSourceMapping_ScalingConfigProperty{MaximumConcurrency: jsii.Number(loaders)},
	})
	return i
}

// queue makes a queue; letters is the queue for its dead messages.
func (s *stage) queue(id string, letters awssqs.CfnQueue) awssqs.CfnQueue {
	props := &awssqs.CfnQueueProps{
		MessageRetentionPeriod: jsii.Number(letterSeconds), SqsManagedSseEnabled: true,
	}
	if letters != nil {
		props.VisibilityTimeout = jsii.Number(visibility)
		props.RedrivePolicy = map[string]any{"deadLetterTargetArn": *letters.AttrArn(), "maxReceiveCount": stack.DropReceives}
	}
	queue := awssqs.NewCfnQueue(s.Stack, &id, props)
	drop(queue)
	return queue
}

// queuePolicy allows TLS only, and adds what is in also.
func (s *stage) queuePolicy(id string, queue awssqs.CfnQueue, also ...statement) awssqs.CfnQueuePolicy {
	return awssqs.NewCfnQueuePolicy(s.Stack, &id, &awssqs.CfnQueuePolicyProps{
		Queues:         &[]*string{queue.Ref()},
		PolicyDocument: policy(append(also, overTLS([]string{"sqs:*"}, []string{*queue.AttrArn()}))...),
	})
}

// notifiesOfDrops lets the buckets of this account's stages send to the queue.
// The bucket itself cannot be named here: it is made later, because it names the
// queue.
func (s *stage) notifiesOfDrops(queue awssqs.CfnQueue) statement {
	return statement{
		allow: []string{"sqs:SendMessage"}, on: []string{*queue.AttrArn()}, principal: awsService("s3"),
		where: map[string]any{
			"StringEquals": map[string]any{"aws:SourceAccount": *s.Stack.Account()},
			"ArnLike": map[string]any{"aws:SourceArn": *s.Stack.FormatArn(&awscdk.ArnComponents{
				Service: new("s3"), Region: new(""), Account: new(""), Resource: new(stack.Name("*")),
			})},
		},
	}
}

// bucket makes the bucket, which notifies the queue of completed drops. It keeps
// no versions: every drop is new objects, which are deleted after a month.
func (s *stage) bucket(queue awssqs.CfnQueue) awss3.CfnBucket {
	bucket := awss3.NewCfnBucket(s.Stack, new("IngestBucket"), &awss3.CfnBucketProps{
		BucketEncryption: &awss3.CfnBucket_BucketEncryptionProperty{
			ServerSideEncryptionConfiguration: &[]any{&awss3.CfnBucket_ServerSideEncryptionRuleProperty{
				ServerSideEncryptionByDefault: &awss3.CfnBucket_ServerSideEncryptionByDefaultProperty{SseAlgorithm: new("AES256")},
			}},
		},
		PublicAccessBlockConfiguration: &awss3.CfnBucket_PublicAccessBlockConfigurationProperty{
			BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true,
		},
		OwnershipControls: &awss3.CfnBucket_OwnershipControlsProperty{
			Rules: &[]any{&awss3.CfnBucket_OwnershipControlsRuleProperty{ObjectOwnership: new("BucketOwnerEnforced")}},
		},
		LifecycleConfiguration: &awss3.CfnBucket_LifecycleConfigurationProperty{
			Rules: &[]any{
				&awss3.CfnBucket_RuleProperty{
					Id: new("drops"), Status: new("Enabled"), Prefix: new(""), ExpirationInDays: jsii.Number(dropDays),
					AbortIncompleteMultipartUpload: &awss3.CfnBucket_AbortIncompleteMultipartUploadProperty{DaysAfterInitiation: jsii.Number(1)},
				},
			},
		},
		NotificationConfiguration: &awss3.CfnBucket_NotificationConfigurationProperty{
			QueueConfigurations: &[]any{&awss3.CfnBucket_QueueConfigurationProperty{
				Event: new("s3:ObjectCreated:*"), Queue: queue.AttrArn(),
				Filter: &awss3.CfnBucket_NotificationFilterProperty{
					S3Key: &awss3.CfnBucket_S3KeyFilterProperty{
						Rules: &[]any{&awss3.CfnBucket_FilterRuleProperty{Name: new("suffix"), Value: new("/" + stack.DropReady)}},
					},
				},
			}},
		},
	})
	keepOnceUsed(bucket) // only an empty bucket can be removed
	suppress(bucket, suppression{rule: "AwsSolutions-S1", reason: "Drops last a month and a report next to each says what became of it; a log of reads would need a second bucket that outlasts the drops"})
	return bucket
}

// bucketPolicy allows TLS only.
func (s *stage) bucketPolicy(i intake) {
	bucket := *i.bucket.AttrArn()
	awss3.NewCfnBucketPolicy(s.Stack, new("IngestBucketPolicy"), &awss3.CfnBucketPolicyProps{
		Bucket: i.bucket.Ref(), PolicyDocument: policy(overTLS([]string{"s3:*"}, []string{bucket, bucket + "/*"})),
	})
}

// ingesting makes the function that loads what was dropped.
func (s *stage) ingesting(i intake) function {
	objects := func(name string) string { return *i.bucket.AttrArn() + "/*" + name }
	f := s.function(outline{
		name:        stack.Ingest,
		description: "Touchline " + s.settings.Stage + ": loads datasets that are dropped into the bucket",
		memory:      s.settings.IngestMemory,
		timeout:     ingestTimeout,
		storage:     stack.IngestStorage,
		variables:   stack.IngestVariables(),
		values: map[string]*string{
			stack.VariableKeepLoads: new(strconv.Itoa(s.settings.KeepLoadsDays)),
		},
		rights: map[string][]statement{
			"sports": {mayCall(stack.IngestCalls()[stack.VariableSportsTable], s.sports)},
			"drops": {
				{allow: []string{"s3:ListBucket"}, on: []string{*i.bucket.AttrArn()}},
				{allow: []string{"s3:GetObject"}, on: []string{objects("")}},
				{allow: []string{"s3:PutObject"}, on: []string{objects("/" + stack.DropReport)}},
			},
			"queue": {{
				allow: []string{"sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"},
				on:    []string{*i.queue.AttrArn()},
			}},
		},
	})
	suppress(f.role, suppression{
		rule:     "AwsSolutions-IAM5",
		findings: []string{"Resource::<IngestBucket.Arn>/*", "Resource::<IngestBucket.Arn>/*/" + stack.DropReport},
		reason:   "A drop is in a folder that whoever drops it names: the function reads every object of the bucket, which is for nothing else, and writes the report next to them",
	})
	return f
}
