package callers

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	api "callers/ogen"
)

// signer stands for the four headers, which the document cannot describe.
type signer struct{}

func (signer) Key(context.Context, api.OperationName) (api.Key, error) {
	return api.Key{APIKey: "k"}, nil
}
func (signer) Nonce(context.Context, api.OperationName) (api.Nonce, error) {
	return api.Nonce{APIKey: "n"}, nil
}
func (signer) Signature(context.Context, api.OperationName) (api.Signature, error) {
	return api.Signature{APIKey: "s"}, nil
}
func (signer) Timestamp(context.Context, api.OperationName) (api.Timestamp, error) {
	return api.Timestamp{APIKey: "1"}, nil
}

func TestOgen(t *testing.T) {
	transport := &canned{}
	client, err := api.NewClient("https://api.example.org", signer{}, api.WithClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	decodes(t, func(operation string, status int) (any, error) {
		method := reflect.ValueOf(client).MethodByName(strings.ToUpper(operation[:1]) + operation[1:])
		if !method.IsValid() {
			return nil, fmt.Errorf("no method")
		}
		in := []reflect.Value{reflect.ValueOf(t.Context())}
		if method.Type().NumIn() > 1 {
			params := reflect.New(method.Type().In(1)).Elem()
			fill(params)
			in = append(in, params)
		}
		out := method.Call(in)
		if err, _ := out[1].Interface().(error); err != nil {
			return nil, err
		}
		reply := out[0].Elem().Elem()
		if response := reply.FieldByName("Response"); response.IsValid() {
			reply = response
		}
		return reply.Addr().Interface(), nil
	}, transport)
}
