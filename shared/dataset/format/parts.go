package format

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset"
	"touchline/shared/dataset/details"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/sport"
)

// parts are what the sheets events and lineups give of a match, in the place of what is
// stored: a row each (dataset.md). They are read before the matches. The record of a match
// takes them as if it gave them itself; of one that the dataset does not give otherwise
// they are a patch.
type parts struct {
	key       string         // of the match
	first     dataset.Origin // the first row
	events    []jsontext.Value
	sides     map[sport.Side]*squadRows // nil: no line-ups
	confirmed jsontext.Value
	rows      map[string]dataset.Origin // of the path to what a row gives, such as events[2]
	names     bool                      // a row has a player's name or number in the place of the id
	taken     bool
}

// squadRows are the rows of a side's line-up.
type squadRows struct {
	once            jsonl.Object // formation and coach
	starting, bench []jsontext.Value
}

// part reads a row of events or of lineups.
func (r *reader) part(of files.Kind, row jsonl.Object, at dataset.Origin) {
	w, ok := wantedBy(files.Matches, jsonl.Object{{Name: "id", Value: row.Of("match")}})
	if !ok {
		r.faults.Add(dataset.Fault{File: at.File, Line: at.Line, Field: "match", Message: "is missing: it is the id of a match"})
		return
	}
	id := dataset.ID(sport.KindMatch, w.Key)
	p := r.parts[id]
	if p == nil {
		p = &parts{key: w.Key, first: at, rows: map[string]dataset.Origin{}}
		r.parts[id] = p
		r.partsInOrder = append(r.partsInOrder, p)
	}
	row = slices.DeleteFunc(row.Given(), func(m jsonl.Member) bool { return m.Name == "match" })
	p.names = p.names || slices.ContainsFunc(names.Namings[files.Events], func(n names.Naming) bool { return row.Of(n.Column) != nil })
	if of == files.Events {
		p.rows[fmt.Sprintf("events[%d]", len(p.events))] = at
		p.events = append(p.events, row.Text())
		return
	}
	if wrong := p.lineup(row, at); wrong != "" {
		r.faults.Add(dataset.Fault{File: at.File, Line: at.Line, Field: wrong, Message: "must be one of " + strings.Join(details.ColumnValues(wrong), ", ")})
	}
}

// lineup adds a row to the line-ups. Wrong is a column whose value the column does not take.
func (p *parts) lineup(row jsonl.Object, at dataset.Origin) (wrong string) {
	sideName, list := names.TextOf(row.Of("side")), cmp.Or(names.TextOf(row.Of("list")), details.Starting)
	for name, value := range map[string]string{"side": sideName, "list": list} {
		if !slices.Contains(details.ColumnValues(name), value) {
			return name
		}
	}
	if p.sides == nil {
		p.sides = map[sport.Side]*squadRows{}
	}
	s := p.sides[sport.Side(sideName)]
	if s == nil {
		s = &squadRows{}
		p.sides[sport.Side(sideName)] = s
	}
	entry := jsonl.Object{}
	isEntry := row.Of("list") != nil
	for _, m := range row {
		switch m.Name {
		case "side", "list":
		case "confirmed":
			p.confirmed = m.Value
		case "formation", "coach":
			s.once = append(slices.DeleteFunc(s.once, func(o jsonl.Member) bool { return o.Name == m.Name }), m)
			p.rows["lineups."+sideName+"."+m.Name] = at
		default:
			entry, isEntry = append(entry, m), true
		}
	}
	if !isEntry { // what the side has once
		return ""
	}
	if entry.Of("playerId") == nil {
		entry = append(entry, jsonl.Member{Name: "playerId", Value: jsontext.Value("null")})
	}
	to := &s.starting
	if list == details.Bench {
		to = &s.bench
	}
	p.rows[fmt.Sprintf("lineups.%s.%s[%d]", sideName, list, len(*to))] = at
	*to = append(*to, entry.Text())
	return ""
}

