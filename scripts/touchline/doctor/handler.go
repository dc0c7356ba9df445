package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// ask gets the report of a serve at the address that it was started with.
func ask(ctx context.Context, url string) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*lookLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/health", nil)
	if err != nil {
		return Report{}, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return Report{}, fmt.Errorf("%s does not answer: %w", url, err)
	}
	defer resp.Body.Close()
	var r Report
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&r); err != nil || r.Findings == nil {
		return Report{}, fmt.Errorf("%s answers with %s, and no report", url, resp.Status)
	}
	return r, nil
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
