package awsjson

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Service is a service in a region.
type Service struct {
	Name    string // that requests are signed for, and of its host: "kms"
	Target  string // what the names of operations begin with: "TrentService"
	Version string // of the protocol, "1.0" or "1.1"
	// Config has the region, the credentials, the HTTP client and the retryer; without
	// one the calls are repeated as often as the SDK's are.
	Config aws.Config
	// Endpoint is the URL of a compatible service; empty: AWS's in the region.
	Endpoint string
}

// maxResponse bounds what is read of a response, in bytes.
const maxResponse = 2 << 20

// Call calls an operation: in is its input and out its output, as encoding/json
// writes and reads them; out nil: the output is not read. A refusal is a
// smithy.APIError; a call without a response, and one whose response is not JSON,
// is repeated like the SDK's, then fails.
func (s *Service) Call(ctx context.Context, operation string, in, out any) error {
	body, err := json.Marshal(in)
	if err == nil {
		err = s.repeated(ctx, operation, body, out)
	}
	if err != nil {
		return &smithy.OperationError{ServiceID: s.Name, OperationName: operation, Err: err}
	}
	return nil
}

func (s *Service) repeated(ctx context.Context, operation string, body []byte, out any) error {
	request, err := s.request(operation, body)
	if err != nil {
		return err
	}
	retryer := aws.Retryer(retry.NewStandard())
	if s.Config.Retryer != nil {
		retryer = s.Config.Retryer()
	}
	attempts := retry.NewAttemptMiddleware(retryer, smithyhttp.RequestCloner)
	once := func(ctx context.Context, in middleware.FinalizeInput) (o middleware.FinalizeOutput, m middleware.Metadata, err error) {
		return o, m, s.once(ctx, in.Request.(*smithyhttp.Request), body, out) //nolint:forcetypeassert // RequestCloner's
	}
	_, _, err = attempts.HandleFinalize(ctx, middleware.FinalizeInput{Request: request}, middleware.FinalizeHandlerFunc(once))
	return err
}

// request is that of a call, unsigned.
func (s *Service) request(operation string, body []byte) (*smithyhttp.Request, error) {
	endpoint := s.Endpoint
	if endpoint == "" {
		endpoint = "https://" + Host(s.Name, s.Config.Region)
	}
	sent, err := http.NewRequest(http.MethodPost, strings.TrimSuffix(endpoint, "/")+"/", http.NoBody) //nolint:noctx // Build sets it
	if err != nil {
		return nil, err
	}
	r := smithyhttp.NewStackRequest().(*smithyhttp.Request) //nolint:forcetypeassert // it is one
	r.Request = sent
	r.ContentLength = int64(len(body))
	r.Header.Set("Content-Type", "application/x-amz-json-"+s.Version)
	r.Header.Set("X-Amz-Target", s.Target+"."+operation)
	return r.SetStream(bytes.NewReader(body))
}

// Host is the host of a service in a region. Its domain is that of the region's
// partition.
func Host(name, region string) string {
	host := name + "." + region + "."
	for _, partition := range [...]struct{ regions, domain string }{
		{"cn-", "amazonaws.com.cn"}, {"eusc-", "amazonaws.eu"},
		{"us-iso-", "c2s.ic.gov"}, {"us-isob-", "sc2s.sgov.gov"}, {"us-isof-", "csp.hci.ic.gov"}, {"eu-isoe-", "cloud.adc-e.uk"},
	} {
		if strings.HasPrefix(region, partition.regions) {
			return host + partition.domain
		}
	}
	return host + "amazonaws.com"
}

// once signs and sends the request, and reads the response.
func (s *Service) once(ctx context.Context, r *smithyhttp.Request, body []byte, out any) error {
	credentials, err := s.Config.Credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	request, hash := r.Build(ctx), sha256.Sum256(body)
	if err := v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(hash[:]), s.Name, s.Config.Region, time.Now()); err != nil {
		return err
	}
	response, err := s.Config.HTTPClient.Do(request)
	if err != nil {
		return &smithyhttp.RequestSendError{Err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxResponse))
	switch {
	case err != nil:
		return &smithy.DeserializationError{Err: err}
	case response.StatusCode != http.StatusOK:
		return &smithyhttp.ResponseError{Response: &smithyhttp.Response{Response: response}, Err: refusal(response, text)}
	case out == nil:
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &smithy.DeserializationError{Err: err}
	}
	return nil
}

// refusal is the error that a response tells. What is no response of the service,
// but of something on the way to it, has the status as its code.
func refusal(response *http.Response, text []byte) *smithy.GenericAPIError {
	said := struct {
		Type    string `json:"__type"`
		Message string `json:"message"` // "Message", too
	}{}
	_ = json.Unmarshal(text, &said) // what is no JSON says nothing
	code := cmp.Or(said.Type, response.Header.Get("X-Amzn-ErrorType"))
	code = code[strings.LastIndex(code, "#")+1:]
	code, _, _ = strings.Cut(code, ":")
	return &smithy.GenericAPIError{Code: cmp.Or(code, response.Status), Message: said.Message}
}
