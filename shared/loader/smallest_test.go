package loader_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"touchline/shared/loader"
)

// namedRecord is a record of a federation: its file and its id there.
type namedRecord struct{ file, id string }

// smallest says of which records alone a change of a federation still ends in another
// table than one load of it, and how they change.
func (f *federation) smallest(t *testing.T, was, is map[string]map[string]fields) string {
	t.Helper()
	var all []namedRecord
	for _, file := range files {
		for _, of := range []map[string]map[string]fields{was, is} {
			for id := range of[file] {
				if r := (namedRecord{file, id}); !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b namedRecord) int { return strings.Compare(a.file+a.id, b.file+b.id) })
	fails := func(some []namedRecord) bool {
		before, after := only(was, some), only(is, some)
		s, once := inMemory(), inMemory()
		for _, records := range []map[string]map[string]fields{before, since(before, after)} {
			if _, err := s.loader().Load(t.Context(), f.folder(t, records), loader.Options{}); err != nil {
				return false // something refers to what was left out
			}
		}
		_, err := once.loader().Load(t.Context(), f.folder(t, after), loader.Options{})
		return err == nil && difference(once.dump(t), s.dump(t)) != ""
	}
	if !fails(all) {
		return "the last change alone does not show it"
	}
	some := smaller(all, fails)
	text := "the smallest federation with which it is so:\n" + said(t, only(was, some))
	return text + "and how it changes:\n" + said(t, since(only(was, some), only(is, some)))
}

// only are some records.
func only(all map[string]map[string]fields, some []namedRecord) map[string]map[string]fields {
	left := map[string]map[string]fields{}
	for _, file := range files {
		left[file] = map[string]fields{}
	}
	for _, r := range some {
		if record, ok := all[r.file][r.id]; ok {
			left[r.file][r.id] = record
		}
	}
	return left
}

// said are records as lines.
func said(t *testing.T, all map[string]map[string]fields) string {
	t.Helper()
	var b strings.Builder
	for _, file := range files {
		for _, record := range all[file] {
			line, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString("  " + file + " " + string(line) + "\n")
		}
	}
	return b.String()
}
