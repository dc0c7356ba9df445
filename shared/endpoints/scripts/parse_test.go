package scripts

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// script is a file of testdata, read.
type script struct {
	file    string
	dataset string // a folder of testdata
	lines   []string
	keys    []line
	routes  []string
	cases   []*scene
}

// scene is a case: what follows a title.
type scene struct {
	title string
	steps []*step
}

// line is a line's words and its place.
type line struct {
	number int // from 1
	words  []string
}

// step is a directive, or a request with what is expected.
type step struct {
	line
	request *request
	expect  expectation
}

// request is what is sent.
type request struct {
	method, target string
	words          []string
}

// expectation is what an answer is held to.
type expectation struct {
	status  int
	refusal []string // code, field, bound; empty: none
	headers []pick
	fields  []pick
	body    string // empty: not held
	first   int    // line of the body, from 1; 0: none
	last    int
	row     bool
}

// pick is a name and the value that it has.
type pick struct {
	name, value string
	line        int
}

func read(t *testing.T, file string) *script {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{file: file, dataset: "norland", lines: strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")}
	if err := s.parse(); err != nil {
		t.Fatalf("%s:%v", file, err)
	}
	return s
}

// parse reads the lines; the error begins with the line's number.
func (s *script) parse() error {
	for at := 0; at < len(s.lines); at++ {
		text := s.lines[at]
		l := line{at + 1, strings.Fields(text)}
		if len(l.words) == 0 || strings.HasPrefix(text, "#") {
			continue
		}
		last, err := s.parseLine(l, text)
		if err != nil {
			return fmt.Errorf("%d: %w", l.number, err)
		}
		at = last - 1
	}
	return nil
}

// parseLine reads what begins on a line, and gives the number of its last one.
func (s *script) parseLine(l line, text string) (last int, err error) {
	title, titled := strings.CutPrefix(text, "== ")
	switch {
	case titled:
		s.cases = append(s.cases, &scene{title: title})
	case len(s.cases) > 0:
		return s.parseStep(s.cases[len(s.cases)-1], l)
	case l.words[0] == "dataset" && len(l.words) == 2:
		s.dataset = l.words[1]
	case l.words[0] == "key" && len(l.words) > 2:
		s.keys = append(s.keys, l)
	case l.words[0] == "route" && len(l.words) == 2:
		s.routes = append(s.routes, l.words[1])
	default:
		return 0, fmt.Errorf("not a dataset, a key, a route or a title: %s", text)
	}
	return l.number, nil
}

func (s *script) parseStep(c *scene, l line) (last int, err error) {
	switch l.words[0] {
	case "worker", "clock", "still":
		c.steps = append(c.steps, &step{line: l})
		return l.number, nil
	}
	if strings.ToUpper(l.words[0]) != l.words[0] || len(l.words) < 2 {
		return 0, fmt.Errorf("not a step: %s", strings.Join(l.words, " "))
	}
	r := request{method: l.words[0], target: l.words[1], words: l.words[2:]}
	next := l.number // index of the line after
	if next < len(s.lines) && strings.HasPrefix(s.lines[next], "|") {
		for ; next < len(s.lines) && strings.HasPrefix(s.lines[next], "|"); next++ {
			row, err := parseRow(line{next + 1, nil}, r, s.lines[next])
			if err != nil {
				return 0, fmt.Errorf("row on line %d: %w", next+1, err)
			}
			c.steps = append(c.steps, row)
		}
		return next, nil
	}
	x := &step{line: l, request: &r}
	c.steps = append(c.steps, x)
	for ; next < len(s.lines) && s.lines[next] != ""; next++ {
		if err := x.expect.parse(next+1, s.lines[next]); err != nil {
			return 0, fmt.Errorf("line %d: %w", next+1, err)
		}
	}
	if x.expect.status == 0 {
		return 0, fmt.Errorf("no status")
	}
	return next, nil
}

// parseRow reads "| suffix words | status | fields ; fields | remark".
func parseRow(l line, r request, text string) (*step, error) {
	cells := strings.Split(strings.Trim(text, "|"), "|")
	if len(cells) < 2 || len(cells) > 4 {
		return nil, fmt.Errorf("%d cells", len(cells))
	}
	added := strings.Fields(cells[0])
	if len(added) > 0 && (strings.HasSuffix(r.target, "/") || strings.ContainsAny(added[0][:1], "?/&%")) {
		r.target += added[0]
		added = added[1:]
	}
	r.words = append(append([]string{}, r.words...), added...)
	x := &step{line: l, request: &r}
	x.words = strings.Fields(r.method + " " + r.target + " " + strings.Join(r.words, " "))
	if err := x.expect.parse(l.number, strings.TrimSpace(cells[1])); err != nil {
		return nil, err
	}
	x.expect.row = true
	if len(cells) > 2 && strings.TrimSpace(cells[2]) != "" {
		for part := range strings.SplitSeq(cells[2], " ; ") {
			if err := x.expect.parse(l.number, strings.TrimSpace(part)); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

// parse adds a line to what is expected.
func (e *expectation) parse(number int, text string) error {
	name, value, isField := strings.Cut(text+" ", " = ")
	header, content, isHeader := strings.Cut(text, ": ")
	switch {
	case e.first != 0 || strings.HasPrefix(text, "{"):
		if e.first == 0 {
			e.first = number
		}
		e.last = number
		e.body += text + "\n"
	case e.status == 0:
		words := strings.Fields(text)
		status, err := strconv.Atoi(words[0])
		if err != nil {
			return fmt.Errorf("not a status: %s", text)
		}
		e.status, e.refusal = status, words[1:]
	case isField:
		e.fields = append(e.fields, pick{name, strings.TrimSpace(value), number})
	case isHeader:
		e.headers = append(e.headers, pick{header, content, number})
	default:
		return fmt.Errorf("not a header, a field or a body: %s", text)
	}
	return nil
}
