package dataset

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Lookup gives the line of a stored record, for a record that changes some of
// its fields ("patch": true); nil where nothing is stored. Key is the id as the
// dataset gives it, and the line must give the same; season is that of a
// competition, 0 for other kinds.
type Lookup func(ctx context.Context, kind sport.Kind, key string, season int) ([]byte, error)

// member is a field of a JSON object and its value as it is written.
type member struct {
	name  string
	value jsontext.Value
}

// membersOf splits a JSON object; false if it is none.
func membersOf(text []byte) ([]member, bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	var all []member
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		m := member{name: name.String()}
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		m.value = v.Clone()
		all = append(all, m)
	}
	t, err := d.ReadToken()
	return all, err == nil && t.Kind() == '}' && len(bytes.TrimSpace(text[d.InputOffset():])) == 0
}

func valueOf(all []member, name string) jsontext.Value {
	for _, m := range all {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// object writes members as a JSON object.
func object(all []member) []byte {
	text := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			text = append(text, ',')
		}
		text, _ = jsontext.AppendQuote(text, m.name) // it was read
		text = append(append(text, ':'), m.value...)
	}
	return append(text, '}')
}

// instead are fields that stand for one value: who gives the one does not keep
// the other.
var instead = map[string]string{"kickoffLocal": "kickoffAt", "kickoffAt": "kickoffLocal"}

// merge gives a record the fields of a patch.
func merge(stored, patch []member) []member {
	var all []member
	for _, m := range stored {
		if valueOf(patch, m.name) == nil && valueOf(patch, instead[m.name]) == nil {
			all = append(all, m)
		}
	}
	for _, m := range patch {
		if m.name != "patch" {
			all = append(all, m)
		}
	}
	return all
}

// complete gives the line of a record that changes only some fields of a stored
// one: the stored record with those fields. Other lines stay as they are. known
// is false for a record that cannot be completed because no table is at hand; the
// line is then one to check the given fields by. ok is false where the line is
// faulty, which is reported.
func (r *reader) complete(ctx context.Context, of files.Kind, text []byte) (line []byte, known, ok bool, err error) {
	if !bytes.Contains(text, []byte(`"patch"`)) {
		return text, true, true, nil
	}
	patch, isObject := membersOf(text)
	asked := valueOf(patch, "patch")
	if !isObject || asked == nil || of == files.Standings {
		return text, true, true, nil // what is wrong with it, if anything, is found as in any line
	}
	r.line.Start(text, r.line.Origin())
	switch {
	case asked.Kind() != 't' && asked.Kind() != 'f':
		r.line.Fault("patch", "must be true or false")
		return nil, false, false, nil
	case asked.Kind() == 'f':
		return object(merge(nil, patch)), true, true, nil
	case valueOf(patch, "deleted").Kind() == 't':
		r.line.Fault("patch", "cannot stand in a deletion")
		return nil, false, false, nil
	}
	r.set.Partial = true
	if r.stored == nil {
		return object(merge(blank(of, patch), patch)), false, true, nil
	}
	id, season := r.identify(of, text)
	if id == "" || of == files.Competitions && season == 0 {
		return object(merge(blank(of, patch), patch)), false, true, nil // the fault is found there
	}
	key, _ := jsontext.AppendUnquote(nil, valueOf(patch, "id")) // identify has
	stored, err := r.stored(ctx, sportKinds[of], string(jsonl.NFC(key)), season)
	if err != nil {
		return nil, false, false, err
	}
	base, isObject := membersOf(stored)
	if !isObject {
		what := Quoted(sportKinds[of], string(key))
		if season != 0 {
			what = fmt.Sprintf("season %d of %s", season, what)
		}
		r.line.Faultf("id", "%s is not stored: a record with patch changes one that is", what)
		return nil, false, false, nil
	}
	return object(merge(base, patch)), true, true, nil
}

// identify reads which record a line is, empty and 0 where that is faulty.
func (r *reader) identify(of files.Kind, text []byte) (id sport.ID, year int) {
	type who struct {
		id     sport.ID
		season int
	}
	quiet := jsonl.New(context.Background(), r.set.ids, func(Fault) {}, func(Fault) {})
	var w who
	fields := []jsonl.Field[who]{
		jsonl.Optional("id", func(l *jsonl.Line, w *who) { w.id, _ = l.ID(sportKinds[of]) }),
		jsonl.Optional("season", func(l *jsonl.Line, w *who) { w.season = season(l) }),
	}
	quiet.Start(text, Origin{})
	jsonl.Object(quiet, fields, &w)
	if of != files.Competitions {
		w.season = 0
	}
	return w.id, w.season
}

// blank has what a record of a kind needs, to check by it the fields of a patch
// where no table is at hand.
func blank(of files.Kind, patch []member) []member {
	text := map[files.Kind]string{
		files.Organizations: `{"type":"club","name":"x"}`,
		files.Competitions:  `{"name":"x","organizationId":"x"}`,
		files.Teams:         `{"name":"x","shortName":"x","competitionId":"x"}`,
		files.Players:       `{"name":"x","teamId":"x"}`,
		files.Matches:       `{"status":"live","competitionId":"x","kickoffAt":"2000-01-01T00:00:00Z","homeTeamId":"home of x","awayTeamId":"away of x","score":{"home":0,"away":0}}`,
	}[of]
	if string(valueOf(patch, "status")) == `"upcoming"` {
		text = `{"competitionId":"x","kickoffAt":"2000-01-01T00:00:00Z","homeTeamId":"home of x","awayTeamId":"away of x"}`
	}
	all, _ := membersOf([]byte(text))
	return all
}
