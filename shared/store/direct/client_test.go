package direct_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"touchline/shared/store/direct"
)

type httpClient func(*http.Request) (*http.Response, error)

func (f httpClient) Do(r *http.Request) (*http.Response, error) { return f(r) }

// clients are the SDK's client, which tries a call three times, and ours on one
// like it.
func clients(over dynamodb.HTTPClient, token string, change ...func(*dynamodb.Options)) (sdk *dynamodb.Client, ours *direct.Client) {
	make := func() *dynamodb.Client {
		return dynamodb.New(dynamodb.Options{
			Region: "eu-central-1", HTTPClient: over,
			Credentials: credentials.NewStaticCredentialsProvider("AKIAEXAMPLE", "a secret", token),
			Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			}),
		}, change...)
	}
	return make(), direct.New(make())
}

// database is what both clients can do.
type database interface {
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
}

type item = map[string]types.AttributeValue

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

const odd = "<ä\u2028\"\\\x01\n\U0001F3C9>"

// calls are those of a request, with all that they may say.
func calls() map[string]func(context.Context, database, ...func(*dynamodb.Options)) (any, error) {
	total := types.ReturnConsumedCapacityTotal
	return map[string]func(context.Context, database, ...func(*dynamodb.Options)) (any, error){
		"PutItem": func(ctx context.Context, db database, o ...func(*dynamodb.Options)) (any, error) {
			return db.PutItem(ctx, &dynamodb.PutItemInput{
				TableName: aws.String("nonces"), Item: item{"pk": text(odd), "n": &types.AttributeValueMemberN{Value: "12"}},
				ConditionExpression: aws.String("attribute_not_exists(pk)"), ExpressionAttributeValues: item{":a": text("b")}, ReturnValues: types.ReturnValueAllOld,
				ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld, ReturnConsumedCapacity: total,
			}, o...)
		},
		"UpdateItem": func(ctx context.Context, db database, o ...func(*dynamodb.Options)) (any, error) {
			return db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: aws.String("quotas"), Key: item{"pk": text("x")}, UpdateExpression: aws.String("ADD used :one"),
				ConditionExpression: aws.String("used < :limit"), ExpressionAttributeValues: item{":limit": &types.AttributeValueMemberN{Value: "9"}},
				ReturnValues: types.ReturnValueAllNew, ReturnConsumedCapacity: total,
			}, o...)
		},
		"GetItem": func(ctx context.Context, db database, o ...func(*dynamodb.Options)) (any, error) {
			return db.GetItem(ctx, &dynamodb.GetItemInput{
				TableName: aws.String("keys"), Key: item{"pk": text("x")}, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: total,
			}, o...)
		},
		"BatchGetItem": func(ctx context.Context, db database, o ...func(*dynamodb.Options)) (any, error) {
			return db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{"sports": {
					ConsistentRead: aws.Bool(false), Keys: []item{{"pk": text("a"), "sk": text(odd)}, {"pk": text("b")}},
				}},
				ReturnConsumedCapacity: total,
			}, o...)
		},
	}
}

// sent is what a client sends for a call.
func sent(t *testing.T, db func(dynamodb.HTTPClient) database, call func(context.Context, database, ...func(*dynamodb.Options)) (any, error)) (*http.Request, string) {
	t.Helper()
	var first *http.Request
	var body string
	_, err := call(t.Context(), db(httpClient(func(r *http.Request) (*http.Response, error) {
		text, err := io.ReadAll(r.Body)
		if first == nil {
			first, body = r, string(text)
		}
		return nil, errors.Join(err, io.ErrUnexpectedEOF)
	})))
	if err == nil || first == nil {
		t.Fatalf("nothing is sent: %v", err)
	}
	return first, body
}

