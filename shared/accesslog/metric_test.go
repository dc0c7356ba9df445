package accesslog_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"touchline/shared/accesslog"
)

func TestTheMetricsAreNoMoreThanAreFree(t *testing.T) {
	const free = 10 // custom metrics of an account
	if n := len(accesslog.Metrics()); n > free {
		t.Errorf("%d metrics, %d are free of charge", n, free)
	}
}

func TestEveryMetricIsListedOnce(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "metric.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Metric" {
			return true
		}
		declared++
		name := accesslog.Metric(spec.Names[0].Name)
		if !slices.Contains(accesslog.Metrics(), name) {
			t.Errorf("%s is not listed, or not named like its constant", name)
		}
		return true
	})
	if declared == 0 || declared != len(accesslog.Metrics()) {
		t.Errorf("%d metrics are declared, %d listed", declared, len(accesslog.Metrics()))
	}
}
