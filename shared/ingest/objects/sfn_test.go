package objects_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/ingest"
	"touchline/shared/ingest/objects"
)

const machine = "arn:aws:states:eu-central-1:123456789012:stateMachine:m"

// call is what Step Functions is asked.
type call struct{ target, kind, body, scope string }

// stepFunctions answers every call with a status and a text.
func stepFunctions(t *testing.T, status int, text string) (*objects.StepFunctions, *call) {
	t.Helper()
	got := &call{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "/")
		_, scope, _ = strings.Cut(scope, "/") // the day
		scope, _, _ = strings.Cut(scope, ",")
		*got = call{r.Header.Get("X-Amz-Target"), r.Header.Get("Content-Type"), string(body), scope}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	s, err := objects.NewStepFunctions(aws.Config{
		Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""), HTTPClient: http.DefaultClient,
		Retryer: func() aws.Retryer { return aws.NopRetryer{} },
	}, server.URL, machine)
	if err != nil {
		t.Fatal(err)
	}
	return s, got
}

func TestAnExecutionIsStarted(t *testing.T) {
	s, got := stepFunctions(t, http.StatusOK, `{"executionArn":"x","startDate":1.7e9}`)
	if err := s.Start(t.Context(), "n-1", []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	want := call{
		"AWSStepFunctions.StartExecution", "application/x-amz-json-1.0",
		`{"input":"{\"a\":1}","name":"n-1","stateMachineArn":"` + machine + `"}`, "eu-central-1/states/aws4_request",
	}
	if diff := cmp.Diff(want, *got, cmp.AllowUnexported(call{})); diff != "" {
		t.Error(diff)
	}
}

func TestAnExecutionIsDescribed(t *testing.T) {
	s, got := stepFunctions(t, http.StatusOK, `{"status":"TIMED_OUT"}`)
	status, err := s.Status(t.Context(), "n-1")
	if err != nil || status != "TIMED_OUT" {
		t.Errorf("%s, %v", status, err)
	}
	want := call{
		"AWSStepFunctions.DescribeExecution", "application/x-amz-json-1.0",
		`{"executionArn":"arn:aws:states:eu-central-1:123456789012:execution:m:n-1"}`, "eu-central-1/states/aws4_request",
	}
	if diff := cmp.Diff(want, *got, cmp.AllowUnexported(call{})); diff != "" {
		t.Error(diff)
	}
}

func TestWhatStepFunctionsRefuses(t *testing.T) {
	s, _ := stepFunctions(t, http.StatusBadRequest, `{"__type":"com.amazonaws.states#ExecutionAlreadyExists","message":"Execution Already Exists"}`)
	if err := s.Start(t.Context(), "n-1", nil); err != nil {
		t.Errorf("an execution that has ended: %v", err)
	}
	s, _ = stepFunctions(t, http.StatusBadRequest, `{"__type":"ExecutionDoesNotExist","message":"no"}`)
	if _, err := s.Status(t.Context(), "n-1"); !errors.Is(err, ingest.ErrNotFound) {
		t.Errorf("an execution that there is not: %v", err)
	}
	s, _ = stepFunctions(t, http.StatusBadRequest, `{"__type":"AccessDeniedException","Message":"not yours"}`)
	if err := s.Start(t.Context(), "n-1", nil); err == nil || !strings.Contains(err.Error(), "AccessDeniedException: not yours") {
		t.Errorf("without the right: %v", err)
	}
	s, _ = stepFunctions(t, http.StatusBadGateway, "<html>")
	if _, err := s.Status(t.Context(), "n-1"); err == nil || !strings.Contains(err.Error(), "502") {
		t.Errorf("through a gateway that is broken: %v", err)
	}
}

func TestAnARNMustBeThatOfAStateMachine(t *testing.T) {
	for _, arn := range []string{"", "m", "arn:aws:sqs:eu-central-1:123456789012:m", "arn:aws:states:eu-central-1:123456789012:execution:m:n"} {
		if _, err := objects.NewStepFunctions(aws.Config{}, "", arn); err == nil {
			t.Errorf("%q is taken", arn)
		}
	}
}
