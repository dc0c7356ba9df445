package objects

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// SQS is the Queue of SQS.
type SQS struct{ Client *sqs.Client }

// NewSQS makes a client for SQS, or for a compatible service at endpoint, if not
// empty.
func NewSQS(config aws.Config, endpoint string) SQS {
	return SQS{sqs.NewFromConfig(config, func(o *sqs.Options) {
		if endpoint != "" {
			o.BaseEndpoint = aws.String(endpoint)
		}
	})}
}

// Delay implements ingest.Queue; queue is the queue's ARN.
func (s SQS) Delay(ctx context.Context, queue, receipt string, d time.Duration) error {
	url, err := queueURL(queue)
	if err != nil {
		return err
	}
	_, err = s.Client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
		QueueUrl: &url, ReceiptHandle: &receipt, VisibilityTimeout: int32(d / time.Second), //nolint:gosec // minutes
	})
	return err
}

// queueURL derives the URL of a queue from its ARN, so that the function does
// not need the right to look it up.
func queueURL(arn string) (string, error) {
	p := strings.Split(arn, ":")
	if len(p) != 6 || p[2] != "sqs" {
		return "", fmt.Errorf("%q is not the ARN of a queue", arn)
	}
	domain := "amazonaws.com"
	if strings.HasPrefix(p[1], "aws-cn") {
		domain += ".cn"
	}
	return fmt.Sprintf("https://sqs.%s.%s/%s/%s", p[3], domain, p[4], p[5]), nil
}
