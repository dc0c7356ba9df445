package main

import (
	"strings"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

func TestResponsesAreJudged(t *testing.T) {
	tests := map[string]struct {
		code                   uint16
		body, fault            string
		served, failed, wrongs int
	}{
		"right":                   {200, `{}`, "", 1, 0, 0},
		"wrong":                   {200, `{}`, "differs", 1, 0, 1},
		"no response":             {0, "", "", 0, 1, 0},
		"documented":              {503, `{"error":{"code":"serviceUnavailable"}}`, "", 0, 1, 0},
		"data":                    {500, `{"error":{"code":"internalError"}}`, "", 0, 1, 0},
		"of something in between": {502, `<html>`, "", 0, 0, 1},
		"another code":            {503, `{"error":{"code":"rateLimited"}}`, "", 0, 0, 1},
		"refused":                 {401, `{"error":{"code":"unauthorized"}}`, "", 0, 0, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got tally
			got.take(&vegeta.Result{Code: tt.code, Body: []byte(tt.body)}, tt.fault)
			if got.served != tt.served || got.failed != tt.failed || got.wrongs != tt.wrongs || len(got.wrong) != tt.wrongs {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestTheVerdict(t *testing.T) {
	steady := make([]int64, 100)
	for i := range steady {
		steady[i] = 50 << 20
	}
	grown := append(append([]int64{}, steady[:80]...), steady...)
	for i := len(grown) - 40; i < len(grown); i++ {
		grown[i] = 60 << 20
	}
	tests := map[string]struct {
		tally tally
		want  string // in the error; empty: none
	}{
		"good":             {tally{served: 10, charged: 10, rss: steady}, ""},
		"undecided":        {tally{served: 10, failed: 2, charged: 11, rss: steady}, ""},
		"wrong":            {tally{served: 10, charged: 10, wrongs: 1}, "neither right"},
		"charged twice":    {tally{served: 10, failed: 2, charged: 13}, "were charged"},
		"free":             {tally{served: 10, charged: 9}, "9 charged"},
		"nothing served":   {tally{failed: 3}, "no request was served"},
		"memory that grew": {tally{served: 10, charged: 10, rss: grown}, "memory grew from 50 to 60 MB"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := tt.tally.verdict()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestAScoreIsOneOfTheLastSeconds(t *testing.T) {
	start := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	var s scores
	s.begin(0, at(0))(at(1))
	s.begin(1, at(10))(at(11))
	s.begin(2, at(20)) // under way
	const age = 15 * time.Second
	for name, tt := range map[string]struct {
		body           string
		asked, arrived int
		good           bool
	}{
		"now":              {`{"data":{"match":{"score":{"home":1,"away":0}}}}`, 12, 12, true},
		"of before":        {`{"data":{"match":{"score":{"home":0,"away":0}}}}`, 25, 25, true},
		"too old":          {`{"data":{"match":{"score":{"home":0,"away":0}}}}`, 32, 32, false},
		"as it is written": {`{"data":{"match":{"score":{"home":2,"away":0}}}}`, 19, 21, true},
		"of the future":    {`{"data":{"match":{"score":{"home":2,"away":0}}}}`, 18, 19, false},
		"of nobody":        {`{"data":{"match":{"score":{"home":3,"away":0}}}}`, 21, 21, false},
		"none":             {`{"data":{}}`, 21, 21, false},
	} {
		if fault := s.check([]byte(tt.body), at(tt.asked), at(tt.arrived), age); (fault == "") != tt.good {
			t.Errorf("%s: %q", name, fault)
		}
	}
}
