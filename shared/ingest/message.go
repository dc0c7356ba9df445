package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/shared/accesslog"
	"touchline/shared/awsjson"
)

// Queue is the queue that messages come from.
type Queue interface {
	// Delay makes a message that is being processed visible again after d.
	Delay(ctx context.Context, queue, receipt string, d time.Duration) error
}

// Receiver passes the messages of a queue to a Worker.
type Receiver struct {
	Worker *Worker
	Queue  Queue
}

// Handle is the function for lambda.Start. Its response says which messages go
// back to the queue. It is an error for an event that is not of a queue alone: an error
// would send all messages back.
func (r *Receiver) Handle(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
	response := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
	if len(event.Records) == 0 {
		return response, errors.New("the event has no Records: want messages of the queue, as events/ingest has them")
	}
	for _, m := range event.Records {
		if r.message(ctx, m) {
			response.BatchItemFailures = append(response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
		}
	}
	return response, nil
}

// message loads the drops that a message announces, and reports whether it goes
// back to the queue. A message that is not from a bucket never does.
func (r *Receiver) message(ctx context.Context, m events.SQSMessage) (again bool) {
	received, err := strconv.Atoi(m.Attributes["ApproximateReceiveCount"])
	if err != nil || received < 1 {
		received = 1
	}
	var notice struct {
		Records []json.RawMessage // from S3
		Event   string            // of the bucket's test, which has none
	}
	err = json.Unmarshal([]byte(m.Body), &notice)
	if err == nil && len(notice.Records) == 0 && notice.Event != "s3:TestEvent" {
		err = errors.New("it has no Records")
	}
	if err != nil {
		r.refuse(ctx, m, err)
		return false
	}
	wait := time.Duration(0)
	for _, raw := range notice.Records {
		var record events.S3EventRecord
		if err := json.Unmarshal(raw, &record); err != nil {
			r.refuse(ctx, m, err)
			continue
		}
		d, ok := dropOf(record.S3.Bucket.Name, record.S3.Object.URLDecodedKey)
		if !ok {
			r.Worker.Log.LogAttrs(ctx, slog.LevelInfo, "not a drop", slog.String("key", record.S3.Object.URLDecodedKey))
			continue
		}
		back, after := r.Worker.Load(ctx, d, received)
		again, wait = again || back, max(wait, after)
	}
	if again {
		r.delay(ctx, m, wait)
	}
	return again
}

// refuse logs a message that is not understood.
func (r *Receiver) refuse(ctx context.Context, m events.SQSMessage, err error) {
	w := r.Worker
	r.Worker.Log.LogAttrs(ctx, slog.LevelError, "not a message from a bucket",
		append(accesslog.Count(w.Now(), w.Stage, accesslog.IngestFailures),
			slog.String("message", m.MessageId), slog.String("cause", err.Error()))...)
}

// pause is how long a message waits after the n-th receive: 15 seconds, doubled each
// time up to 15 minutes, so that Receives of them outlast a failure of six hours.
func pause(n int) time.Duration {
	const first, longest = 15 * time.Second, 15 * time.Minute
	return min(first<<min(max(n-1, 0), 10), longest)
}

// delay sends the message back. If that fails it comes back by itself, after the
// visibility timeout of the queue.
func (r *Receiver) delay(ctx context.Context, m events.SQSMessage, d time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endBefore/4)
	defer cancel()
	if err := r.Queue.Delay(ctx, m.EventSourceARN, m.ReceiptHandle, d); err != nil {
		r.Worker.Log.LogAttrs(ctx, slog.LevelWarn, "the message could not be sent back", slog.String("cause", err.Error()))
	}
}

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
