package loader_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/conduct"
	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// shelf is a folder of a conducted load in memory.
type shelf struct {
	mu      sync.Mutex
	objects map[string][]byte
}

// Get implements conduct.Folder.
func (s *shelf) Get(_ context.Context, name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, ok := s.objects[name]
	if !ok {
		return nil, conduct.ErrNoObject
	}
	return content, nil
}

// Put implements conduct.Folder.
func (s *shelf) Put(_ context.Context, name string, content []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[name] = slices.Clone(content)
	return nil
}

// List implements conduct.Folder.
func (s *shelf) List(_ context.Context, folder string) (names []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.objects {
		if path.Dir(name) == folder {
			names = append(names, path.Base(name))
		}
	}
	return names, nil
}

// remove removes the objects below a folder, or of that name.
func (s *shelf) remove(prefix string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.objects {
		if strings.HasPrefix(name, prefix) {
			delete(s.objects, name)
		}
	}
}

// conducted is a load that is conducted by a test.
type conducted struct {
	*conduct.Load
	*sports
	shelf   *shelf
	files   fs.FS
	opts    loader.Options
	holders int
	label   string
	report  *loader.Report
}

// conduct begins a load in small parts and buckets, with many checkpoints.
func (s *sports) conduct(t testing.TB, files fs.FS) *conducted {
	t.Helper()
	c := &conducted{sports: s, shelf: &shelf{objects: map[string][]byte{}}, files: files}
	c.Load = &conduct.Load{
		ID: "load", Number: 1, Table: s.table, NewLease: c.newLease, Folder: c.shelf,
		PartRecords: 1, BucketRecords: 10, Run: 100, Pace: commit.Pace{Ops: 12, Items: 4, CheckpointFrom: 1},
	}
	err := conduct.Hold(t.Context(), s.table, c.newLease(), func(h *conduct.Held) error {
		begun, err := h.Begin(t.Context(), c.ID, "a label", "a task", execution(1))
		if err == nil && !begun {
			err = errors.New("it is not conducted")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func execution(number int) string { return fmt.Sprint("execution ", number) }

func (c *conducted) newLease() *store.Lease {
	c.holders++
	return &store.Lease{DB: c.client, Table: c.table.Name, Key: records.LockKey(), Holder: fmt.Sprint("step ", c.holders), Label: "a step", Now: time.Now}
}

// plan plans the load, and returns how many parts and buckets it has.
func (c *conducted) plan(ctx context.Context) error {
	return c.Plan(ctx, func(context.Context) (fs.FS, error) { return c.files, nil }, c.opts, time.Now())
}

func (c *conducted) finish(ctx context.Context) error {
	return c.Finish(ctx, func(label string, r *loader.Report) error {
		c.label, c.report = label, r
		return nil
	})
}

// The largest part is told with what is around it, and by the competition of most of it.
func TestTheLargestPartIsTold(t *testing.T) {
	lines := map[string]string{"organizations": `{"id":"o","name":"O","type":"federation"}`}
	for n, c := range []string{"first", "large", "last"} {
		lines["competitions"] += fmt.Sprintf(`{"id":%q,"season":2025,"name":"C","organizationId":"o"}`+"\n", c)
		for i := range 1 + 2*(n%2) {
			lines["teams"] += fmt.Sprintf(`{"id":"%s-%d","name":"T","shortName":"T","organizationId":"o","competitionId":%[1]q,"season":2025}`+"\n", c, i)
			lines["players"] += fmt.Sprintf(`{"id":"of %s-%d","name":"P","teamId":"%[1]s-%[2]d"}`+"\n", c, i)
		}
	}
	lines["competitions"] += `{"id":"stage","season":2025,"name":"C","organizationId":"o","parentId":"large","stage":"playoff"}` + "\n"
	lines["matches"] = `{"id":"m","status":"upcoming","kickoffAt":"2025-08-01T12:00:00Z","homeTeamId":"last-0","awayTeamId":"large-0","competitionId":"last","season":2025}`
	files := fstest.MapFS{}
	for name, text := range lines {
		files[name+".ndjson"] = &fstest.MapFile{Data: []byte(text)}
	}
	d, err := (&loader.Loader{Table: newSports(t).table, Now: time.Now}).Divide(t.Context(), func(context.Context) (fs.FS, error) { return files, nil }, loader.Options{}, 1)
	must(t, err)
	// 2 competitions, 3 teams, 3 players; around them the match, its competition and the other team.
	if n, of := d.Largest(); d.Parts() != 3 || n != 11 || of == nil || of.Key != "large" {
		t.Errorf("of %d parts the largest has %d records: %+v", d.Parts(), n, of)
	}
}

// each calls a step for each of n, in any order, and twice.
func each(t testing.TB, r *rand.Rand, n int, step func(int)) {
	t.Helper()
	if n < 2 {
		t.Fatalf("%d parts or buckets prove nothing", n)
	}
	for _, i := range append(r.Perm(n), r.Perm(n)...) {
		step(i)
	}
}

func (c *conducted) progress(t testing.TB) conduct.Progress {
	t.Helper()
	p, err := conduct.ProgressOf(t.Context(), c.shelf)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// merge merges a bucket, however often it pauses.
func (c *conducted) merge(t testing.TB, bucket int, pause func() bool) {
	t.Helper()
	for again := true; again; {
		var err error
		again, err = c.Merge(t.Context(), bucket, pause)
		must(t, err)
	}
}

// upTo runs the steps before the merges.
func (c *conducted) upToMerge(t testing.TB, r *rand.Rand) conduct.Progress {
	t.Helper()
	must(t, c.plan(t.Context()))
	p := c.progress(t)
	each(t, r, p.Parts, func(part int) { must(t, c.Project(t.Context(), part)) })
	must(t, c.Decide(t.Context()))
	must(t, c.Decide(t.Context()))
	return p
}

// endsLike requires the table, the report and the history of one load.
func (c *conducted) endsLike(t testing.TB, files fs.FS, opts loader.Options) {
	t.Helper()
	once := inMemory()
	want := load(t, once, files, opts)
	if diff := difference(once.dump(t), c.dump(t)); diff != "" {
		t.Errorf("in one load (-) and conducted (+):\n%s", diff)
	}
	if diff := cmp.Diff(shown(t, want), shown(t, c.report)); diff != "" {
		t.Errorf("report of one load (-) and of the conducted one (+):\n%s", diff)
	}
	if c.label != "a label" {
		t.Errorf("finished %q", c.label)
	}
	loads, err := loader.Loads(t.Context(), c.table, history.Range{})
	if err != nil || len(loads) != 1 || loads[0].Number != 1 || loads[0].Report == nil || len(loads[0].Report.Changes) == 0 {
		t.Errorf("the history has %+v, %v", loads, err)
	}
	if c.journaled(t) {
		t.Error("the head of the load is left")
	}
	c.checked(t)
}

func shown(t testing.TB, r *loader.Report) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", " ")
	must(t, err)
	return string(text)
}

// A conducted load ends in the table of one load: in whatever order its parts and
// buckets come, and however often.
func TestAConductedLoadEndsInTheTableOfOneLoad(t *testing.T) {
	seeds := 4
	if testing.Short() {
		seeds = 2
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			f := newFederation(300 + seed)
			f.grow(120)
			files := f.folder(t, f.records)
			s := ofSeed(t, seed)
			c := s.conduct(t, files)
			must(t, c.plan(t.Context()))
			was := s.dump(t)
			p := c.upToMerge(t, f.r)
			if before := s.dump(t); len(before) != len(was)+1 {
				t.Errorf("%d items before the first merge, want the head and the version", len(before))
			}
			asked := 0
			each(t, f.r, p.Buckets, func(bucket int) {
				c.merge(t, bucket, func() bool { asked++; return asked%3 == 0 })
			})
			if asked < 10 {
				t.Errorf("asked %d times whether to pause", asked)
			}
			must(t, c.finish(t.Context()))
			c.endsLike(t, files, loader.Options{})
		})
	}
}

// A step that is killed, wherever, is repeated and ends right: also by another
// execution, which finds that others were begun.
func TestAStepThatIsKilledIsRepeated(t *testing.T) {
	for kill := 0; kill < 40; kill += apart(3) {
		t.Run(fmt.Sprintf("after %d writes", kill), func(t *testing.T) {
			t.Parallel()
			f := newFederation(uint64(400 + kill)) //nolint:gosec // small
			f.grow(80)
			files := f.folder(t, f.records)
			s := ofSeed(t, kill)
			c := s.conduct(t, files)
			whole := c.Table
			left := kill
			dying := func(step func() error) {
				t.Helper()
				d := s.dyingAfter(left)
				c.Table = d.Table
				err := step()
				if err != nil && !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				if c.Table = whole; err != nil {
					must(t, step())
				}
			}
			must(t, c.plan(t.Context()))
			p := c.progress(t)
			each(t, f.r, p.Parts, func(part int) { must(t, c.Project(t.Context(), part)) })
			left = kill % 4
			dying(func() error { return c.Decide(t.Context()) })
			left = kill
			if kill%2 == 1 {
				must(t, conduct.Hold(t.Context(), c.Table, c.newLease(), func(h *conduct.Held) error { return h.Again(t.Context(), execution(h.Head.Conducted.Number+1)) }))
				c.Number++
			}
			for bucket := range p.Buckets {
				dying(func() error {
					again, err := c.Merge(t.Context(), bucket, nil)
					if again {
						t.Error("it paused unasked")
					}
					return err
				})
			}
			left = kill % 4
			dying(func() error { return c.finish(t.Context()) })
			c.endsLike(t, files, loader.Options{})
		})
	}
}

// A merge that is killed again and again gets on, and leaves nothing of the lists that
// it was writing, whether its notes are there or not.
func TestAMergeThatIsKilledAgainAndAgainGoesOn(t *testing.T) {
	for _, noted := range []bool{true, false} {
		t.Run(fmt.Sprintf("with its notes: %v", noted), func(t *testing.T) {
			if testing.Short() && noted {
				t.Skip("runs dozens of merges: make test-all runs it")
			}
			t.Parallel()
			files := large(t, 2, 1)
			var players []fields
			for i := range 900 {
				players = append(players, fields{"id": fmt.Sprint("p", i), "name": strings.Repeat("ö", 40) + fmt.Sprint(i), "teamId": "t1"})
			}
			files["players.ndjson"] = lines(t, players...)
			s := inMemory()
			c := s.conduct(t, files)
			c.Pace = commit.Pace{Ops: 150, Items: 100, CheckpointFrom: 1}
			must(t, c.plan(t.Context()))
			p := c.progress(t)
			for part := range p.Parts {
				must(t, c.Project(t.Context(), part))
			}
			must(t, c.Decide(t.Context()))
			whole, kills := c.Table, 0
			for bucket := range p.Buckets {
				for writes := int64(14); ; {
					d := &mortal{dying: dying{client: s.client}, made: kills%2 == 0}
					d.left.Store(writes)
					c.Table = &store.Table{DB: d, Name: whole.Name, Parallel: 1}
					_, err := c.Merge(t.Context(), bucket, nil)
					c.Table = whole
					if err == nil {
						break
					}
					if !errors.Is(err, errKilled) {
						t.Fatal(err)
					}
					if kills++; kills > 200 {
						t.Fatalf("bucket %d is not done", bucket)
					}
					if !noted { // each run repeats what those before it have done, in other portions
						writes += 7
						c.Pace.Ops = 90 + 25*(kills%3)
						c.shelf.remove("merging/")
						must(t, conduct.Hold(t.Context(), c.Table, c.newLease(), func(h *conduct.Held) error { return h.Again(t.Context(), execution(h.Head.Conducted.Number+1)) }))
						c.Number++
					}
				}
			}
			if kills < 8 {
				t.Errorf("only killed %d times", kills)
			}
			must(t, c.finish(t.Context()))
			c.endsLike(t, files, loader.Options{})
			if n := s.orphans(t); n != 0 {
				t.Errorf("%d items are left that no list names", n)
			}
		})
	}
}

// What was merged by an execution that has lost its notes is merged again by the next.
func TestMergesWithoutTheirNotesAreRepeated(t *testing.T) {
	f := newFederation(500)
	f.grow(120)
	files := f.folder(t, f.records)
	s := newSports(t)
	c := s.conduct(t, files)
	p := c.upToMerge(t, f.r)
	for bucket := range p.Buckets {
		c.merge(t, bucket, nil)
	}
	c.shelf.remove("merging/")
	c.shelf.remove("merged/")
	must(t, conduct.Hold(t.Context(), c.Table, c.newLease(), func(h *conduct.Held) error { return h.Again(t.Context(), execution(h.Head.Conducted.Number+1)) }))
	if _, err := c.Merge(t.Context(), 0, nil); !errors.As(err, new(*conduct.StoppedError)) {
		t.Errorf("the execution before merges on: %v", err)
	}
	c.Number++
	for bucket := range p.Buckets {
		c.merge(t, bucket, nil)
	}
	must(t, c.finish(t.Context()))
	c.endsLike(t, files, loader.Options{})
}

// Faults are those of one load, with their lines, and the table is as it was: both
// those that the plan finds and those that only the projections do.
func TestAFaultyConductedLoadChangesNothing(t *testing.T) {
	tooMany := large(t, 1000, 1)
	tooMany["teams.ndjson"].Data = []byte(strings.ReplaceAll(string(tooMany["teams.ndjson"].Data), `"shortName"`,
		`"logo":"https://example.org/`+strings.Repeat(`\"`, 1000)+`","shortName"`))
	f := newFederation(501)
	f.grow(60)
	orphan := f.folder(t, f.records).(fstest.MapFS)
	orphan["teams.ndjson"] = lines(t, fields{"id": "t", "name": "T", "shortName": "T", "organizationId": "nobody"})
	for name, files := range map[string]fs.FS{"a broken reference": orphan, "what no table holds": tooMany} {
		t.Run(name, func(t *testing.T) {
			_, want := newSports(t).loader().Load(t.Context(), files, loader.Options{})
			s := newSports(t)
			c := s.conduct(t, files)
			was := s.dump(t)
			err := c.plan(t.Context())
			if err == nil {
				for part := range c.progress(t).Parts {
					must(t, c.Project(t.Context(), part))
				}
				err = c.Decide(t.Context())
			}
			if !errors.As(err, new(*dataset.Faults)) || err.Error() != want.Error() {
				t.Fatalf("conducted: %.500v\nin one load: %.500v", err, want)
			}
			if diff := difference(was, s.dump(t)); diff != "" {
				t.Errorf("the table changed:\n%s", diff)
			}
		})
	}
}

// The good part of a dataset, and its deletions, count as in one load.
func TestAConductedLoadLeavesOutAndCounts(t *testing.T) {
	f := newFederation(502)
	f.grow(60)
	files := f.folder(t, f.records).(fstest.MapFS)
	files["players.ndjson"].Data = append(files["players.ndjson"].Data, "{\"id\":\"gone\",\"deleted\":true}\n{\"id\":7}\n"...)
	s := newSports(t)
	c := s.conduct(t, files)
	c.opts.GoodPart = true
	p := c.upToMerge(t, f.r)
	for bucket := range p.Buckets {
		c.merge(t, bucket, nil)
	}
	must(t, c.finish(t.Context()))
	if c.report.Faults.Count() != 3 || c.report.Players.Unchanged != 1 {
		t.Errorf("%+v", c.report)
	}
	c.endsLike(t, files, c.opts)
}

// Until a conducted load is finished, everything else refuses, and says why.
func TestWhatMeetsAConductedLoadRefuses(t *testing.T) {
	s := newSports(t)
	f := newFederation(503)
	f.grow(30)
	files := f.folder(t, f.records)
	s.conduct(t, files)
	l := s.loader()
	for name, do := range map[string]func() error{
		"load":    func() error { _, err := l.Load(t.Context(), files, loader.Options{}); return err },
		"dry run": func() error { _, err := l.Load(t.Context(), files, loader.Options{DryRun: true}); return err },
		"undo":    func() error { _, _, err := l.Undo(t.Context(), loader.Options{}); return err },
		"dry undo": func() error {
			_, _, err := l.Undo(t.Context(), loader.Options{DryRun: true})
			return err
		},
		"check": func() error { _, err := l.Check(t.Context(), true); return err },
		"state": func() error { _, err := loader.StateOf(t.Context(), s.table); return err },
	} {
		var conducted *loader.ConductedError
		if err := do(); !errors.As(err, &conducted) || conducted.Execution != "execution 1" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A load that is given up leaves an empty table, and its steps do nothing more. One of
// which a bucket is being written is given up once that has ended.
func TestAConductedLoadIsGivenUp(t *testing.T) {
	s := newSports(t)
	f := newFederation(504)
	f.grow(60)
	files := f.folder(t, f.records)
	c := s.conduct(t, files)
	p := c.upToMerge(t, f.r)
	writing := c.newLease()
	writing.Key = commit.BucketLease(c.ID, 0)
	if _, err := writing.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Merge(t.Context(), 0, nil); !errors.As(err, new(*conduct.BusyError)) {
		t.Errorf("two merge one bucket: %v", err)
	}
	if _, err := s.loader().Abandon(t.Context()); !errors.As(err, new(*store.HeldError)) {
		t.Errorf("given up while a bucket is written: %v", err)
	}
	must(t, writing.Free(t.Context()))
	stopped := func(what string, err error) {
		t.Helper()
		if !errors.As(err, new(*conduct.StoppedError)) {
			t.Errorf("%s of a load that is given up: %v", what, err)
		}
	}
	_, err := c.Merge(t.Context(), p.Buckets-1, nil)
	stopped("merge", err)
	stopped("finish", c.finish(t.Context()))
	if _, err := s.loader().Abandon(t.Context()); err != nil {
		t.Fatal(err)
	}
	stopped("plan", c.plan(t.Context()))
	stopped("project", c.Project(t.Context(), 0))
	stopped("decide", c.Decide(t.Context()))
	if c.journaled(t) {
		t.Error("its head is left")
	}
	load(t, s, files, loader.Options{})
	once := newSports(t)
	load(t, once, files, loader.Options{})
	if diff := difference(once.dump(t), s.dump(t)); diff != "" {
		t.Errorf("on an empty table (-) and after a load that was given up (+):\n%s", diff)
	}
}

// Only an empty table's first load is conducted.
func TestOnlyAFirstLoadIsConducted(t *testing.T) {
	s := newSports(t)
	f := newFederation(505)
	f.grow(10)
	load(t, s, f.folder(t, f.records), loader.Options{})
	c := &conducted{sports: s}
	must(t, conduct.Hold(t.Context(), s.table, c.newLease(), func(h *conduct.Held) error {
		begun, err := h.Begin(t.Context(), "load", "", "", execution(1))
		if begun {
			t.Error("it is conducted")
		}
		return err
	}))
	if c.journaled(t) {
		t.Error("there is a head")
	}
}
