package scripts

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
)

// A parameter that is decoded and then forgotten changes no response: each has to be
// in a request of a script that is answered with data, whose body shows what it does.
func TestEveryParameterIsSent(t *testing.T) {
	table := groups.Table(endpoints.Deps{})
	sent := map[string]bool{}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		s := read(t, file)
		for _, c := range s.cases {
			for _, step := range c.steps {
				if step.request == nil || step.expect.status != http.StatusOK {
					continue
				}
				path, query, _ := strings.Cut(step.request.target, "?")
				paths := []string{path}
				if path == "each" {
					paths = s.routes
				}
				for _, path := range paths {
					o, _, known := table.Match(path)
					for parameter := range strings.SplitSeq(query, "&") {
						name, _, _ := strings.Cut(parameter, "=")
						if known {
							sent[o.Path+"?"+name] = true
						}
					}
				}
			}
		}
	}
	for o := range table.All() {
		for _, p := range o.Params {
			if !sent[o.Path+"?"+p.Name] {
				t.Errorf("no script sends %s?%s and gets data", o.Path, p.Name)
			}
		}
	}
}
