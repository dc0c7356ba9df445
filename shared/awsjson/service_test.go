package awsjson_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/smithy-go"

	"touchline/shared/awsjson"
)

// config tries a call three times, without pauses.
func config() aws.Config {
	return aws.Config{
		Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("AKIAEXAMPLE", "the secret", ""), HTTPClient: http.DefaultClient,
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		},
	}
}

type response struct {
	status int
	body   string
	broken bool // off before its end
}

// server gives each call the next of the responses, and records the calls.
func server(t *testing.T, responses ...response) (url string, calls *[]string) {
	t.Helper()
	calls = new([]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || int64(len(body)) != r.ContentLength {
			t.Errorf("%d bytes of %d: %v", len(body), r.ContentLength, err)
		}
		*calls = append(*calls, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type")+" "+r.Header.Get("X-Amz-Target")+" "+string(body))
		to := responses[min(len(*calls), len(responses))-1]
		if to.broken {
			w.Header().Set("Content-Length", "1000")
		}
		w.WriteHeader(to.status)
		_, _ = io.WriteString(w, to.body)
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

type output struct{ A int }

func call(t *testing.T, url string) (output, error) {
	t.Helper()
	s := &awsjson.Service{Name: "things", Target: "Things", Version: "1.1", Config: config(), Endpoint: url}
	var out output
	err := s.Call(t.Context(), "Do", map[string]string{"b": "ä"}, &out)
	return out, err
}

func TestACallIsRepeatedLikeTheSDKs(t *testing.T) {
	served := response{status: http.StatusOK, body: `{"A":1}`}
	busy := response{status: http.StatusBadRequest, body: `{"__type":"ThrottlingException","message":"slow down"}`}
	broken := response{status: http.StatusServiceUnavailable, body: "<html>"}
	for name, test := range map[string]struct {
		responses []response
		calls     int
		code      string // of the error
	}{
		"served":                   {[]response{served}, 1, ""},
		"busy, then served":        {[]response{busy, served}, 2, ""},
		"broken, busy, served":     {[]response{broken, busy, served}, 3, ""},
		"busy":                     {[]response{busy}, 3, "ThrottlingException"},
		"broken":                   {[]response{broken}, 3, "503 Service Unavailable"},
		"refused":                  {[]response{{status: http.StatusBadRequest, body: `{"__type":"com.things#NotYoursException:http://things","Message":"no"}`}}, 1, "NotYoursException"},
		"refused, says nobody why": {[]response{{status: http.StatusForbidden, body: "<html>"}}, 1, "403 Forbidden"},
	} {
		t.Run(name, func(t *testing.T) {
			url, calls := server(t, test.responses...)
			out, err := call(t, url)
			if test.code == "" && (err != nil || out.A != 1) {
				t.Errorf("%+v, %v", out, err)
			}
			var refused smithy.APIError
			if test.code != "" && (!errors.As(err, &refused) || refused.ErrorCode() != test.code) {
				t.Errorf("got %v", err)
			}
			if len(*calls) != test.calls {
				t.Errorf("called %d times", len(*calls))
			}
			for _, c := range *calls {
				if want := `POST / application/x-amz-json-1.1 Things.Do {"b":"ä"}`; c != want {
					t.Errorf("asked %s", c)
				}
			}
		})
	}
}

func TestAResponseThatCannotBeReadIsNone(t *testing.T) {
	for name, r := range map[string]response{
		"breaks off":  {http.StatusOK, `{"A":1}`, true},
		"is not JSON": {http.StatusOK, "<html>", false},
		"is too long": {http.StatusOK, `{"A":1,"b":"` + strings.Repeat("x", 2<<20) + `"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := server(t, r)
			var unread *smithy.DeserializationError
			if _, err := call(t, url); !errors.As(err, &unread) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNobodyResponds(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	_, err := call(t, s.URL)
	var tried *retry.MaxAttemptsError
	if !errors.As(err, &tried) || tried.Attempt != 3 {
		t.Errorf("got %v", err)
	}
	if strings.Contains(fmt.Sprintf("%v %+v", err, err), "the secret") {
		t.Errorf("the error says the secret: %v", err)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	url, calls := server(t, response{status: http.StatusOK, body: "{}"})
	s := &awsjson.Service{Name: "things", Target: "Things", Version: "1.0", Config: config(), Endpoint: url}
	if err := s.Call(ctx, "Do", struct{}{}, nil); !errors.Is(err, context.Canceled) || len(*calls) > 0 {
		t.Errorf("%d calls, %v", len(*calls), err)
	}
}

// TestHostsAreTheSDKs in the partitions that it knows.
func TestHostsAreTheSDKs(t *testing.T) {
	for _, region := range []string{
		"eu-central-1", "us-gov-west-1", "cn-north-1", "eusc-de-east-1", "us-iso-east-1", "us-isob-east-1", "us-isof-south-1", "eu-isoe-west-1", "mx-central-1",
	} {
		ofKMS, err := kms.NewDefaultEndpointResolverV2().ResolveEndpoint(t.Context(), kms.EndpointParameters{Region: &region})
		if err != nil {
			t.Fatal(err)
		}
		if got := awsjson.Host("kms", region); got != ofKMS.URI.Host {
			t.Errorf("%s, the SDK's is %s", got, ofKMS.URI.Host)
		}
	}
}
