package scripts

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/dataset/parts"
	"touchline/shared/sport"
)

// names are ids as scripts write them.
type names struct {
	ids     map[string]string // written to id
	written map[string]string
}

func newNames() *names { return &names{map[string]string{}, map[string]string{}} }

func (n *names) add(id, written string) { n.ids[written], n.written[id] = id, written }

// kinds are the letters by which scripts write ids, and the files of the kinds.
var kinds = []struct {
	letter string
	kind   sport.Kind
	file   string
}{
	{"o", sport.KindOrganization, "organizations.ndjson"},
	{"c", sport.KindCompetition, "competitions.ndjson"},
	{"t", sport.KindTeam, "teams.ndjson"},
	{"p", sport.KindPlayer, "players.ndjson"},
	{"m", sport.KindMatch, "matches.ndjson"},
}

// learn takes the ids of a dataset's records, groups and events among them.
func (n *names) learn(t *testing.T, files fs.FS) {
	t.Helper()
	for _, k := range kinds {
		f, err := files.Open(k.file)
		if err != nil {
			continue // any file may be missing
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var record struct {
				ID     string                `json:"id"`
				Groups []struct{ ID string } `json:"groups"`
			}
			if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
				t.Fatal(err)
			}
			n.add(string(sport.IDFor(k.kind, record.ID)), k.letter+":"+record.ID)
			for _, g := range record.Groups {
				n.add(string(sport.IDFor(sport.KindGroup, g.ID)), "g:"+g.ID)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	n.learnEvents(t, files)
}

// learnEvents takes the ids of events, which are written by their place in the match.
func (n *names) learnEvents(t *testing.T, files fs.FS) {
	t.Helper()
	set, err := dataset.Read(t.Context(), files, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range set.Matches.All() {
		full, clock := m.Value.Full(), sport.Halves()
		if c := set.Season(full.CompetitionID, cmp.Or(full.Season, set.CurrentSeason(full.CompetitionID))); c != nil {
			clock = c.Rules.Clock()
		}
		parts.Complete(m.Key, clock, full.Events)
		for i, e := range full.Events {
			n.add(string(e.ID), fmt.Sprintf("e:%s/%d", m.Key, i+1))
		}
	}
}

var (
	writtenID = regexp.MustCompile(`\b[ocgtpmek]:[A-Za-z0-9-]+(/[0-9]+)?`)
	sentID    = regexp.MustCompile(`\b([0-9a-f]{24}|tk_[A-Za-z0-9_-]+)`)
)

// put writes ids in place of their names; what is not a name stays.
func (n *names) put(text string) string {
	return writtenID.ReplaceAllStringFunc(text, func(name string) string {
		if id, known := n.ids[name]; known {
			return id
		}
		return name
	})
}

// take writes names in place of ids.
func (n *names) take(text string) string {
	return sentID.ReplaceAllStringFunc(text, func(id string) string {
		if name, known := n.written[id]; known {
			return name
		}
		return id
	})
}
