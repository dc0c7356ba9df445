package loader_test

import (
	"os"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/loader"
	"touchline/shared/store"
)

// A live score costs under 60 write units, whatever the season holds
// (design.md, Measures).
func TestAScoreCostsUnderSixtyWriteUnits(t *testing.T) {
	s := newSports(t)
	load(t, s, os.DirFS(shared(t, "austria")), loader.Options{})
	upcoming := `{"id":"at.2/2025/live","competitionId":"at.2","season":2025,"status":"upcoming","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"at.2/2025/Austria Lustenau","awayTeamId":"at.2/2025/Austria Klagenfurt","round":20}`
	live := `{"id":"at.2/2025/live","competitionId":"at.2","season":2025,"status":"live","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"at.2/2025/Austria Lustenau","awayTeamId":"at.2/2025/Austria Klagenfurt","round":20,"score":{"home":0,"away":0}}`
	goal := `{"id":"at.2/2025/live","competitionId":"at.2","season":2025,"status":"live","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"at.2/2025/Austria Lustenau","awayTeamId":"at.2/2025/Austria Klagenfurt","round":20,"score":{"home":1,"away":0},"events":[{"type":"goal","minute":12,"side":"home"}]}`
	finished := `{"id":"at.2/2025/live","competitionId":"at.2","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"at.2/2025/Austria Lustenau","awayTeamId":"at.2/2025/Austria Klagenfurt","round":20,"score":{"home":1,"away":0},"events":[{"type":"goal","minute":12,"side":"home"}]}`
	for _, step := range []struct{ name, match string }{
		{"new", upcoming}, {"kicked off", live}, {"goal", goal}, {"finished", finished}, {"nothing new", finished},
	} {
		*s.table.Meter = store.Meter{}
		st := time.Now()
		load(t, s, fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: []byte(step.match)}}, loader.Options{})
		used := s.table.Meter.Usage()
		t.Logf("%s: %v, %+v", step.name, time.Since(st), used)
		if used.WriteUnits >= 60 {
			t.Errorf("%s: %v write units, want under 60", step.name, used.WriteUnits)
		}
	}
}
