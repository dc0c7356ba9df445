package parts

import (
	"fmt"
	"html/template"
	"time"
)

// Functions are what the templates of every page may call.
func Functions() template.FuncMap {
	return template.FuncMap{
		"stamp":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
		"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"words":   Words,
		"number":  Number,
		"signed":  Signed,
		"share":   Share,
		"left":    func(used, quota int) int { return max(quota-used, 0) },
		"counted": Counted,
		"dict":    dict,
		"add":     func(a, b int) int { return a + b },
		"text":    Text,
	}
}

// dict makes the arguments of a part from names and values in turn.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m
}
