package conduct

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
)

// Folder is where the steps of a load keep what they have found. Names have at most
// two slashes.
type Folder interface {
	// Get reads an object; ErrNoObject if there isn't one.
	Get(ctx context.Context, name string) ([]byte, error)
	// Put writes an object, wholly or not at all.
	Put(ctx context.Context, name string, content []byte) error
	// List lists the names of the objects in a folder of the folder.
	List(ctx context.Context, folder string) ([]string, error)
}

// ErrNoObject is the error of an object that is not there.
var ErrNoObject = errors.New("no such object")

// The objects of a folder.
const (
	planName          = "plan.json"
	organizationsName = "organizations.zip"
	decidedName       = "decided.json"

	projectedFolder, mergedFolder = "projected", "merged"
)

func partName(part int) string        { return fmt.Sprintf("parts/%06d.zip", part) }
func aroundName(part int) string      { return fmt.Sprintf("parts/%06d-around.zip", part) }
func linesName(part int) string       { return fmt.Sprintf("parts/%06d.json", part) }
func projectedName(part int) string   { return fmt.Sprintf("%s/%06d.json", projectedFolder, part) }
func runFolder(bucket int) string     { return fmt.Sprintf("runs/%05d", bucket) }
func runName(bucket, part int) string { return fmt.Sprintf("%s/%06d", runFolder(bucket), part) }
func mergingName(bucket int) string   { return fmt.Sprintf("merging/%05d.json", bucket) }
func mergedName(bucket int) string    { return fmt.Sprintf("%s/%05d.json", mergedFolder, bucket) }

// Item says which part a task projects, or which bucket it merges. The state machine
// reads the items from stack.WorkParts and stack.WorkBuckets, which are JSON arrays.
type Item struct {
	Part   *int `json:"part,omitempty"`
	Bucket *int `json:"bucket,omitempty"`
}

// format is the version of the objects. A load that another version has planned is not
// continued.
const format = 4

// plan is what plan.json says.
type plan struct {
	Format  int            `json:"format"`
	Layout  int            `json:"layout"`
	Began   int64          `json:"began"`   // ms since 1970
	Parts   int            `json:"parts"`   // with part 0, the organizations
	Buckets int            `json:"buckets"` // from 1
	Report  *loader.Report `json:"report"`  // what Division.Report says
}

// projected is what the projection of a part says.
type projected struct {
	Faults  *dataset.Faults  `json:"faults,omitempty"` // what the table cannot hold
	Report  *loader.Report   `json:"report,omitempty"`
	Changes []history.Change `json:"changes,omitempty"` // the first
	Count   int              `json:"count"`             // of changes
	Records []int            `json:"records,omitempty"` // that each bucket has of the part
}

// decided is what the decision says.
type decided struct {
	Records []int `json:"records,omitempty"` // of each bucket
}

// lines say which line of the dataset each line of a part's file was, by the file's
// name.
type lines map[string]*origins

type origins struct {
	File  string `json:"file"`
	Lines []int  `json:"lines"`
}

// origin is the line of the dataset that a fault is about.
func (l lines) origin(f dataset.Fault) dataset.Fault {
	of := l[f.File]
	if of == nil {
		return f
	}
	if n := f.Line; n > 0 && n <= len(of.Lines) {
		f.Line = of.Lines[n-1]
	}
	f.File = of.File
	return f
}

// put writes an object as JSON.
func put(ctx context.Context, to Folder, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return to.Put(ctx, name, text)
}

// get reads an object of JSON; nil if there isn't one.
func get[T any](ctx context.Context, from Folder, name string) (*T, error) {
	text, err := from.Get(ctx, name)
	if errors.Is(err, ErrNoObject) {
		return nil, nil //nolint:nilnil // there isn't one
	}
	if err != nil {
		return nil, err
	}
	v := new(T)
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return v, nil
}

// Folders are the folders of a load's folder that may hold something, itself last: what
// says how far the load is goes after what it is about.
func Folders(ctx context.Context, of Folder) []string {
	buckets := maxBuckets
	if p, err := get[plan](ctx, of, planName); err == nil && p != nil {
		buckets = p.Buckets
	}
	folders := make([]string, 0, buckets+5)
	for bucket := range buckets {
		folders = append(folders, runFolder(bucket))
	}
	return append(folders, "parts", "merging", projectedFolder, mergedFolder, "")
}
