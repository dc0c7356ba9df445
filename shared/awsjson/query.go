package awsjson

import (
	"context"
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"

	"github.com/aws/smithy-go"
)

// typeOfForm is the content type of the query protocol.
const typeOfForm = "application/x-www-form-urlencoded"

// Query calls an operation of a service that has the query protocol, such as SNS: in
// is its input, and Version is that of the service's interface. The output is not
// read. Errors are those of Call.
func (s *Service) Query(ctx context.Context, operation string, in url.Values) error {
	form := maps.Clone(in)
	form.Set("Action", operation)
	form.Set("Version", s.Version)
	if err := s.repeated(ctx, "", typeOfForm, []byte(form.Encode()), nil, queryRefusal); err != nil {
		return &smithy.OperationError{ServiceID: s.Name, OperationName: operation, Err: err}
	}
	return nil
}

// queryRefusal reads what a service that has the query protocol refuses with. Only
// functions that call Query carry the decoder of XML.
func queryRefusal(_ http.Header, text []byte) (code, message string) {
	var said struct {
		Code    string `xml:"Error>Code"`
		Message string `xml:"Error>Message"`
	}
	_ = xml.Unmarshal(text, &said) // what is no response of the service says nothing
	return said.Code, said.Message
}