// fields are those of the match.
func (p *parts) fields() (all jsonl.Object) {
	if p.events != nil {
		all = append(all, jsonl.Member{Name: "events", Value: listOf(p.events)})
	}
	if p.sides == nil {
		return all
	}
	confirmed := p.confirmed
	if confirmed == nil {
		confirmed = jsontext.Value("true")
	}
	lineups := jsonl.Object{{Name: "confirmed", Value: confirmed}}
	for _, side := range sport.Sides() {
		s := p.sides[side]
		if s == nil {
			s = &squadRows{}
		}
		squad := append(slices.Clone(s.once), jsonl.Member{Name: details.Starting, Value: listOf(s.starting)}, jsonl.Member{Name: details.Bench, Value: listOf(s.bench)})
		lineups = append(lineups, jsonl.Member{Name: string(side), Value: squad.Text()})
	}
	return append(all, jsonl.Member{Name: "lineups", Value: lineups.Text()})
}

func listOf(values []jsontext.Value) jsontext.Value {
	list := []byte{'['}
	for i, v := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, v...)
	}
	return append(list, ']')
}

// withParts gives a record of a match what sheets say of it, unless it is faulty.
func (r *reader) withParts(ctx context.Context, of files.Kind, record jsonl.Object, at dataset.Origin, faulty bool) (jsonl.Object, error) {
	if of != files.Matches || len(r.parts) == 0 {
		return record, nil
	}
	w, _ := wantedBy(of, record)
	p := r.parts[dataset.ID(sport.KindMatch, w.Key)]
	if p == nil || p.taken || record.Of("deleted").Kind() == 't' || record.Of("erase").Kind() == 't' {
		return record, nil
	}
	if p.taken = true; faulty {
		return record, nil
	}
	r.placed[at] = p
	if err := r.players(ctx, p, record); err != nil {
		return nil, err
	}
	for _, m := range p.fields() {
		if record.Of(m.Name) != nil || m.Name == "events" && record.Of(appendEvents) != nil {
			r.faults.Add(dataset.Fault{File: at.File, Line: at.Line, Field: m.Name, Message: "is given by " + p.first.File + ", too"})
			continue
		}
		record = append(record, m)
	}
	return record, nil
}

// restOfParts reads those of matches that the dataset does not give otherwise.
func (r *reader) restOfParts(ctx context.Context) error {
	for _, p := range r.partsInOrder {
		if p.taken {
			continue
		}
		r.set.Read(files.Matches, p.first.File)
		line := jsonl.Object{{Name: "id", Value: names.Quoted(p.key)}, {Name: "patch", Value: jsontext.Value("true")}}
		if err := r.players(ctx, p, line); err != nil {
			return err
		}
		line = append(line, p.fields()...)
		r.placed[p.first], p.taken = p, true
		if err := r.record(ctx, files.Matches, line.Text(), p.first); err != nil {
			return err
		}
	}
	return nil
}

// placeOf is where a field of a record stands: in a row of a sheet of its own, or in the
// record.
func (r *reader) placeOf(at dataset.Origin, field string) (dataset.Origin, string) {
	p := r.placed[at]
	if p == nil {
		return at, field
	}
	for path := field; path != ""; {
		if row, ok := p.rows[path]; ok {
			if rest := strings.TrimPrefix(field[len(path):], "."); rest != "" {
				return row, rest
			}
			return row, path[strings.LastIndex(path, ".")+1:]
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	if field == "id" && at == p.first {
		return at, "match"
	}
	return at, field
}

// place is a fault where its field stands.
func (r *reader) place(f dataset.Fault) dataset.Fault {
	at, field := r.placeOf(dataset.Origin{File: f.File, Line: f.Line}, f.Field)
	f.File, f.Line, f.Field = at.File, at.Line, field
	for _, in := range r.headings[f.File] {
		heading, cell := in.Heading(field, f.Line)
		if heading == "" && field == "kickoffAt" {
			heading, cell = in.Heading("kickoffLocal", f.Line)
		}
		if name, inBook := files.SheetOf(f.File); inBook && cell != "" {
			f.Cell = name + "!" + cell
		}
		if heading != "" && field != "" {
			f.Field = heading
			break
		}
	}
	return f
}
