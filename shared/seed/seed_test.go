package seed

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"touchline/shared/sport"
)

// content returns the files of a dataset, decompressed, by name.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var r io.Reader = f
		name, packed := strings.CutSuffix(e.Name(), ".gz")
		if packed {
			if r, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		data, err := io.ReadAll(r)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		out[name] = string(data)
	}
	return out
}

func write(t *testing.T, o Options) (map[string]string, Counts) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "made", "here")
	counts, err := Write(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return content(t, dir), counts
}

// each decodes the records of a file.
func each[T any](t *testing.T, text string) []T {
	t.Helper()
	var out []T
	for line := range strings.Lines(text) {
		var r T
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		out = append(out, r)
	}
	return out
}

func digest(files map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_, _ = io.WriteString(h, name+"\n"+files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TestSameOptionsGiveTheSameBytes fixes the output: a change of it would make
// measurements incomparable with earlier ones.
func TestSameOptionsGiveTheSameBytes(t *testing.T) {
	tests := []struct {
		name string
		give Options
		want string
	}{
		{"size 1", Options{Size: 1, Details: 10}, "5f674dab7e42ec7925c64a4e8c41e8a4e7f45ed907125d4b1e893704b43938f7"},
		{"demo", Options{Demo: true}, "0d8b2e50fe56f1a1a7db0821455cb5fdb04e429aee072b02330fcfbb1e3d01a5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, _ := write(t, tt.give)
			if got := digest(files); got != tt.want {
				t.Errorf("digest is %s", got)
			}
		})
	}
}

func TestSizesHaveTheCountsOfTheBudgets(t *testing.T) {
	for _, size := range []int{1, 3} {
		files, counts := write(t, Options{Size: size})
		lines := func(file string) int { return strings.Count(files[file+".ndjson"], "\n") }
		found := Counts{lines("organizations"), lines("competitions"), lines("teams"), lines("players"), lines("matches")}
		want := Counts{Organizations: 1 + size*(9+220), Competitions: size * 20, Teams: size * 500, Players: size * 10_000, Matches: size * 2_500}
		if counts != want || found != want {
			t.Errorf("size %d: %+v are counted, and %+v written", size, counts, found)
		}
	}
}

func TestClubNamesDoNotRepeat(t *testing.T) {
	seen := map[string]int{}
	for n := range 60_000 {
		name, _ := clubName(n)
		if other, ok := seen[name]; ok {
			t.Fatalf("clubs %d and %d are both %s", other, n, name)
		}
		seen[name] = n
	}
}

func TestRoundRobinPairsAllOnceHomeAndAway(t *testing.T) {
	for n := 2; n <= 21; n++ {
		met := map[[2]int]int{}
		for _, p := range roundRobin(n, true) {
			met[[2]int{p.home, p.away}]++
		}
		if len(met) != n*(n-1) {
			t.Errorf("%d teams: %d pairings", n, len(met))
		}
		for p, times := range met {
			if times != 1 || p[0] == p[1] {
				t.Errorf("%d teams: %v %d times", n, p, times)
			}
		}
		if got, want := len(roundRobin(n, false)), n*(n-1)/2; got != want {
			t.Errorf("%d teams: %d matches, want %d", n, got, want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	used := t.TempDir()
	file := filepath.Join(used, "teams.ndjson.gz")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		dir  string
		give Options
		says string
	}{
		{"no size", t.TempDir(), Options{}, "size 0"},
		{"negative size", t.TempDir(), Options{Size: -1}, "size -1"},
		{"size above the bound", t.TempDir(), Options{Size: MaxSize + 1}, "want 1 to 1000"},
		{"demo with a size", t.TempDir(), Options{Size: 1, Demo: true}, "or the demo"},
		{"live matches with a size", t.TempDir(), Options{Size: 1, Live: 10}, "no size"},
		{"part of a round", t.TempDir(), Options{Live: 15}, "15 live matches: want a multiple of 10"},
		{"details above 100", t.TempDir(), Options{Size: 1, Details: 101}, "details 101"},
		{"folder holds a dataset", used, Options{Size: 1}, "teams.ndjson.gz"},
		{"folder is a file", file, Options{Size: 1}, "not a directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Write(tt.dir, tt.give); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want one that says %q", err, tt.says)
			}
		})
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFullDiskIsAnError(t *testing.T) {
	buffer := bufio.NewWriter(fullDisk{})
	w := &writer{files: map[string]*file{"players.ndjson": {to: buffer, closers: []func() error{buffer.Flush}}}}
	w.put(sport.Player{ID: "a", Name: "b", TeamID: "c"})
	if err := w.close(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Fatalf("got %v", err)
	}
}

// TestGoalsAreOneInEveryLiveMatch: the output is the live matches, each with one
// more goal.
func TestGoalsAreOneInEveryLiveMatch(t *testing.T) {
	type match struct {
		ID, Status string
		Score      sport.Score
		Events     []struct {
			Type   string
			Minute int
		}
	}
	o := Options{Live: 20}
	files, _ := write(t, o)
	dir := t.TempDir()
	if _, err := WriteGoals(dir, o); err != nil {
		t.Fatal(err)
	}
	now := content(t, dir)
	before := map[string]match{}
	for _, m := range each[match](t, files["matches.ndjson"]) {
		if m.Status == "live" {
			before[m.ID] = m
		}
	}
	after := each[match](t, now["matches.ndjson"])
	if len(now) != 1 || len(before) != o.Live || len(after) != o.Live {
		t.Fatalf("%d are live, %d have a goal, want %d, in %d files", len(before), len(after), o.Live, len(now))
	}
	for _, m := range after {
		was, last := before[m.ID], m.Events[len(m.Events)-1]
		if m.Score.Home+m.Score.Away != was.Score.Home+was.Score.Away+1 || last.Type != "goal" || last.Minute != 46 || len(m.Events) != len(was.Events)+1 {
			t.Errorf("%s: %+v after %+v", m.ID, m, was)
		}
	}
}

func TestDemoHasAMatchThatIsLiveOnAnyDay(t *testing.T) {
	for hour := 0; hour < 24*8; hour += 41 {
		now := defaultNow.Add(time.Duration(hour)*time.Hour + 7*time.Minute)
		files, _ := write(t, Options{Demo: true, Now: now})
		if !strings.Contains(files["matches.ndjson"], `"status":"live"`) {
			t.Errorf("none at %v", now)
		}
	}
}
