package objects

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"touchline/shared/ingest"
)

// StepFunctions is the Machine of Step Functions. It signs and sends the two calls that
// it makes itself: the SDK's client is 300 KB of a function that may have 16.6 MB, for
// operations that nobody calls. A call is made once: the message of the drop comes
// back after a failure.
type StepFunctions struct {
	config   aws.Config
	endpoint string
	machine  string // ARN
}

// NewStepFunctions makes a client for the state machine with an ARN, at endpoint if
// that is not empty. The error says that the ARN is none.
func NewStepFunctions(config aws.Config, endpoint, machine string) (*StepFunctions, error) {
	p := strings.Split(machine, ":")
	if len(p) != 7 || p[2] != "states" || p[5] != "stateMachine" {
		return nil, fmt.Errorf("%q is not the ARN of a state machine", machine)
	}
	if endpoint == "" {
		endpoint = "https://states." + p[3] + ".amazonaws.com"
		if strings.HasPrefix(p[1], "aws-cn") {
			endpoint += ".cn"
		}
	}
	return &StepFunctions{config, endpoint, machine}, nil
}

// Execution implements ingest.Machine.
func (s *StepFunctions) Execution(name string) string {
	return strings.Replace(s.machine, ":stateMachine:", ":execution:", 1) + ":" + name
}

// Start implements ingest.Machine.
func (s *StepFunctions) Start(ctx context.Context, name string, input []byte) error {
	err := s.call(ctx, "StartExecution", map[string]string{"stateMachineArn": s.machine, "name": name, "input": string(input)}, nil)
	var refused *refusedError
	if errors.As(err, &refused) && refused.code == "ExecutionAlreadyExists" { // it has ended
		return nil
	}
	return err
}

// Status implements ingest.Machine.
func (s *StepFunctions) Status(ctx context.Context, name string) (string, error) {
	var answer struct {
		Status string `json:"status"`
	}
	err := s.call(ctx, "DescribeExecution", map[string]string{"executionArn": s.Execution(name)}, &answer)
	var refused *refusedError
	if errors.As(err, &refused) && refused.code == "ExecutionDoesNotExist" {
		return "", ingest.ErrNotFound
	}
	return answer.Status, err
}

// refusedError is an error that Step Functions answers.
type refusedError struct{ action, code, message string }

// Error is what Step Functions says.
func (e *refusedError) Error() string {
	return fmt.Sprintf("Step Functions, %s: %s: %s", e.action, e.code, e.message)
}

// maxReply bounds what is read of an answer: an execution's input and output are part of
// its description.
const maxReply = 2 << 20

// call makes a call in the protocol AWS JSON 1.0; answer nil: it is not read.
func (s *StepFunctions) call(ctx context.Context, action string, in map[string]string, answer any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint+"/", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "AWSStepFunctions."+action)
	credentials, err := s.config.Credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(body)
	if err := v4.NewSigner().SignHTTP(ctx, credentials, req, hex.EncodeToString(hash[:]), "states", s.config.Region, time.Now()); err != nil {
		return err
	}
	reply, err := s.config.HTTPClient.Do(req)
	if err != nil {
		return fmt.Errorf("Step Functions, %s: %w", action, err) //nolint:staticcheck // a name
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, maxReply))
	if err != nil {
		return fmt.Errorf("Step Functions, %s: %w", action, err) //nolint:staticcheck // a name
	}
	if reply.StatusCode != http.StatusOK {
		refused := struct{ Type, Message string }{}
		_ = json.Unmarshal(text, &struct {
			Type    *string `json:"__type"`
			Message *string `json:"message"`
		}{&refused.Type, &refused.Message}) // else it is from something on the way
		if refused.Type == "" {
			refused.Type = reply.Status
		}
		return &refusedError{action, refused.Type[strings.LastIndex(refused.Type, "#")+1:], refused.Message}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
