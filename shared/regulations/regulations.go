// Package regulations is a catalogue of the rules by which real competitions
// make their tables, so that a dataset can name one ("rules": {"like":
// "la-liga"}) instead of spelling it out. README.md next to this file lists it.
//
// # Format
//
// Each file catalogue/*.json is a list of entries:
//
//	{
//		"name": "la-liga",
//		"competition": "La Liga (Spain)",
//		"sport": "football",
//		"source": {"document": "...", "edition": "2024", "article": "201"},
//		"rules": {"tieBreakers": ["points", ...]},
//		"seed": "play-off",
//		"note": "..."
//	}
//
// The name is unique and in kebab-case. The source is the regulation: its document,
// the edition that was read, and the article or heading. Rules are the object of
// dataset.md, "Rules of the parts", without fields that have the default there.
//
// Only what no result decides is left to the seed of a team. It is then the
// last criterion, and "seed" says what it means: lots, play-off (a further
// match for the place), ranking (one published elsewhere, such as a
// coefficient) or ruling. The note (optional) says what an operator has to
// know: what the points of a match are where they are given for each, and
// criteria of the regulation that a dataset does not hold.
//
// What an entry means does not change. A regulation that changes gets an entry of
// its own, with the year of its first season in the name.
package regulations

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"sync"
)

// Regulation is an entry of the catalogue; the package comment describes the fields.
type Regulation struct {
	Name        string          `json:"name"`
	Competition string          `json:"competition"`
	Sport       string          `json:"sport"`
	Source      Source          `json:"source"`
	Rules       json.RawMessage `json:"rules"` // on one line, no spaces
	Seed        string          `json:"seed"`  // empty: the rules do not use it
	Note        string          `json:"note"`  // sentences; empty: nothing
}

// Source is where a regulation is written.
type Source struct {
	Document string `json:"document"`
	Edition  string `json:"edition"` // a year or a season
	Article  string `json:"article"` // a number or a heading
}

// Names are the names of all entries, in alphabetical order.
func Names() []string {
	all := entries()
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.Name
	}
	return names
}

// All are the entries, by name.
func All() []Regulation { return slices.Clone(entries()) }

// Find returns the entry of a name, and whether there is one.
func Find(name string) (Regulation, bool) {
	all := entries()
	at, ok := slices.BinarySearchFunc(all, name, func(r Regulation, name string) int { return cmp.Compare(r.Name, name) })
	if !ok {
		return Regulation{}, false
	}
	return all[at], true
}

// Omission is a competition that the catalogue leaves out, since its rules ask for what
// a dataset does not hold.
type Omission struct {
	Competition string `json:"competition"`
	Sport       string `json:"sport"`
	Reason      string `json:"reason"` // part of a sentence
}

// LeftOut are the competitions that the catalogue leaves out.
func LeftOut() []Omission { return slices.Clone(leftOut()) }

//go:embed left-out.json
var omissions []byte

// leftOut reads left-out.json, as entries does the catalogue.
var leftOut = sync.OnceValue(func() []Omission {
	var all []Omission
	if err := json.Unmarshal(omissions, &all); err != nil {
		panic(fmt.Errorf("left-out.json: %w", err))
	}
	return all
})

//go:embed catalogue/*.json
var catalogue embed.FS

// entries reads the catalogue when it is first asked for. The files are part of
// the program: one that cannot be read is a fault of the program, which a test
// finds.
var entries = sync.OnceValue(func() []Regulation {
	var all []Regulation
	files, err := catalogue.ReadDir("catalogue")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		some, err := read(path.Join("catalogue", file.Name()))
		if err != nil {
			panic(fmt.Errorf("%s: %w", file.Name(), err))
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b Regulation) int { return cmp.Compare(a.Name, b.Name) })
	return all
})

func read(name string) ([]Regulation, error) {
	text, err := catalogue.ReadFile(name)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var some []Regulation
	if err := decoder.Decode(&some); err != nil {
		return nil, err
	}
	for i := range some {
		var compact bytes.Buffer
		if err := json.Compact(&compact, some[i].Rules); err != nil {
			return nil, err
		}
		some[i].Rules = compact.Bytes()
	}
	return some, nil
}
