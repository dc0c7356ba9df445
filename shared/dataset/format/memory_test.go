package format

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// playersFile is a players.ndjson of n believable lines.
func playersFile(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"team-%d/player-%d","name":"Player Number %d","teamId":"team-%d","number":%d,"position":"defender"}`+"\n",
			i/20, i%20, i, i/20, i%20)
	}
	return []byte(b.String())
}

// matchesFile is a matches.ndjson of n lines with line-ups and events.
func matchesFile(n int) []byte {
	var b strings.Builder
	entries := func(team, from, to int) {
		for i := from; i < to; i++ {
			if i > from {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"playerId":"team-%d/player-%d","position":"defender"}`, team, i)
		}
	}
	for i := range n {
		home, away := 2*i%1000, (2*i+1)%1000
		fmt.Fprintf(&b, `{"id":"match-%d","competitionId":"league","season":2025,"status":"finished","kickoffAt":"2025-08-01T20:30:00+02:00",`+
			`"homeTeamId":"team-%d","awayTeamId":"team-%d","score":{"home":0,"away":2},"round":1,"lineups":{"confirmed":true`, i, home, away)
		for side, team := range map[string]int{"home": home, "away": away} {
			fmt.Fprintf(&b, `,%q:{"starting":[`, side)
			entries(team, 0, 11)
			b.WriteString(`],"bench":[`)
			entries(team, 11, 18)
			b.WriteString(`]}`)
		}
		b.WriteString(`},"events":[`)
		for e := range 12 {
			if e > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"type":"card","detail":"yellow","minute":%d,"side":"home","playerId":"team-%d/player-%d"}`, 5*e, home, e)
		}
		b.WriteString("]}\n")
	}
	return []byte(b.String())
}

// live is how many bytes of the heap are in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // not that many
}

// A set takes few bytes a record, whatever its records are called.
func TestMemoryFollowsTheRecords(t *testing.T) {
	rename := strings.NewReplacer("Player Number ", "A Name Of Its Own ")
	for name, c := range map[string]struct {
		file    string
		text    []byte
		records int
		most    int64 // bytes a record, with room for another version of Go
	}{
		"players": {"players.ndjson", []byte(rename.Replace(string(playersFile(20_000)))), 20_000, 260},
		"matches": {"matches.ndjson", matchesFile(5_000), 5_000, 1600},
	} {
		before := live()
		set := mustRead(t, map[string]string{c.file: string(c.text)})
		took := (live() - before) / int64(c.records)
		if took > c.most || took < c.most/4 {
			t.Errorf("%s take %d bytes each, want at most %d", name, took, c.most)
		}
		if set.Len() != c.records {
			t.Errorf("%d records are read", set.Len())
		}
	}
}
