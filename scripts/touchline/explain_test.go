package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheOrderOfATableIsExplained(t *testing.T) {
	term, dir := importer(t)
	data := filepath.Join("..", "..", "shared", "endpoints", "scripts", "testdata")
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join(data, "stages"))))
	term.succeed(t, "import", dir)

	main := term.succeed(t, "explain-table", "main")
	for _, line := range []string{
		"Main round, season 2025", "points 3, 2",
		"head to head of 2: points 2, 0", // the match that they brought along
	} {
		if !strings.Contains(main, line) {
			t.Errorf("%q is not in\n%s", line, main)
		}
	}
	if upper := term.succeed(t, "explain-table", "--season", "2025", "upper"); !strings.Contains(upper, "halfPoint 1, 0") || !strings.Contains(upper, "carried 3") {
		t.Error(upper)
	}
	var table explained
	if err := json.Unmarshal([]byte(term.succeed(t, "explain-table", "--json", "lower")), &table); err != nil || len(table.Rows) != 3 {
		t.Fatalf("%+v, %v", table, err)
	}
	if d := table.Rows[0].Decided; d == nil || *d != (decision{By: "goalDiff", Above: "-1", Below: "-3"}) {
		t.Errorf("%+v", d)
	}
	if table.Rows[2].Decided != nil {
		t.Error("the last row is above another")
	}
	table = explained{}
	other, _ := importer(t)
	other.succeed(t, "import", filepath.Join(data, "rulebook"))
	if err := json.Unmarshal([]byte(other.succeed(t, "explain-table", "--json", "given")), &table); err != nil || !table.Given || len(table.Rows) != 2 || table.Rows[0].Points != 12 || table.Rows[0].Decided != nil || len(table.Rows[0].Sources) > 0 {
		t.Errorf("%+v, %v", table, err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"nothing"}, `holds no competition "nothing"`},
		{[]string{"main", "--season", "1999"}, `holds no season 1999 of competition "main"; it has 2025`},
	} {
		term.fails(t, exitFailed, c.want, append([]string{"explain-table"}, c.args...)...)
	}
}