func TestRequestsAreThoseOfTheSDK(t *testing.T) {
	for name, call := range calls() {
		for _, token := range []string{"", "a token"} {
			t.Run(name+" "+token, func(t *testing.T) {
				want, wantBody := sent(t, func(h dynamodb.HTTPClient) database { sdk, _ := clients(h, token); return sdk }, call)
				got, gotBody := sent(t, func(h dynamodb.HTTPClient) database { _, ours := clients(h, token); return ours }, call)
				if got.Method != want.Method || got.URL.String() != want.URL.String() || got.ContentLength != want.ContentLength || got.ContentLength != int64(len(gotBody)) {
					t.Errorf("%s %s, %d bytes; want %s %s, %d", got.Method, got.URL, got.ContentLength, want.Method, want.URL, want.ContentLength)
				}
				var g, w any
				if err := errors.Join(json.Unmarshal([]byte(gotBody), &g), json.Unmarshal([]byte(wantBody), &w)); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(w, g); diff != "" {
					t.Error(diff)
				}
				ofTheAttempt := cmpopts.IgnoreMapEntries(func(name string, _ []string) bool {
					return strings.HasPrefix(name, "Amz-Sdk-") || name == "User-Agent" || name == "Authorization" || name == "X-Amz-Date"
				})
				if diff := cmp.Diff(want.Header, got.Header, ofTheAttempt); diff != "" {
					t.Error(diff)
				}
				signedAsTheSDKSigns(t, got, gotBody, token)
			})
		}
	}
}

// signedAsTheSDKSigns signs a request once more, by the SDK's signer.
func signedAsTheSDKSigns(t *testing.T, r *http.Request, body, token string) {
	t.Helper()
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(body))
	again := r.Clone(t.Context())
	again.Header.Del("Authorization")
	err = v4.NewSigner().SignHTTP(t.Context(), aws.Credentials{AccessKeyID: "AKIAEXAMPLE", SecretAccessKey: "a secret", SessionToken: token},
		again, hex.EncodeToString(sum[:]), "dynamodb", "eu-central-1", at)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again.Header, r.Header); diff != "" {
		t.Error(diff)
	}
}

// outcome is a response, or a failure of the connection.
type outcome struct {
	status int
	header http.Header
	body   string
	breaks bool  // the body breaks off
	err    error // in place of a response
}

func (o outcome) response(r *http.Request) (*http.Response, error) {
	if o.err != nil {
		return nil, o.err
	}
	header := http.Header{"Content-Type": {"application/x-amz-json-1.0"}}
	for name, values := range o.header {
		header[name] = values
	}
	response := &http.Response{
		StatusCode: o.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(strings.NewReader(o.body)), ContentLength: int64(len(o.body)), Request: r,
	}
	if o.breaks {
		response.ContentLength++
		response.Body = io.NopCloser(io.MultiReader(strings.NewReader(o.body), brokenOff{}))
	}
	return response, nil
}

type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func refusal(status int, code, more string) outcome {
	return outcome{status: status, body: `{"__type":"com.amazonaws.dynamodb.v20120810#` + code + `","message":"no"` + more + `}`}
}

// good is a success of each call.
var good = map[string]string{
	"PutItem":      `{"ConsumedCapacity":{"CapacityUnits":1.0,"TableName":"nonces"}}`,
	"UpdateItem":   `{"Attributes":{"used":{"N":"3"},"pk":{"S":"x"}},"ConsumedCapacity":{"CapacityUnits":1,"TableName":"quotas"}}`,
	"GetItem":      `{"Item":{"pk":{"S":"x"},"sealed":{"B":"AAEC"},"ok":{"BOOL":true},"no":{"NULL":true}},"ConsumedCapacity":{"CapacityUnits":0.5,"TableName":"keys"}}`,
	"BatchGetItem": `{"Responses":{"sports":[{"pk":{"S":"a"},"l":{"L":[{"N":"1"},{"M":{"x":{"S":"\u00e4\ud83c\udfc9"}}}]}}]},"UnprocessedKeys":{},"ConsumedCapacity":[{"CapacityUnits":1.5,"TableName":"sports"}]}`,
}

