package spreadsheet

import (
	"cmp"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/details"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// partFiles are the files of what matches have in sheets of their own. One is made for the
// first line of it.
type partFiles struct {
	export *Export
	files  [2]io.WriteCloser // of events, and of line-ups
}

// take writes the events and the line-ups of a match, and gives the rest of it.
func (p *partFiles) take(of files.Kind, record jsonl.Object) (rest jsonl.Object, err error) {
	if of != files.Matches {
		return record, nil
	}
	match := jsonl.Member{Name: "match", Value: record.Of("id")}
	for _, m := range record {
		switch m.Name {
		case "events":
			events, _ := jsonl.Items(m.Value) // it was written so
			for _, event := range events {
				fields, _ := jsonl.Split(event)
				err = cmp.Or(err, p.write(files.Events, append(jsonl.Object{match}, fields...)))
			}
		case "lineups":
			lineups, _ := jsonl.Split(m.Value)
			for _, row := range lineupRows(lineups) {
				err = cmp.Or(err, p.write(files.Lineups, append(jsonl.Object{match}, row...)))
			}
		default:
			rest = append(rest, m)
		}
	}
	return rest, err
}

// lineupRows are the line-ups of a match as rows: what a side has once is in its first.
func lineupRows(lineups jsonl.Object) (rows []jsonl.Object) {
	confirmed := jsonl.Object{{Name: "confirmed", Value: lineups.Of("confirmed")}}
	for _, side := range sport.Sides() {
		squad, _ := jsonl.Split(lineups.Of(string(side)))
		var once jsonl.Object
		for _, m := range squad {
			if m.Name != details.Starting && m.Name != details.Bench {
				once = append(once, m)
			}
		}
		first := append(confirmed, once...)
		row := jsonl.Object{{Name: "side", Value: jsonl.Quoted(side)}}
		for _, list := range details.ColumnValues("list") {
			entries, _ := jsonl.Items(squad.Of(list))
			for _, entry := range entries {
				fields, _ := jsonl.Split(entry)
				fields = append(jsonl.Object{row[0], {Name: "list", Value: jsonl.Quoted(list)}}, fields...)
				rows = append(rows, append(fields, first...))
				first, confirmed = nil, nil
			}
		}
		if len(once) > 0 && first != nil {
			rows, confirmed = append(rows, append(row, first...)), nil
		}
	}
	if rows == nil {
		rows = []jsonl.Object{append(jsonl.Object{{Name: "side", Value: jsontext.Value(`"home"`)}}, confirmed...)}
	}
	return rows
}

func (p *partFiles) write(of files.Kind, line jsonl.Object) (err error) {
	to := &p.files[of-files.Events]
	if *to == nil {
		*to, err = p.export.Create(of.String() + ".ndjson")
	}
	if err == nil {
		_, err = (*to).Write(append(line.Given().Text(), '\n'))
	}
	return err
}

// close writes the sheets.
func (p *partFiles) close() (err error) {
	for _, f := range p.files {
		if f != nil {
			err = cmp.Or(err, f.Close())
		}
	}
	return err
}
