package gateway

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// Handler handles events.
type Handler struct{ adapter *httpadapter.HandlerAdapterV2 }

// New makes a handler whose responses are those of the service.
func New(service http.Handler) *Handler {
	return &Handler{httpadapter.NewV2(asArrived(service))}
}

// Handle handles one event; it is the function for lambda.Start. The error is
// always nil.
func (h *Handler) Handle(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	return h.adapter.ProxyWithContext(ctx, readable(event))
}

// readable is the event in a form of which the adapter always makes a request.
// What the gateway gave as method and path stays in its context, for asArrived.
func readable(event events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPRequest {
	from := &event.RequestContext
	from.HTTP.Path = withoutStage(cmp.Or(event.RawPath, from.HTTP.Path), from.Stage)
	from.DomainName = "" // callers say it in the header Host
	if strings.ContainsFunc(from.HTTP.Method, noLetter) {
		from.HTTP.Method = "UNKNOWN" // is not served either
	}
	event.RawPath = (&url.URL{Path: from.HTTP.Path}).EscapedPath()
	if strings.ContainsFunc(event.RawQueryString, inNoURL) {
		event.RawQueryString = url.QueryEscape(event.RawQueryString)
	}
	event.QueryStringParameters = nil // those of the raw query
	event.IsBase64Encoded = false     // of a body only matters whether there is one
	return event
}

// asArrived gives the service the method, the host and the path that the gateway
// received. The adapter writes methods in capitals and begins each path with a slash.
func asArrived(service http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		from, _ := core.GetAPIGatewayV2ContextFromContext(r.Context())
		r.Method, r.Host, r.URL.RawPath = from.HTTP.Method, r.Header.Get("Host"), from.HTTP.Path
		service.ServeHTTP(w, r)
	}
}

// IDs are what the gateway and Lambda call the request of a context. Without a
// gateway, or Lambda, the id is empty.
func IDs(ctx context.Context) (gateway, invocation string) {
	from, _ := core.GetAPIGatewayV2ContextFromContext(ctx)
	if lambda, ok := lambdacontext.FromContext(ctx); ok {
		invocation = lambda.AwsRequestID
	}
	return from.RequestID, invocation
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

func noLetter(c rune) bool { return (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') }

// inNoURL reports a character with which no query of a URL goes on. No caller can
// send one.
func inNoURL(c rune) bool { return c < ' ' || c == '\x7f' || c == '#' }
