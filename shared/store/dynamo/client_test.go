package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/engine/enginetest"
	"touchline/shared/store/dynamo"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestSettingsFindCredentialsAndRegion(t *testing.T) {
	profile := func(region string) func(context.Context) (aws.Config, error) {
		return func(context.Context) (aws.Config, error) {
			return aws.Config{Region: region, Credentials: credentials.NewStaticCredentialsProvider("PROFILE", "s", "")}, nil
		}
	}
	broken := errors.New("no such profile")
	keys := []string{"AWS_ACCESS_KEY_ID", "ENV", "AWS_SECRET_ACCESS_KEY", "s", "AWS_SESSION_TOKEN", "t"}
	cases := []struct {
		name       string
		settings   dynamo.Settings
		id, region string
		err        string
	}{
		{"an engine needs nothing", dynamo.Settings{Endpoint: "http://127.0.0.1:1"}, "touchline", "us-east-1", ""},
		{"an engine gets what there is", dynamo.Settings{Endpoint: "http://127.0.0.1:1", Getenv: environment(append(keys, "AWS_REGION", "eu-west-1")...)}, "ENV", "eu-west-1", ""},
		{"a function's environment", dynamo.Settings{Getenv: environment(append(keys, "AWS_REGION", "eu-west-1")...), Load: profile("other")}, "ENV", "eu-west-1", ""},
		{"the older name of the region", dynamo.Settings{Getenv: environment(append(keys, "AWS_DEFAULT_REGION", "eu-west-2")...)}, "ENV", "eu-west-2", ""},
		{"a region that was said", dynamo.Settings{Region: "eu-north-1", Getenv: environment(append(keys, "AWS_REGION", "eu-west-1")...)}, "ENV", "eu-north-1", ""},
		{"a profile", dynamo.Settings{Load: profile("eu-central-1")}, "PROFILE", "eu-central-1", ""},
		{"a profile, another region", dynamo.Settings{Region: "eu-north-1", Load: profile("eu-central-1")}, "PROFILE", "eu-north-1", ""},
		{"a profile without a region", dynamo.Settings{Load: profile("")}, "", "", "no AWS region"},
		{"a profile that is not there", dynamo.Settings{Load: func(context.Context) (aws.Config, error) { return aws.Config{}, broken }}, "", "", broken.Error()},
		{"nothing", dynamo.Settings{}, "", "", "no AWS credentials"},
		{"no region", dynamo.Settings{Getenv: environment(keys...)}, "", "", "no AWS region"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			db, err := dynamo.NewClient(t.Context(), c.settings)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := db.Options().Credentials.Retrieve(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got.AccessKeyID != c.id || db.Options().Region != c.region {
				t.Errorf("key %s in %s, want %s in %s", got.AccessKeyID, db.Options().Region, c.id, c.region)
			}
		})
	}
}

func TestPingTellsWhatDoesNotAnswer(t *testing.T) {
	db, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := dynamo.Ping(t.Context(), db, "there"); err != nil {
		t.Errorf("an engine that runs: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	endpoint := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: endpoint}); err != nil {
		t.Fatal(err)
	}
	err = dynamo.Ping(t.Context(), db, endpoint)
	if err == nil || !strings.Contains(err.Error(), "no DynamoDB at "+endpoint) {
		t.Errorf("nothing there: %v", err)
	}
	refused := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"__type":"com.amazon.coral.service#AccessDeniedException","message":"not authorized to list"}`) //nolint:errcheck // a test's answer
	}))
	defer refused.Close()
	if db, err = dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: refused.URL}); err != nil {
		t.Fatal(err)
	}
	if err := dynamo.Ping(t.Context(), db, refused.URL); err != nil {
		t.Errorf("tables may not be listed: %v", err)
	}
}

// An engine, or a connection, that breaks off within an answer.
func TestAnAnswerThatBreaksOffIsAskedForAgain(t *testing.T) {
	const whole = `{"TableNames":["Sports"]}`
	broken := map[string]func(http.ResponseWriter){
		"the connection ends": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
			fmt.Fprint(w, whole[:9]) //nolint:errcheck // a test's answer
		},
		"the text ends":    func(w http.ResponseWriter) { fmt.Fprint(w, whole[:9]) },                //nolint:errcheck // a test's answer
		"it is no answer":  func(w http.ResponseWriter) { fmt.Fprint(w, "<html>try later</html>") }, //nolint:errcheck // a test's answer
		"a chunk is short": func(w http.ResponseWriter) { flushAndPanic(w, whole[:9]) },
	}
	for name, answer := range broken {
		t.Run(name, func(t *testing.T) {
			calls := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if calls++; calls == 1 {
					answer(w)
					return
				}
				fmt.Fprint(w, whole) //nolint:errcheck // a test's answer
			}))
			defer server.Close()
			profile := func(context.Context) (aws.Config, error) {
				return aws.Config{Region: "eu-west-1", Credentials: credentials.NewStaticCredentialsProvider("PROFILE", "s", ""), BaseEndpoint: &server.URL}, nil
			}
			for way, settings := range map[string]dynamo.Settings{"an engine": {Endpoint: server.URL}, "a profile": {Load: profile}} {
				calls = 0
				db, err := dynamo.NewClient(t.Context(), settings)
				if err != nil {
					t.Fatal(err)
				}
				got, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{})
				if err != nil || len(got.TableNames) != 1 || calls != 2 {
					t.Errorf("%s: %v, %v after %d calls", way, got, err, calls)
				}
			}
		})
	}
}

// A person waits for the answer.
func TestTheFirstRepetitionsComeSoon(t *testing.T) {
	db, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	for attempt := 1; attempt <= 3; attempt++ {
		longest := 25 * time.Millisecond << (attempt - 1)
		for range 100 {
			pause, err := db.Options().Retryer.RetryDelay(attempt, nil)
			if err != nil || pause <= longest/2 || pause > longest {
				t.Fatalf("after attempt %d a pause of %v, %v: want up to %v", attempt, pause, err, longest)
			}
		}
	}
}

func flushAndPanic(w http.ResponseWriter, part string) {
	fmt.Fprint(w, part) //nolint:errcheck // a test's answer
	if err := http.NewResponseController(w).Flush(); err != nil {
		panic(err)
	}
	panic(http.ErrAbortHandler)
}
