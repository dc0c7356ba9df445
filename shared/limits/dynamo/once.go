package dynamo

import (
	"errors"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

const (
	// attempts is how often an increment is tried where no try was applied.
	attempts = 3
	// longestPause bounds the wait between two tries; the caller is waiting too.
	longestPause = 50 * time.Millisecond
)

// onceApplied is the option of a call whose write must not be applied twice. It
// replaces the client's retries by ones that only follow a failure which proves
// that nothing was applied. net/http repeats no POST that it has begun to send.
func onceApplied(o *dynamodb.Options) {
	o.Retryer = retry.NewStandard(func(r *retry.StandardOptions) {
		r.MaxAttempts = attempts
		r.Backoff = retry.NewExponentialJitterBackoff(longestPause)
		r.Retryables = []retry.IsErrorRetryable{retry.IsErrorRetryableFunc(notApplied)}
	})
}

// mayBeApplied reports whether a write that failed may have been applied all the
// same: not where DynamoDB has refused it, or there was no connection.
func mayBeApplied(err error) bool {
	var answer *smithyhttp.ResponseError
	if errors.As(err, &answer) && answer.HTTPStatusCode() >= 400 && answer.HTTPStatusCode() < 500 {
		return false
	}
	return notApplied(err) != aws.TrueTernary
}

// notApplied reports whether a failure proves that a write was not applied:
// there was no connection to send it over, or DynamoDB throttled it. All
// others, a 5xx included, leave that open.
func notApplied(err error) aws.Ternary {
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		return aws.TrueTernary
	}
	var refusal smithy.APIError
	if errors.As(err, &refusal) {
		switch refusal.ErrorCode() {
		case "ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded":
			return aws.TrueTernary
		}
	}
	return aws.FalseTernary
}
