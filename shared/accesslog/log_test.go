package accesslog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/meter"
)

// newLog writes to the buffer as a function on AWS does.
func newLog() (*accesslog.Log, *bytes.Buffer) {
	var text bytes.Buffer
	return &accesslog.Log{
		Logger: slog.New(slog.NewJSONHandler(&text, nil)), Function: "touchline-prod-teams", Stage: "prod", Metrics: true,
		Start: 7 * time.Millisecond,
	}, &text
}

// spend asks every store for something.
func spend(s *meter.Meter, now *time.Time) {
	ctx := meter.With(context.Background(), s)
	for i, store := range meter.Stores() {
		call := meter.Begin(ctx, store)
		*now = now.Add(time.Duration(i+1) * time.Millisecond)
		meter.Units(ctx, store, float64(i)/2, float64(i))
		call.End(1)
	}
	meter.Hit(ctx, meter.Sports, 3)
	meter.Begin(ctx, meter.Sports)
}

// full is an entry in which everything is set.
func full() *accesslog.Entry {
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	_, e := answered()
	e.Spent = &meter.Meter{Now: func() time.Time { return now }}
	spend(e.Spent, &now)
	e.Status, e.Code, e.Reason = 503, "serviceUnavailable", "malformedHeader"
	e.Check = accesslog.Check{Number: 11, Name: "nonce"}
	e.Dropped, e.Cold, e.Cause, e.Stack = "data", true, "table nonces: a \"fault\"\n", "goroutine 1"
	e.Why = accesslog.Why{Word: accesslog.StoreFailed}
	fill(reflect.ValueOf(&e.Why).Elem())
	e.Why.Word, e.Why.Store = accesslog.StoreFailed, "nonces"
	return e
}

// fill sets each field to something of its own.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(v.Type().Field(i).Name)
		default:
			f.SetInt(int64(i))
		}
	}
}

