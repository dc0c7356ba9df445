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
	key   string                      // of the match
	first dataset.Origin              // the first row
	lists map[string][]jsontext.Value // events, lineups.home.bench and the like, by the path
	once  map[string]jsonl.Object     // what lineups, and each side of them, have besides
	rows  map[string]dataset.Origin   // of the path to what a row gives, such as events[2]
	names bool                        // a row has a player's name or number in the place of the id
	taken bool
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
		p = &parts{key: w.Key, first: at, lists: map[string][]jsontext.Value{}, once: map[string]jsonl.Object{}, rows: map[string]dataset.Origin{}}
		r.parts[id] = p
		r.partsInOrder = append(r.partsInOrder, p)
	}
	row = row.Given().Without("match")
	p.names = p.names || slices.ContainsFunc(names.Namings[files.Events], func(n names.Naming) bool { return row.Of(n.Column) != nil })
	if of == files.Events {
		p.add("events", row, at)
	} else if wrong := p.lineup(row, at); wrong != "" {
		r.faults.Add(dataset.Fault{File: at.File, Line: at.Line, Field: wrong, Message: "must be one of " + strings.Join(details.ColumnValues(wrong), ", ")})
	}
}

func (p *parts) add(list string, row jsonl.Object, at dataset.Origin) {
	p.rows[fmt.Sprintf("%s[%d]", list, len(p.lists[list]))] = at
	p.lists[list] = append(p.lists[list], row.Text())
}

// lineup adds a row to the line-ups. Wrong is a column whose value the column does not take.
func (p *parts) lineup(row jsonl.Object, at dataset.Origin) (wrong string) {
	side, list := jsonl.TextOf(row.Of("side")), cmp.Or(jsonl.TextOf(row.Of("list")), details.Starting)
	for _, c := range [][2]string{{"side", side}, {"list", list}} {
		if !slices.Contains(details.ColumnValues(c[0]), c[1]) {
			return c[0]
		}
	}
	const lineups = "lineups"
	of, isEntry := lineups+"."+side, row.Of("list") != nil
	if p.once[lineups] == nil {
		p.once[lineups] = jsonl.Object{{Name: "confirmed", Value: jsontext.Value("true")}}
	}
	var entry jsonl.Object
	for _, m := range row {
		in := of
		switch m.Name {
		case "side", "list":
			continue
		case "confirmed":
			in = lineups
		case "formation", "coach":
		default:
			entry, isEntry = append(entry, m), true
			continue
		}
		p.once[in] = append(p.once[in].Without(m.Name), m)
		p.rows[in+"."+m.Name] = at
	}
	if !isEntry { // what the side has once
		return ""
	}
	if entry.Of("playerId") == nil {
		entry = append(entry, jsonl.Member{Name: "playerId", Value: jsontext.Value("null")})
	}
	p.add(of+"."+list, entry, at)
	return ""
}

// fields are those of the match.
func (p *parts) fields() (all jsonl.Object) {
	if events := p.lists["events"]; events != nil {
		all = append(all, jsonl.Member{Name: "events", Value: jsonl.ListText(events)})
	}
	lineups := p.once["lineups"]
	if lineups == nil {
		return all
	}
	for _, side := range details.ColumnValues("side") {
		of := "lineups." + side
		squad := p.once[of]
		for _, list := range details.ColumnValues("list") {
			squad = append(squad, jsonl.Member{Name: list, Value: jsonl.ListText(p.lists[of+"."+list])})
		}
		lineups = append(lineups, jsonl.Member{Name: side, Value: squad.Text()})
	}
	return append(all, jsonl.Member{Name: "lineups", Value: lineups.Text()})
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
		stored, err := r.storedOf(ctx, sport.KindMatch, p.key)
		if err != nil {
			return err
		}
		if stored == nil {
			if !r.set.IsUnread(files.Matches) && !r.gives(sport.KindMatch, dataset.ID(sport.KindMatch, p.key), 0) {
				r.faults.Add(r.place(dataset.Fault{File: p.first.File, Line: p.first.Line, Field: "match", Message: fmt.Sprintf("is %q, which is no match, here or stored", p.key)}))
			}
			continue
		}
		r.set.Read(files.Matches, p.first.File)
		line := jsonl.Object{{Name: "id", Value: jsonl.Quoted(p.key)}, {Name: "patch", Value: jsontext.Value("true")}}
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
	columns := []string{field}
	if field == "kickoffAt" {
		columns = append(columns, "kickoffLocal")
	}
	for _, some := range &names.Namings {
		for _, n := range some {
			if n.Field == field {
				columns = append(columns, n.Column)
			}
		}
	}
	for _, in := range r.headings[f.File] {
		heading, cell := in.Heading(f.Line, columns...)
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
