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

// ending brings a federation, as it is, into a table that holds it as it was, in some
// way, and says how that ends otherwise than it should. Its error says that the records
// cannot be loaded.
type ending func(s *sports, was, is map[string]map[string]fields) (problem string, err error)

// hasToEnd brings a federation into a table that holds it as it was. Where that ends
// otherwise than it should, it fails, and says for which records alone.
func (f *federation) hasToEnd(t *testing.T, s *sports, was map[string]map[string]fields, what string, ends ending) {
	t.Helper()
	switch problem, err := ends(s, was, f.records); {
	case err != nil:
		t.Fatal(err)
	case problem != "":
		t.Fatalf("%s: %s", what, f.smallest(t, was, f.records, problem, ends))
	}
}

// smallest says of which records alone a change of a federation still ends otherwise than
// it should, how they change, and how it ends then. Where it takes the changes before as
// well, it says how all of it ends.
func (f *federation) smallest(t *testing.T, was, is map[string]map[string]fields, ended string, ends ending) string {
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
	problem := func(some []namedRecord) string {
		before, after, s := only(was, some), only(is, some), inMemory()
		if _, err := s.loader().Load(t.Context(), f.folder(t, before), loader.Options{}); err != nil {
			return "" // something refers to what was left out
		}
		found, err := ends(s, before, after)
		if err != nil {
			return ""
		}
		return found
	}
	if problem(all) == "" {
		return "the last change alone does not show it:\n" + ended
	}
	some := smaller(all, func(some []namedRecord) bool { return problem(some) != "" })
	return "the smallest federation with which it is so:\n" + said(t, only(was, some)) +
		"how it changes:\n" + said(t, since(only(was, some), only(is, some))) + "and how it ends then:\n" + problem(some)
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
