package direct

import (
	"bytes"
	"context"
	"hash/crc32"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithyauth "github.com/aws/smithy-go/auth"
)

// Client is a client of DynamoDB. It is safe for concurrent use.
type Client struct {
	*dynamodb.Client // every other call

	http        dynamodb.HTTPClient
	credentials aws.CredentialsProvider
	endpoint    *url.URL // nil: all calls are the SDK's
	signer      signer
}

// New makes a client of the SDK's, which it calls like.
func New(sdk *dynamodb.Client) *Client {
	o := sdk.Options()
	return &Client{
		Client: sdk, http: o.HTTPClient, credentials: o.Credentials,
		endpoint: endpointOf(o), signer: signer{region: o.Region},
	}
}

// endpointOf is where the SDK sends calls to. It is nil where the address has a path or
// depends on the call.
func endpointOf(o dynamodb.Options) *url.URL {
	if o.Credentials == nil || len(o.APIOptions) > 0 || o.EndpointResolverV2 == nil {
		return nil
	}
	found, err := o.EndpointResolverV2.ResolveEndpoint(context.Background(), dynamodb.EndpointParameters{
		Region: aws.String(o.Region), Endpoint: o.BaseEndpoint,
		UseDualStack: aws.Bool(o.EndpointOptions.UseDualStackEndpoint == aws.DualStackEndpointStateEnabled),
		UseFIPS:      aws.Bool(o.EndpointOptions.UseFIPSEndpoint == aws.FIPSEndpointStateEnabled),
	})
	if err != nil {
		return nil
	}
	u := found.URI
	signedOtherwise, _ := smithyauth.GetAuthOptions(&found.Properties)
	port := u.Port()
	if u.Path != "" && u.Path != "/" || u.RawQuery != "" || port == "80" || port == "443" || len(found.Headers) > 0 || len(signedOtherwise) > 0 {
		return nil
	}
	u.Path = "/"
	return &u
}

// PutItem puts an item.
func (c *Client) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return call(ctx, c, "PutItem", in, putMembers, decodePut, c.Client.PutItem, options)
}

// UpdateItem changes an item.
func (c *Client) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return call(ctx, c, "UpdateItem", in, updateMembers, decodeUpdate, c.Client.UpdateItem, options)
}

// GetItem reads an item.
func (c *Client) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return call(ctx, c, "GetItem", in, getMembers, decodeGet, c.Client.GetItem, options)
}

// BatchGetItem reads items.
func (c *Client) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return call(ctx, c, "BatchGetItem", in, batchGetMembers, decodeBatchGet, c.Client.BatchGetItem, options)
}

// call makes a call, whose body has members at most; decode reads the body of a response,
// or fails the parser.
func call[In, Out any](
	ctx context.Context, c *Client, operation string, in *In,
	members []string, decode func(*parser) *Out,
	sdk func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), options []func(*dynamodb.Options),
) (*Out, error) {
	if c.endpoint == nil || in == nil {
		return sdk(ctx, in, options...)
	}
	body, encoded := encode(*in, members)
	if !encoded {
		return sdk(ctx, in, options...)
	}
	request := c.request(ctx, operation, body)
	if request == nil {
		return sdk(ctx, in, options...)
	}
	tried := c.try(request)
	if tried.succeeded() {
		p := parser{text: tried.body}
		if out := decode(&p); p.done() {
			return out, nil
		}
	}
	// After the others, any of which may choose the client that goes on.
	return sdk(ctx, in, append(options[:len(options):len(options)], tried.asFirst)...)
}

// The headers of a request, in the form that net/http has them in.
const (
	headerTarget   = "X-Amz-Target"
	headerDate     = "X-Amz-Date"
	headerSession  = "X-Amz-Security-Token"
	headerChecksum = "X-Amz-Crc32"

	contentType = "application/x-amz-json-1.0"
	service     = "DynamoDB_20120810."
	// agent names the caller in the logs of AWS.
	agent = "touchline"
)

// request is a call, signed; nil without credentials.
func (c *Client) request(ctx context.Context, operation string, body []byte) *http.Request {
	credentials, err := c.credentials.Retrieve(ctx)
	if err != nil || credentials.AccountID != "" { // an account may have an endpoint of its own
		return nil
	}
	s := signed{host: c.endpoint.Host, target: service + operation, body: body, at: time.Now().UTC()}
	header := http.Header{
		"Accept-Encoding": {identity},
		"Content-Type":    {contentType},
		"User-Agent":      {agent},
		headerTarget:      {s.target},
		headerDate:        {s.at.Format(dateFormat)},
		"Authorization":   {c.signer.authorization(credentials, s)},
	}
	if credentials.SessionToken != "" {
		header[headerSession] = []string{credentials.SessionToken}
	}
	request := &http.Request{
		Method: http.MethodPost, URL: c.endpoint, Host: c.endpoint.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: memory(body), ContentLength: int64(len(body)),
		// net/http sends a request again, by this, over another connection where
		// nothing of it went over the first.
		GetBody: func() (io.ReadCloser, error) { return memory(body), nil },
	}
	return request.WithContext(ctx)
}

// memory is a body of a type that net/http knows to be in memory: it sends it in
// one write with the headers.
func memory(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }

// attempt is what came of sending a request.
type attempt struct {
	response *http.Response
	body     []byte
	broken   error // the body broke off
	err      error // there is no response
}

func (c *Client) try(request *http.Request) *attempt {
	response, err := c.http.Do(request)
	if err != nil {
		return &attempt{err: err}
	}
	defer response.Body.Close() // it was read, or given up
	body := bytes.NewBuffer(make([]byte, 0, min(max(response.ContentLength, 0), maxExpected)+bytes.MinRead))
	_, broken := body.ReadFrom(response.Body)
	return &attempt{response: response, body: body.Bytes(), broken: broken}
}

// maxExpected is the length of a response, in bytes, for which memory is taken
// before it has come: 16 MB is the longest that DynamoDB sends.
const maxExpected = 17 << 20

// succeeded reports whether the response is a success that arrived as it was
// sent.
func (a *attempt) succeeded() bool {
	if a.err != nil || a.broken != nil || a.response.StatusCode != http.StatusOK || a.response.Header.Get("Content-Encoding") != "" {
		return false
	}
	sum := a.response.Header.Get(headerChecksum)
	return sum == "" || sum == strconv.FormatUint(uint64(crc32.ChecksumIEEE(a.body)), 10)
}

// asFirst is the option by which the SDK takes the attempt for its first.
func (a *attempt) asFirst(o *dynamodb.Options) { o.HTTPClient = &replay{a, o.HTTPClient} }

// replay answers the first request with what came of an attempt, and sends the
// others.
type replay struct {
	first *attempt // nil: it was given
	next  dynamodb.HTTPClient
}

// Do implements dynamodb.HTTPClient. The SDK makes one attempt after the other.
func (r *replay) Do(request *http.Request) (*http.Response, error) {
	first := r.first
	if first == nil {
		return r.next.Do(request)
	}
	r.first = nil
	if first.err != nil {
		return nil, first.err
	}
	response := *first.response
	var body io.Reader = bytes.NewReader(first.body)
	if first.broken != nil {
		body = io.MultiReader(body, broken{first.broken})
	}
	response.Body = io.NopCloser(body)
	return &response, nil
}

// broken is the rest of a body that broke off.
type broken struct{ err error }

// Read implements io.Reader.
func (b broken) Read([]byte) (int, error) { return 0, b.err }