// outcomes are what may come of a first attempt.
func outcomes(call string) map[string]outcome {
	sum := func(of string) http.Header {
		return http.Header{"X-Amz-Crc32": {strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(of))), 10)}}
	}
	all := map[string]outcome{
		"a success":                     {status: 200, body: good[call]},
		"a success with its checksum":   {status: 200, body: good[call], header: sum(good[call])},
		"a checksum of something else":  {status: 200, body: good[call], header: sum("else")},
		"a success in other words":      {status: 200, body: strings.ReplaceAll(good[call], `{"CapacityUnits"`, "{ \"GlobalSecondaryIndexes\" :\n{},\"CapacityUnits\"")},
		"a success with more":           {status: 200, body: strings.TrimSuffix(good[call], "}") + `,"New":[1,null,{"a":true}]}`},
		"a success with nothing":        {status: 200, body: "{}"},
		"an empty body":                 {status: 200},
		"no JSON":                       {status: 200, body: "<html>"},
		"half of a body":                {status: 200, body: good[call][:len(good[call])/2]},
		"a body that breaks off":        {status: 200, body: good[call][:len(good[call])/2], breaks: true},
		"a whole body that breaks off":  {status: 200, body: good[call], breaks: true},
		"a value of an unknown kind":    {status: 200, body: `{"Item":{"a":{"X":"b"}},"Attributes":{"a":{"X":"b"}},"Responses":{"a":[{"a":{"X":"a"}}]}}`},
		"a number that is none":         {status: 200, body: `{"ConsumedCapacity":{"CapacityUnits":"many"}}`},
		"a success that created":        {status: 201, body: good[call]},
		"a redirection":                 {status: 307, header: http.Header{"Location": {"http://elsewhere.example"}}},
		"a condition that failed":       refusal(400, "ConditionalCheckFailedException", `,"Item":{"pk":{"S":"x"},"requestId":{"S":"r"}}`),
		"a table that is not there":     refusal(400, "ResourceNotFoundException", ""),
		"a wrong parameter":             refusal(400, "ValidationException", ""),
		"no right to do this":           refusal(400, "AccessDeniedException", ""),
		"a key that has expired":        refusal(400, "ExpiredTokenException", ""),
		"a clock that is wrong":         {status: 400, body: refusal(400, "InvalidSignatureException", "").body, header: http.Header{"Date": {"Mon, 02 Jan 2006 15:04:05 GMT"}}},
		"too much for the table":        refusal(400, "ProvisionedThroughputExceededException", ""),
		"too much":                      refusal(400, "ThrottlingException", ""),
		"a fault of DynamoDB's":         refusal(500, "InternalServerError", ""),
		"an overload":                   {status: 503, body: "<html>"},
		"a connection that broke":       {err: io.ErrUnexpectedEOF},
		"a request that took too long":  {err: context.DeadlineExceeded},
		"something that is not retried": {err: context.Canceled},
	}
	return all
}

// judged is what a caller learns, and what it cost.
type judged struct {
	Out      any
	Error    string
	Kind     string
	Status   int
	Refused  item // the item of a condition that failed
	Requests int
}

// judge makes a call, of which the first attempt has an outcome. The others
// succeed.
func judge(t *testing.T, name string, first outcome, ours bool, options ...func(*dynamodb.Options)) judged {
	t.Helper()
	var j judged
	sdk, own := clients(httpClient(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				t.Error(err)
			}
		}
		if j.Requests++; j.Requests == 1 {
			return first.response(r)
		}
		return outcome{status: 200, body: good[name]}.response(r)
	}), "")
	var db database = sdk
	if ours {
		db = own
	}
	out, err := calls()[name](t.Context(), db, options...)
	if err != nil {
		j.Error = strings.Split(err.Error(), ", RequestID")[0]
		if refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
			j.Refused = refused.Item
		}
		if refused, ok := errors.AsType[smithy.APIError](err); ok {
			j.Kind = fmt.Sprintf("%T %s", refused, refused.ErrorCode())
		}
		if refused, ok := errors.AsType[*smithyhttp.ResponseError](err); ok {
			j.Status = refused.HTTPStatusCode()
		}
		return j
	}
	j.Out = out
	return j
}

// outputs compares what calls return, but for where it came from.
var outputs = cmp.Options{
	cmpopts.IgnoreFields(dynamodb.PutItemOutput{}, "ResultMetadata"), cmpopts.IgnoreFields(dynamodb.UpdateItemOutput{}, "ResultMetadata"),
	cmpopts.IgnoreFields(dynamodb.GetItemOutput{}, "ResultMetadata"), cmpopts.IgnoreFields(dynamodb.BatchGetItemOutput{}, "ResultMetadata"),
	cmpopts.IgnoreUnexported(
		dynamodb.PutItemOutput{}, dynamodb.UpdateItemOutput{}, dynamodb.GetItemOutput{}, dynamodb.BatchGetItemOutput{}, types.ConsumedCapacity{}, types.Capacity{},
		types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{}, types.AttributeValueMemberBOOL{},
		types.AttributeValueMemberNULL{}, types.AttributeValueMemberM{}, types.AttributeValueMemberL{}, types.UnknownUnionMember{},
	),
}

