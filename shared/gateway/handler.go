package gateway

import (
	"cmp"
	"context"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"touchline/shared/pipeline"
)

// Handler handles events.
type Handler struct{ pipeline *pipeline.Pipeline }

// New makes a handler that serves with p.
func New(p *pipeline.Pipeline) *Handler {
	return &Handler{p}
}

// Handle handles one event; it is the function for lambda.Start. The error is
// always nil.
func (h *Handler) Handle(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	return response(h.pipeline.Serve(ctx, facts(ctx, event))), nil
}

// response is a response in payload format 2.0.
func response(from pipeline.Response) events.APIGatewayV2HTTPResponse {
	r := events.APIGatewayV2HTTPResponse{
		StatusCode: from.Status,
		Headers:    make(map[string]string, len(from.Headers)),
		Cookies:    []string{},
	}
	if utf8.Valid(from.Body) {
		r.Body = string(from.Body)
	} else { // compressed
		r.Body, r.IsBase64Encoded = base64.StdEncoding.EncodeToString(from.Body), true
	}
	for _, header := range from.Headers {
		r.Headers[header.Name] = header.Value
	}
	return r
}

// facts are what the event says about its request, and the context about the
// invocation.
func facts(ctx context.Context, event events.APIGatewayV2HTTPRequest) pipeline.Request {
	from := event.RequestContext
	invocation := ""
	if lambda, ok := lambdacontext.FromContext(ctx); ok {
		invocation = lambda.AwsRequestID
	}
	return pipeline.Request{
		Method:   from.HTTP.Method,
		Path:     withoutStage(cmp.Or(event.RawPath, from.HTTP.Path), from.Stage),
		Query:    event.RawQueryString,
		Headers:  lowerCase(event.Headers),
		HasBody:  event.Body != "", // whether in base64 or not
		SourceIP: from.HTTP.SourceIP,

		GatewayID: from.RequestID, InvocationID: invocation,
	}
}

// withoutStage removes the name of the stage from a path, which begins with it
// unless the stage is $default. The stage is part of the service's address: what
// is signed begins at /v1 (read-api, Canonical string). With a custom domain the
// path has no stage, and may begin with /v1 itself.
func withoutStage(path, stage string) string {
	if stage == "" || stage == "$default" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, "/"+stage); ok && strings.HasPrefix(rest, "/v1/") {
		return rest
	}
	return path
}

// lowerCase returns the headers by lower-case name, as a gateway sends them;
// only events made by hand have others. Names that differ in case only are
// repeats.
func lowerCase(headers map[string]string) pipeline.Headers {
	clean := true
	for name := range headers {
		clean = clean && !strings.ContainsFunc(name, isUpper)
	}
	if clean {
		return headers
	}
	lower := make(pipeline.Headers, len(headers))
	for name, value := range headers {
		name = strings.ToLower(name)
		if other, repeated := lower[name]; repeated {
			value = other + "," + value
		}
		lower[name] = value
	}
	return lower
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
