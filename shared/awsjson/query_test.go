package awsjson_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/smithy-go"

	"touchline/shared/awsjson"
)

// TestQuerySendsAForm: signed, without the header of AWS JSON; what the service
// refuses with is read from XML, and what may pass is tried again.
func TestQuerySendsAForm(t *testing.T) {
	asked, status, answer := 0, http.StatusOK, ""
	var form url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		form = r.PostForm
		if !strings.Contains(r.Header.Get("Authorization"), "/eu-central-1/sns/aws4_request") || r.Header.Get("X-Amz-Target") != "" {
			t.Errorf("%v", r.Header)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	s := &awsjson.Service{Name: "sns", Version: "2010-03-31", Config: config(), Endpoint: server.URL}
	call := func() error {
		return s.Query(context.Background(), "Publish", url.Values{"TopicArn": {"arn:x"}, "Message": {"a&b=ü"}})
	}
	if err := call(); err != nil || asked != 1 || form.Encode() != "Action=Publish&Message=a%26b%3D%C3%BC&TopicArn=arn%3Ax&Version=2010-03-31" {
		t.Errorf("%v, asked %d times, %s", err, asked, form.Encode())
	}
	for _, tt := range []struct {
		status int
		answer string
		code   string
		asked  int
	}{
		{403, `<ErrorResponse><Error><Type>Sender</Type><Code>AuthorizationError</Code><Message>no right</Message></Error></ErrorResponse>`, "AuthorizationError", 1},
		{503, `<html>busy</html>`, "503 Service Unavailable", 3},
	} {
		asked, status, answer = 0, tt.status, tt.answer
		var said smithy.APIError
		if err := call(); !errors.As(err, &said) || said.ErrorCode() != tt.code || asked != tt.asked {
			t.Errorf("%v, asked %d times", err, asked)
		}
	}
}
