package gateway

import (
	"context"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"touchline/shared/pipeline"
)

// Handler answers events.
type Handler struct {
	pipeline *pipeline.Pipeline
	adapter  *httpadapter.HandlerAdapterV2
}

// New makes a handler that answers with p.
func New(p *pipeline.Pipeline) *Handler {
	return &Handler{pipeline: p, adapter: httpadapter.NewV2(http.HandlerFunc(serve))}
}

// Handle answers one event; it is what lambda.Start is given. The error is
// always nil.
func (h *Handler) Handle(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	x := h.pipeline.Receive(facts(ctx, event))
	defer x.Finish() // whatever answers
	if answer, done := x.Screen(); done {
		return response(answer), nil
	}
	answer, err := h.adapter.ProxyWithContext(context.WithValue(ctx, exchangeKey{}, x), blank())
	if err != nil {
		return response(x.Fail(err)), nil
	}
	return answer, nil
}

// exchangeKey is the context's key of the *pipeline.Exchange.
type exchangeKey struct{}

// blank is the event for the adapter.
func blank() events.APIGatewayV2HTTPRequest {
	return events.APIGatewayV2HTTPRequest{
		RawPath: "/",
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: "localhost",
			HTTP:       events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: http.MethodGet},
		},
	}
}

// serve answers the exchange in the request's context.
func serve(w http.ResponseWriter, r *http.Request) {
	answer := r.Context().Value(exchangeKey{}).(*pipeline.Exchange).Serve(r.Context())
	for _, header := range answer.Headers {
		w.Header()[header.Name] = []string{header.Value}
	}
	w.WriteHeader(answer.Status)
	if len(answer.Body) > 0 {
		_, _ = w.Write(answer.Body) // into memory
	}
}

// response is an answer as payload format 2.0 has it.
func response(answer pipeline.Response) events.APIGatewayV2HTTPResponse {
	r := events.APIGatewayV2HTTPResponse{
		StatusCode: answer.Status,
		Headers:    make(map[string]string, len(answer.Headers)),
		Body:       string(answer.Body),
		Cookies:    []string{},
	}
	for _, header := range answer.Headers {
		r.Headers[header.Name] = header.Value
	}
	return r
}

// facts are what an event says about its request, and its context about the
// invocation.
func facts(ctx context.Context, event events.APIGatewayV2HTTPRequest) pipeline.Request {
	from := event.RequestContext
	path := event.RawPath
	if path == "" {
		path = from.HTTP.Path
	}
	invocation := ""
	if lambda, ok := lambdacontext.FromContext(ctx); ok {
		invocation = lambda.AwsRequestID
	}
	return pipeline.Request{
		Method:   from.HTTP.Method,
		Path:     withoutStage(path, from.Stage),
		Query:    event.RawQueryString,
		Headers:  lowerCase(event.Headers),
		HasBody:  event.Body != "", // in base64 or not
		SourceIP: from.HTTP.SourceIP,

		GatewayID: from.RequestID, InvocationID: invocation,
	}
}

// withoutStage takes the name of the stage off a path, which begins with it
// unless the stage is $default. What is signed begins at /v1 (read-api,
// Canonical string), so that a stage is part of the service's address. Behind a
// domain of its own the path has no stage, and may begin with /v1 by itself.
func withoutStage(path, stage string) string {
	if stage == "" || stage == "$default" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, "/"+stage); ok && strings.HasPrefix(rest, "/v1/") {
		return rest
	}
	return path
}

// lowerCase gives the headers by lower-case name, as a gateway sends them; only
// an event made by hand has others. Names that differ in case alone are repeats.
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
