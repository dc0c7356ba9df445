package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"touchline/shared/accesslog"
)

// Handle is the function for lambda.Start. Its response says which messages go
// back to the queue. It is an error for an event that is not of a queue alone: an error
// would send all messages back.
func (w *Worker) Handle(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
	response := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
	if len(event.Records) == 0 {
		return response, errors.New("the event has no Records: want messages of the queue, as events/ingest has them")
	}
	for _, m := range event.Records {
		if w.message(ctx, m) {
			response.BatchItemFailures = append(response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
		}
	}
	return response, nil
}

// message loads the drops that a message announces, and reports whether it goes
// back to the queue. A message that is not from a bucket never does.
func (w *Worker) message(ctx context.Context, m events.SQSMessage) (again bool) {
	var notice struct {
		Records []events.S3EventRecord
		Event   string // of the bucket's test, which has no records
	}
	err := json.Unmarshal([]byte(m.Body), &notice)
	if err == nil && len(notice.Records) == 0 && notice.Event != "s3:TestEvent" {
		err = errors.New("it has no Records")
	}
	if err != nil {
		w.Log.LogAttrs(ctx, slog.LevelError, "not a message from a bucket",
			append(accesslog.Count(w.Now(), w.Stage, accesslog.IngestFailures),
				slog.String("message", m.MessageId), slog.String("cause", err.Error()))...)
		return false
	}
	for _, record := range notice.Records {
		if d, ok := dropOf(record.S3.Bucket.Name, record.S3.Object.URLDecodedKey); ok {
			again = w.load(ctx, d) || again
		} else {
			w.Log.LogAttrs(ctx, slog.LevelInfo, "not a drop", slog.String("key", record.S3.Object.URLDecodedKey))
		}
	}
	return again
}
