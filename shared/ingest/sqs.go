package ingest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/shared/awsjson"
)

// SQS is the Queue of SQS.
type SQS struct{ service *awsjson.Service }

// NewSQS makes a client for SQS, or for a compatible service at endpoint, if not
// empty.
func NewSQS(config aws.Config, endpoint string) SQS {
	return SQS{&awsjson.Service{Name: "sqs", Target: "AmazonSQS", Version: "1.0", Config: config, Endpoint: endpoint}}
}

// Delay implements ingest.Queue; queue is the queue's ARN.
func (s SQS) Delay(ctx context.Context, queue, receipt string, d time.Duration) error {
	url, err := queueURL(queue)
	if err != nil {
		return err
	}
	return s.service.Call(ctx, "ChangeMessageVisibility", struct {
		QueueURL          string `json:"QueueUrl"`
		ReceiptHandle     string
		VisibilityTimeout int // seconds
	}{url, receipt, int(d / time.Second)}, nil)
}

// queueURL derives the URL of a queue from its ARN, so that the function does
// not need the right to look it up.
func queueURL(arn string) (string, error) {
	p := strings.Split(arn, ":")
	if len(p) != 6 || p[2] != "sqs" {
		return "", fmt.Errorf("%q is not the ARN of a queue", arn)
	}
	return "https://" + awsjson.Host("sqs", p[3]) + "/" + p[4] + "/" + p[5], nil
}
