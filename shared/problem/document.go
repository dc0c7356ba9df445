package problem

import (
	"bytes"
	"encoding/json"
)

// Document is the body of a refusal.
type Document struct {
	Error Body `json:"error"`
}

// Body is the object under error (read-api, Errors).
type Body struct {
	Code       Code     `json:"code"`
	Message    string   `json:"message"`
	Reason     string   `json:"reason,omitempty"`
	Details    *Details `json:"details,omitempty"`
	RetryAfter int      `json:"retryAfter,omitempty"` // seconds
}

// Document returns the body for the caller.
func (e *Error) Document() Document {
	d := e.Code.define()
	return Document{Body{
		Code: d.code, Message: d.message,
		Reason: e.Reason, Details: e.Details, RetryAfter: e.RetryAfter,
	}}
}

// JSON is the document, UTF-8 without HTML escaping and without a line feed at
// its end (D32). A field name that is not valid UTF-8 is written with U+FFFD.
func (e *Error) JSON() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e.Document()); err != nil {
		// Strings, integers and string slices: nothing here can fail to encode.
		return []byte(`{"error":{"code":"internalError","message":"Internal error"}}`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
