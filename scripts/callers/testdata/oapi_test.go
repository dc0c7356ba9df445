package callers

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	api "callers/oapi"
)

func TestOapiCodegen(t *testing.T) {
	transport := &canned{}
	client, err := api.NewClientWithResponses("https://api.example.org", api.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	decodes(t, func(operation string, status int) (any, error) {
		method := reflect.ValueOf(client).MethodByName(strings.ToUpper(operation[:1]) + operation[1:] + "WithResponse")
		if !method.IsValid() {
			return nil, fmt.Errorf("no method")
		}
		in := []reflect.Value{reflect.ValueOf(t.Context())}
		for i := 1; i < method.Type().NumIn()-1; i++ {
			parameter := reflect.New(method.Type().In(i)).Elem()
			fill(parameter)
			in = append(in, parameter)
		}
		out := method.Call(in)
		if err, _ := out[1].Interface().(error); err != nil {
			return nil, err
		}
		body := out[0].Elem().FieldByName(fmt.Sprint("JSON", status))
		if !body.IsValid() || body.IsNil() {
			return nil, fmt.Errorf("no body of status %d", status)
		}
		return body.Interface(), nil
	}, transport)
}
