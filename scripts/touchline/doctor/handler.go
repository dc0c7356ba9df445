package doctor

import (
	"encoding/json"
	"net/http"
	"slices"
)

// Report is the answer of /health.
type Report struct {
	State    State     `json:"state"` // the worst of the findings
	Findings []Finding `json:"findings"`
}

// reportOf sums findings up.
func reportOf(findings []Finding) Report {
	r := Report{OK, findings}
	for _, state := range []State{Warning, Fault} {
		if slices.ContainsFunc(findings, func(f Finding) bool { return f.State == state }) {
			r.State = state
		}
	}
	return r
}

// Handler serves /health, with 503 where something is at fault.
func (b *Box) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		report := reportOf(b.Findings(r.Context()))
		w.Header().Set("Content-Type", "application/json")
		if report.State == Fault {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(report) // the caller may have gone
	})
	return mux
}