func TestALineIsReadBackAsItWasWritten(t *testing.T) {
	log, text := newLog()
	e := full()
	log.Write(e)
	got, err := accesslog.Parse(text.Bytes())
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	details := e.Why
	details.Word = ""
	want := accesslog.Line{
		Time: e.At, Level: "ERROR", Msg: "request", RequestID: e.RequestID, GatewayRequestID: e.GatewayRequestID,
		LambdaRequestID: e.LambdaRequestID, Function: "touchline-prod-teams", Stage: "prod", Method: "GET", Route: e.Route,
		KeyID: e.KeyID, Organization: e.Organization, Status: 503, Code: e.Code, Reason: e.Reason, Check: 11, RefusedBy: "nonce",
		Why: accesslog.StoreFailed, Details: details, DurationMicros: 12345, Bytes: 2048, Dropped: "data",
		Keys:    accesslog.LineUse{Calls: 1, Micros: 1000},
		Secrets: accesslog.LineUse{Calls: 1, Micros: 2000, ReadUnits: 0.5, WriteUnits: 1},
		Nonces:  accesslog.LineUse{Calls: 1, Micros: 3000, ReadUnits: 1, WriteUnits: 2},
		Quotas:  accesslog.LineUse{Calls: 1, Micros: 4000, ReadUnits: 1.5, WriteUnits: 3},
		Sports:  accesslog.LineUse{Calls: 1, Open: 1, Hits: 3, Micros: 5000, ReadUnits: 2, WriteUnits: 4},
		Cold:    true, StartMicros: 7000, Cause: e.Cause, Stack: e.Stack,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEveryFieldIsInThePackageComment(t *testing.T) {
	log, text := newLog()
	log.Write(full())
	var line map[string]json.RawMessage
	if err := json.Unmarshal(text.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for name := range line {
		if slices.Contains(accesslog.Metrics(), accesslog.Metric(name)) {
			continue
		}
		found := false
		for described := range strings.Lines(string(doc)) {
			names, isField := strings.CutPrefix(described, "//\t")
			found = found || isField && slices.Contains(strings.FieldsFunc(names, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }), name)
		}
		if !found {
			t.Errorf("%s is not described", name)
		}
	}
}

func TestNothingToSayIsLeftOut(t *testing.T) {
	log := &accesslog.Log{}
	var text bytes.Buffer
	log.Logger = slog.New(slog.NewJSONHandler(&text, nil))
	log.Write(&accesslog.Entry{At: time.Unix(0, 0).UTC(), RequestID: "1", Method: "GET", Status: 204})
	want := `{"time":"1970-01-01T00:00:00Z","level":"INFO","msg":"request","requestId":"1","method":"GET","status":204,"durationMicros":0}` + "\n"
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
}

func TestAMethodOfTheCallersOwnIsNotShown(t *testing.T) {
	for sent, want := range map[string]string{"GET": "GET", "DELETE": "DELETE", "get": "other", "": "other", "hunter2": "other"} {
		log, text := newLog()
		log.Write(&accesslog.Entry{RequestID: "1", Method: sent, Status: 405})
		if l, err := accesslog.Parse(text.Bytes()); err != nil || l.Method != want {
			t.Errorf("%q: %q, %v", sent, l.Method, err)
		}
	}
}

func TestLinesDoNotMix(t *testing.T) {
	log, text := newLog()
	log.Write(full())
	text.Reset()
	log.Write(&accesslog.Entry{RequestID: "2", Method: "GET", Status: 200})
	l, err := accesslog.Parse(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := accesslog.Line{Level: "INFO", Msg: "request", RequestID: "2", Function: "touchline-prod-teams", Stage: "prod", Method: "GET", Status: 200}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
}

// broken is a handler that fails as it can.
type broken struct{ slog.Handler }

func (broken) Enabled(context.Context, slog.Level) bool { return true }

func (broken) Handle(context.Context, slog.Record) error { panic("the disk is full") }

func TestALogThatFailsEndsNoRequest(t *testing.T) {
	log := &accesslog.Log{Logger: slog.New(broken{})}
	log.Write(&accesslog.Entry{RequestID: "1"}) // returns
	log.Logger = nil
	log.Write(&accesslog.Entry{RequestID: "1"})
}

func TestOthersAreGivenWhatWasWritten(t *testing.T) {
	log, _ := newLog()
	var seen []string
	log.Also = func(e *accesslog.Entry) { seen = append(seen, e.RequestID) }
	log.Write(&accesslog.Entry{RequestID: "1"})
	log.Write(&accesslog.Entry{RequestID: "2"})
	if diff := cmp.Diff([]string{"1", "2"}, seen); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoLineOfARequest(t *testing.T) {
	for _, text := range []string{"", "{", "null", "[]", "START RequestId: 1", `{"msg":"request"}`, `{"msg":"the function is not configured","requestId":"1"}`,
		`{"msg":"request","requestId":"1","status":"x"}`, `{"time":"2026-03-14T15:09:26Z","msg":"request","requestId":"1","sta`} {
		if l, err := accesslog.Parse([]byte(text)); !errors.Is(err, accesslog.ErrNoLine) {
			t.Errorf("%q: %+v, %v", text, l, err)
		}
	}
}

func TestEveryWordIsListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "why.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []accesslog.Word
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if id, ok := spec.Type.(*ast.Ident); ok && id.Name == "Word" {
				value := spec.Values[0].(*ast.BasicLit).Value
				declared = append(declared, accesslog.Word(value[1:len(value)-1]))
			}
		}
		return true
	})
	if diff := cmp.Diff(accesslog.Words(), declared); diff != "" {
		t.Error(diff)
	}
}

func FuzzParse(f *testing.F) {
	log, text := newLog()
	log.Write(full())
	f.Add(text.Bytes())
	f.Add([]byte(`{"msg":"request","requestId":"1"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if l, err := accesslog.Parse(line); err == nil && l.RequestID == "" {
			t.Error("a line without a request")
		}
	})
}
