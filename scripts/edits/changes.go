package edits

import (
	"encoding/json"
	"io/fs"

	"touchline/shared/loader/commit"
	"touchline/shared/sport"
)

// Object is a record of a dataset: its fields by name.
type Object map[string]any

// Patch is a record that changes fields of a stored one.
func Patch(key string) Object { return Object{"id": key, "patch": true} }

// Files are the dataset that has records of a kind, a line for each, in their order.
func Files(kind sport.Kind, all ...Object) (fs.FS, error) {
	archive := commit.NewArchive()
	for _, o := range all {
		line, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		archive.AddLine(kind, line)
	}
	return archive.Files()
}
