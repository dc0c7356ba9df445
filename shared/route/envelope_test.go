package route_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/route"
)

func TestEnvelopes(t *testing.T) {
	type item struct {
		ID string `json:"id"`
	}
	type tree struct {
		route.Data[item]
		Truncated bool `json:"truncated,omitempty"`
	}
	page := func(page json.Number, limit int) route.Paging { return route.Paging{Page: page, Limit: limit} }
	tests := []struct {
		name  string
		reply any
		want  string
	}{
		{"single", route.Data[item]{Data: item{"a"}}, `{"data":{"id":"a"}}`},
		{"single with more fields", tree{route.Data[item]{Data: item{"a"}}, true}, `{"data":{"id":"a"},"truncated":true}`},
		{"no items are an empty array", route.NewList[item](nil, page("1", 25), 0), `{"data":[],"page":1,"limit":25,"total":0,"hasMore":false}`},
		{"more pages", route.NewList([]item{{"a"}}, page("1", 1), 2), `{"data":[{"id":"a"}],"page":1,"limit":1,"total":2,"hasMore":true}`},
		{"the last page", route.NewList([]item{{"b"}}, page("2", 1), 2), `{"data":[{"id":"b"}],"page":2,"limit":1,"total":2,"hasMore":false}`},
		{"a page far out", route.NewList[item](nil, page("999999999", 100), 2), `{"data":[],"page":999999999,"limit":100,"total":2,"hasMore":false}`},
		{"a page of more digits than an integer has", route.NewList[item](nil, page("18446744073709551617", 100), 2), `{"data":[],"page":18446744073709551617,"limit":100,"total":2,"hasMore":false}`},
		{"neither competition nor meta", route.ListIn[item, item]{List: route.NewList[item](nil, page("1", 25), 0)}, `{"data":[],"page":1,"limit":25,"total":0,"hasMore":false}`},
		{"competition and meta", route.ListIn[item, item]{
			List: route.NewList[item](nil, page("1", 25), 0), Competition: &item{"c"},
			Meta: &route.Meta{Kind: "club", Truncated: true, CompetitionsIncluded: 20},
		}, `{"data":[],"page":1,"limit":25,"total":0,"hasMore":false,"competition":{"id":"c"},"meta":{"kind":"club","truncated":true,"competitionsIncluded":20}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(tt.reply)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
