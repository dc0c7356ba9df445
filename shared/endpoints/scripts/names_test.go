package scripts

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"testing"

	"touchline/shared/dataset/details"
	"touchline/shared/dataset/format"
	"touchline/shared/sport"
)

// names are ids as scripts write them.
type names struct {
	ids     map[string]string // written to id
	written map[string]string
}

func newNames() *names { return &names{map[string]string{}, map[string]string{}} }

func (n *names) add(id, written string) { n.ids[written], n.written[id] = id, written }

// learn takes the ids of a dataset's records, groups and events among them. Events
// are written by their place in the match.
func (n *names) learn(t *testing.T, files fs.FS) {
	t.Helper()
	set, err := format.Read(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range set.Organizations {
		n.add(string(o.ID), "o:"+o.Key)
	}
	for _, c := range set.Competitions {
		n.add(string(c.ID), "c:"+c.Key)
		for _, g := range c.Value.Groups {
			n.add(string(g.ID), "g:"+set.Given(g.ID))
		}
	}
	for _, x := range set.Teams {
		n.add(string(x.ID), "t:"+x.Key)
	}
	for _, p := range set.Players.All() {
		n.add(string(p.ID), "p:"+p.Key)
	}
	for _, m := range set.Matches.All() {
		n.add(string(m.ID), "m:"+m.Key)
		full, clock := m.Value.Full(), sport.Halves()
		if c := set.Season(full.CompetitionID, cmp.Or(full.Season, set.CurrentSeason(full.CompetitionID))); c != nil {
			clock = c.Rules.Clock()
		}
		details.Complete(m.Key, clock, full.Events)
		for i, e := range full.Events {
			n.add(string(e.ID), fmt.Sprintf("e:%s/%d", m.Key, i+1))
		}
	}
}

var (
	writtenID = regexp.MustCompile(`\b[ocgtpmek]:[A-Za-z0-9.-]+(/[0-9]+)?`)
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