// TestItEndsAsWithTheSDK compares what comes of every outcome, where calls are
// repeated and where they are not.
func TestItEndsAsWithTheSDK(t *testing.T) {
	once := func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }
	for name := range calls() {
		for what, first := range outcomes(name) {
			for repeated, options := range map[string][]func(*dynamodb.Options){"repeated": nil, "once": {once}} {
				t.Run(name+" "+what+" "+repeated, func(t *testing.T) {
					want, got := judge(t, name, first, false, options...), judge(t, name, first, true, options...)
					if diff := cmp.Diff(want, got, outputs); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}

func TestASuccessNeedsNoSDK(t *testing.T) {
	for name, call := range calls() {
		_, ours := clients(httpClient(func(r *http.Request) (*http.Response, error) {
			return outcome{status: 200, body: good[name]}.response(r)
		}), "")
		if _, err := call(t.Context(), ours, func(*dynamodb.Options) { t.Errorf("%s asks the SDK", name) }); err != nil {
			t.Error(err)
		}
	}
}

// TestWhatIsNotEncodedIsTheSDKs looks at who sends it.
func TestWhatIsNotEncodedIsTheSDKs(t *testing.T) {
	tests := map[string]func(database) error{
		"names": func(db database) error {
			_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("t"), Item: item{"pk": text("x")}, ExpressionAttributeNames: map[string]string{"#a": "b"}})
			return err
		},
		"another kind of value": func(db database) error {
			_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("t"), Item: item{"pk": &types.AttributeValueMemberB{Value: []byte("x")}}})
			return err
		},
		"a projection": func(db database) error {
			_, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("t"), Key: item{"pk": text("x")}, ProjectionExpression: aws.String("a")})
			return err
		},
		"a projection of many": func(db database) error {
			_, err := db.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
				"t": {Keys: []item{{"pk": text("x")}}, ProjectionExpression: aws.String("a")},
			}})
			return err
		},
		"an item of its own": func(db database) error {
			_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
				TableName: aws.String("t"), Key: item{"pk": text("x")}, ReturnItemCollectionMetrics: types.ReturnItemCollectionMetricsSize,
			})
			return err
		},
	}
	for name, call := range tests {
		t.Run(name, func(t *testing.T) {
			var agent string
			_, ours := clients(httpClient(func(r *http.Request) (*http.Response, error) {
				agent = r.Header.Get("User-Agent")
				return outcome{status: 200, body: "{}"}.response(r)
			}), "")
			if err := call(ours); err != nil {
				t.Error(err)
			}
			if !strings.Contains(agent, "aws-sdk-go") {
				t.Errorf("sent by %q", agent)
			}
		})
	}
}

func TestWhatIsMissingIsRefusedBySDK(t *testing.T) {
	_, ours := clients(httpClient(func(*http.Request) (*http.Response, error) { return nil, errors.New("it was sent") }), "")
	_, noItem := ours.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("t")})
	_, noTable := ours.GetItem(t.Context(), &dynamodb.GetItemInput{Key: item{"pk": text("x")}})
	_, nothing := ours.UpdateItem(t.Context(), nil)
	for _, err := range []error{noItem, noTable, nothing} {
		if _, ok := errors.AsType[smithy.InvalidParamsError](err); !ok {
			if err == nil || !strings.Contains(err.Error(), "missing required field") {
				t.Errorf("%v", err)
			}
		}
	}
}

// TestOverARealConnection counts what arrives: one request in one piece.
func TestOverARealConnection(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if body, err := io.ReadAll(r.Body); err != nil || int64(len(body)) != r.ContentLength {
			t.Errorf("%d bytes of %d, %v", len(body), r.ContentLength, err)
		}
		_, _ = io.WriteString(w, good["PutItem"])
	}))
	defer server.Close()
	_, ours := clients(server.Client(), "", func(o *dynamodb.Options) { o.BaseEndpoint = aws.String(server.URL) })
	for range 3 {
		out, err := calls()["PutItem"](t.Context(), ours)
		if put, ok := out.(*dynamodb.PutItemOutput); err != nil || !ok || *put.ConsumedCapacity.CapacityUnits != 1 {
			t.Errorf("%+v, %v", out, err)
		}
	}
	if requests != 3 {
		t.Errorf("%d requests", requests)
	}
}
