package objects

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/smithy-go"

	"touchline/shared/awsjson"
	"touchline/shared/ingest"
)

// StepFunctions is the Machine of Step Functions.
type StepFunctions struct {
	service *awsjson.Service
	machine string // ARN
}

// NewStepFunctions makes a client for the state machine with an ARN, at endpoint if
// that is not empty. The error says that the ARN is malformed.
func NewStepFunctions(config aws.Config, endpoint, machine string) (*StepFunctions, error) {
	p := strings.Split(machine, ":")
	if len(p) != 7 || p[2] != "states" || p[5] != "stateMachine" {
		return nil, fmt.Errorf("%q is not the ARN of a state machine", machine)
	}
	config.Region = p[3]
	return &StepFunctions{&awsjson.Service{Name: "states", Target: "AWSStepFunctions", Version: "1.0", Config: config, Endpoint: endpoint}, machine}, nil
}

// Execution implements ingest.Machine.
func (s *StepFunctions) Execution(name string) string {
	return strings.Replace(s.machine, ":stateMachine:", ":execution:", 1) + ":" + name
}

// Start implements ingest.Machine.
func (s *StepFunctions) Start(ctx context.Context, name string, input []byte) error {
	in := map[string]string{"stateMachineArn": s.machine, "name": name, "input": string(input)}
	err := s.service.Call(ctx, "StartExecution", in, nil)
	if refused(err, "ExecutionAlreadyExists") { // it has ended
		return nil
	}
	return err
}

// Status implements ingest.Machine.
func (s *StepFunctions) Status(ctx context.Context, name string) (string, error) {
	out := struct {
		Status string `json:"status"`
	}{}
	err := s.service.Call(ctx, "DescribeExecution", map[string]string{"executionArn": s.Execution(name)}, &out)
	if refused(err, "ExecutionDoesNotExist") {
		return "", ingest.ErrNotFound
	}
	return out.Status, err
}

// refused reports whether a service says this.
func refused(err error, code string) bool {
	var said smithy.APIError
	return errors.As(err, &said) && said.ErrorCode() == code
}
