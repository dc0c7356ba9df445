package accesslog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
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
		Lines: &text, Function: "touchline-prod-teams", Stage: "prod", Metrics: true,
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
}

// full is a line in which everything is set, and what was spent.
func full() (*accesslog.Line, *meter.Meter) {
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	_, l, _ := answered()
	spent := &meter.Meter{Now: func() time.Time { return now }}
	spend(spent, &now)
	l.Status, l.Code, l.Reason = 503, "serviceUnavailable", "malformedHeader"
	l.Check, l.RefusedBy = 11, "nonce"
	l.Cold, l.Cause, l.Stack = true, "table nonces: a \"fault\" <&>\n", "goroutine 1"
	var why accesslog.Why
	fill(reflect.ValueOf(&why).Elem())
	why.Word, why.Store = accesslog.StoreFailed, "nonces"
	l.Refuse(why)
	return l, spent
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
	l, spent := full()
	want := *l
	log.Write(l, spent)
	got, err := accesslog.Parse(text.Bytes())
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	want.Level, want.Msg, want.Function, want.Stage, want.StartMicros = "ERROR", "request", "touchline-prod-teams", "prod", 7000
	want.Keys = accesslog.LineUse{Calls: 1, Micros: 1000}
	want.Secrets = accesslog.LineUse{Calls: 1, Micros: 2000, ReadUnits: 0.5, WriteUnits: 1}
	want.Nonces = accesslog.LineUse{Calls: 1, Micros: 3000, ReadUnits: 1, WriteUnits: 2}
	want.Quotas = accesslog.LineUse{Calls: 1, Micros: 4000, ReadUnits: 1.5, WriteUnits: 3}
	want.Sports = accesslog.LineUse{Calls: 1, Hits: 3, Micros: 5000, ReadUnits: 2, WriteUnits: 4}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want.Why != accesslog.StoreFailed || want.Details.Store != "nonces" || !strings.Contains(text.String(), "<&>") {
		t.Errorf("%s", text)
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
	log.Lines = &text
	log.Write(&accesslog.Line{Time: time.Unix(0, 0).UTC(), RequestID: "1", Method: "GET", Status: 204}, nil)
	want := `{"time":"1970-01-01T00:00:00Z","level":"INFO","msg":"request","requestId":"1","method":"GET","status":204,"durationMicros":0}` + "\n"
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
}

func TestAMethodOfTheCallersOwnIsNotShown(t *testing.T) {
	for sent, want := range map[string]string{"GET": "GET", "DELETE": "DELETE", "get": "other", "": "other", "hunter2": "other"} {
		log, text := newLog()
		log.Write(&accesslog.Line{RequestID: "1", Method: sent, Status: 405}, nil)
		if l, err := accesslog.Parse(text.Bytes()); err != nil || l.Method != want {
			t.Errorf("%q: %q, %v", sent, l.Method, err)
		}
	}
}

func TestLinesDoNotMix(t *testing.T) {
	log, text := newLog()
	log.Write(full())
	text.Reset()
	log.Write(&accesslog.Line{RequestID: "2", Method: "GET", Status: 200}, nil)
	l, err := accesslog.Parse(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := accesslog.Line{Level: "INFO", Msg: "request", RequestID: "2", Function: "touchline-prod-teams", Stage: "prod", Method: "GET", Status: 200}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
}

// broken fails as it can.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("the disk is full") }

func TestALogThatFailsEndsNoRequest(t *testing.T) {
	log := &accesslog.Log{Lines: broken{}}
	log.Write(&accesslog.Line{RequestID: "1"}, nil) // returns
	log.Lines = nil
	log.Write(&accesslog.Line{RequestID: "1"}, nil)
}

func TestOthersAreGivenWhatWasWritten(t *testing.T) {
	log, _ := newLog()
	var seen []string
	log.Also = func(l *accesslog.Line) { seen = append(seen, l.RequestID) }
	log.Write(&accesslog.Line{RequestID: "1"}, nil)
	log.Write(&accesslog.Line{RequestID: "2"}, nil)
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

// declared are the constants of a type in a file, in their order.
func declared[T ~string](t *testing.T, name, of string) (values []T) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if id, ok := spec.Type.(*ast.Ident); ok && id.Name == of {
				values = append(values, T(strings.Trim(spec.Values[0].(*ast.BasicLit).Value, `"`)))
			}
		}
		return true
	})
	return values
}

func TestEveryWordAndMetricIsListed(t *testing.T) {
	if diff := cmp.Diff(accesslog.Words(), declared[accesslog.Word](t, "why.go", "Word")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(accesslog.Metrics(), declared[accesslog.Metric](t, "metric.go", "Metric")); diff != "" {
		t.Error(diff)
	}
	const free = 10 // custom metrics of an account
	if n := len(accesslog.Metrics()); n > free {
		t.Errorf("%d metrics, %d are free of charge", n, free)
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
