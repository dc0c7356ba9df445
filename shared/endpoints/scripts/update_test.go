package scripts

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// edit replaces lines up to last by text.
type edit struct {
	last int
	text string
}

// editField writes the value of a field, in a line of its own or in a row.
func (r *run) editField(f pick, got string) {
	line := r.lines[f.line-1]
	if e, edited := r.edits[f.line]; edited {
		line = e.text
	}
	was, is := strings.TrimSpace(f.name+" = "+f.value), strings.TrimSpace(f.name+" = "+got)
	r.edits[f.line] = edit{f.line, strings.TrimRight(strings.Replace(line, was, is, 1), " ")}
}

// write writes the script with its edits.
func (r *run) write(t *testing.T) {
	t.Helper()
	var out []string
	for i := 0; i < len(r.lines); i++ {
		e, edited := r.edits[i+1]
		if !edited {
			out = append(out, r.lines[i])
			continue
		}
		out = append(out, e.text)
		i = e.last - 1
	}
	if err := os.WriteFile(r.file, []byte(strings.Join(out, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// width is how long a line of a body may be before it is broken.
const width = 140

// layout writes JSON as a person would: what fits on a line is on one, and the
// order of fields stays.
func layout(body string) string {
	var b strings.Builder
	put(&b, json.RawMessage(strings.TrimSpace(body)), "")
	return b.String()
}

func put(b *strings.Builder, raw json.RawMessage, indent string) {
	parts, keys, opening := split(raw)
	if line := spaced(raw); opening == 0 || len(indent)+len(line) <= width {
		b.WriteString(line)
		return
	}
	b.WriteByte(opening)
	column := width // so that the first member begins a line
	for i, part := range parts {
		text := ""
		if keys != nil {
			text = keys[i] + ": "
		}
		line := text + spaced(part)
		if fits := len(indent) + 2 + len(line) + 1; fits <= width {
			text = line
		} else {
			var broken strings.Builder
			put(&broken, part, indent+"  ")
			text += broken.String()
		}
		// Members of an object share lines, items of a list do not.
		if opening == '{' && !strings.Contains(text, "\n") && column+1+len(text)+1 <= width {
			b.WriteByte(' ')
			column += 1 + len(text) + 1
		} else {
			b.WriteString("\n" + indent + "  ")
			column = len(indent) + 2 + len(text) + 1
		}
		b.WriteString(text)
		if i < len(parts)-1 {
			b.WriteByte(',')
		}
		if strings.Contains(text, "\n") {
			column = width
		}
	}
	b.WriteString("\n" + indent + map[byte]string{'{': "}", '[': "]"}[opening])
}

// spaced is a value on one line.
func spaced(raw json.RawMessage) string {
	parts, keys, opening := split(raw)
	if opening == 0 {
		return string(raw)
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = spaced(part)
		if keys != nil {
			texts[i] = keys[i] + ": " + texts[i]
		}
	}
	if opening == '{' {
		return "{" + strings.Join(texts, ", ") + "}"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// split takes an object or a list apart; opening is 0 for anything else.
func split(raw json.RawMessage) (parts []json.RawMessage, keys []string, opening byte) {
	if len(raw) == 0 || !slices.Contains([]byte("{["), raw[0]) {
		return nil, nil, 0
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if _, err := d.Token(); err != nil {
		return nil, nil, 0
	}
	for d.More() {
		if raw[0] == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, nil, 0
			}
			quoted, _ := plain(key)
			if !strings.HasPrefix(quoted, `"`) {
				quoted = `"` + quoted + `"`
			}
			keys = append(keys, quoted)
		}
		var part json.RawMessage
		if err := d.Decode(&part); err != nil {
			return nil, nil, 0
		}
		parts = append(parts, part)
	}
	return parts, keys, raw[0]
}
