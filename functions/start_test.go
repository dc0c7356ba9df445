package functions

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"touchline/shared/route"
	"touchline/shared/service"
)

// BenchmarkStart measures a start, from the process to its first request for
// work, of a function that does nothing and of each of ours. The bound is 1.5
// times the former (design.md, Measures).
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	environment := []string{
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
		service.VariableSportsTable + "=s", service.VariableNoncesTable + "=n", service.VariableQuotasTable + "=q",
		service.VariableKeysTable + "=k", service.VariableDefaultPhoto + "=https://img.example/nobody.png", service.VariableKMSKey + "=key",
	}
	names := []string{"testdata/nothing"}
	for _, g := range route.Groups() {
		names = append(names, string(g))
	}
	var nothing time.Duration
	for _, name := range names {
		bootstrap := filepath.Join(dir, filepath.Base(name))
		command := exec.CommandContext(b.Context(), "go", "build", "-tags", "lambda.norpc,nethttpomithttp2", "-trimpath", "-ldflags", "-s -w", "-o", bootstrap, "./"+name)
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := command.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		b.Run(filepath.Base(name), func(b *testing.B) {
			api := &http.Server{ReadHeaderTimeout: patience}
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			asked := make(chan time.Time)
			api.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				asked <- time.Now()
				<-r.Context().Done()
			})
			go func() { _ = api.Serve(listener) }()
			b.Cleanup(func() { _ = api.Close() })
			// The fastest: a machine that does something else only adds.
			fastest := time.Duration(0)
			for b.Loop() {
				process := exec.Command(bootstrap)
				process.Env = append(environment, "AWS_LAMBDA_RUNTIME_API="+listener.Addr().String())
				from := time.Now()
				if err := process.Start(); err != nil {
					b.Fatal(err)
				}
				if took := (<-asked).Sub(from); fastest == 0 || took < fastest {
					fastest = took
				}
				_ = process.Process.Kill()
				_ = process.Wait()
			}
			if name == names[0] {
				nothing = fastest
			}
			b.ReportMetric(float64(fastest.Microseconds())/1000, "ms/fastest")
			if nothing > 0 {
				b.ReportMetric(float64(fastest)/float64(nothing), "times-nothing")
			}
		})
	}
}
