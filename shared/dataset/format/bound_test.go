package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// organization is a club with further fields.
func organization(fields string) string { return `{"id":"o","type":"club","name":"O",` + fields + `}` }

// named is a club of a name, as JSON writes it.
func named(name string) string { return `{"id":"o","type":"club","name":"` + name + `"}` }

// entriesOfList joins n elements.
func entriesOfList(n int, element func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = element(i)
	}
	return strings.Join(all, ",")
}

func TestBoundsOfTexts(t *testing.T) {
	const separator = "holds the line or paragraph separator "
	const direction = ", which changes the direction of the text around it"
	testDefects(t, []defect{
		{"a control character", "organizations", []string{named(`A\u0007`)}, 1, "name", "holds the control character U+0007"},
		{"a line feed", "organizations", []string{organization(`"description":"a\nb"`)}, 1, "description", "holds a line break: put a space in its place"},
		{"delete", "organizations", []string{named("A\x7f")}, 1, "name", "holds the control character U+007F"},
		{"a line separator", "organizations", []string{named("A\u2028")}, 1, "name", separator + "U+2028"},
		{"an override", "organizations", []string{named("A\u202e")}, 1, "name", "holds U+202E" + direction},
		{"an isolate", "organizations", []string{named("A\u2066")}, 1, "name", "holds U+2066" + direction},
		{"a control character in an id", "organizations", []string{`{"id":"a\u0000","type":"club","name":"A"}`}, 1, "id", "holds the control character U+0000"},
		{"an override in a reference", "organizations", []string{organization(`"parentId":"a` + "\u202d" + `"`)}, 1, "parentId", "holds U+202D" + direction},
		{"white space before an id", "organizations", []string{`{"id":" a","type":"club","name":"A"}`}, 1, "id", "must not begin or end with white space"},
		{"a description", "organizations", []string{organization(`"description":"` + strings.Repeat("ä", 2001) + `"`)}, 1, "description", "is longer than 2000 characters"},
		{"a formation", "matches", []string{match(strings.Replace(lineups("", ""), `"home":{`, `"home":{"formation":"`+strings.Repeat("4", 21)+`",`, 1))}, 1, "lineups.home.formation", "is longer than 20 characters"},
		{"a grid", "matches", []string{match(lineups(`{"playerId":"p","grid":"1000:100"}`, ""))}, 1, "lineups.home.starting[0].grid", "is longer than 7 characters"},
	})
}

func TestTextsWithinTheirBoundsAreRead(t *testing.T) {
	decomposed := strings.Repeat("a\u0308", 200) // 400 code points, 200 characters after NFC
	for _, line := range []string{
		named(decomposed), named(strings.Repeat("😀", 200)), named("A\u200dB \u00a0 C"),
		organization(`"description":"` + strings.Repeat("ä", 2000) + `"`),
		`{"id":"` + decomposed + `","type":"club","name":"A"}`,
		organization(`"logo":"https://example.org/` + strings.Repeat("x", 2048-len("https://example.org/")) + `"`),
	} {
		if faults := faultsOf(t, map[string]string{"organizations": line}); faults != nil {
			t.Errorf("%.60s: %v", line, faults)
		}
	}
	set := mustRead(t, map[string]string{"organizations": named("A\u0308")})
	if got := set.Organizations[0].Value.Name; got != "A\u0308" {
		t.Errorf("the name is %q: it is not kept as given", got)
	}
}

func TestURLsAreOfTheWeb(t *testing.T) {
	const absolute = "must be an absolute http or https URL, such as https://example.org/logo.png"
	for url, want := range map[string]string{
		"https://example.org/logo.png?a=b#c":   "",
		"HTTP://example.org":                   "",
		"https://[2001:db8::1]:8443/l":         "",
		"https://münchen.example/ü":            "",
		"javascript:alert(1)":                  absolute,
		"data:text/html,x":                     absolute,
		"//example.org/logo.png":               absolute,
		"/logo.png":                            absolute,
		"logo":                                 absolute,
		"":                                     absolute,
		"ftp://example.org/l":                  absolute,
		"https://":                             absolute,
		"https://:443/l":                       absolute,
		`https://good.example\\@evil.example/`: absolute,
		"https://u@example.org/":               "must be a URL without a user name or password",
		"https://u:p@example.org/":             "must be a URL without a user name or password",
		"https://example.org/a b":              "must be a URL without white space",
		"https://example.org/\u202e":           "holds U+202E, which changes the direction of the text around it",
		"https://example.org/" + strings.Repeat("x", 2048): "is longer than 2048 bytes",
	} {
		got := ""
		for _, f := range faultsOf(t, map[string]string{"organizations": organization(`"logo":"` + url + `"`)}) {
			got += f.Field + " " + f.Message
		}
		if want != "" {
			want = "logo " + want
		}
		if got != want {
			t.Errorf("%.60q: %q, want %q", url, got, want)
		}
	}
}

// An accent may be typed as one code point or as two.
func TestIDsThatLookAlikeAreOne(t *testing.T) {
	set := mustRead(t, map[string]string{
		"organizations": `{"id":"z\u00fcrich","type":"club","name":"A"}`,
		"teams":         `{"id":"t","name":"T","shortName":"T","organizationId":"zu\u0308rich"}`,
		"matches":       match(`"events":[{"id":"e\u0301","type":"goal","minute":1,"side":"home"}]`),
	})
	want := dataset.ID(sport.KindOrganization, "zu\u0308rich")
	if got := set.Organizations[0].ID; got != want || got != sport.IDFor(sport.KindOrganization, "zürich") {
		t.Errorf("the id is %s, want %s", got, want)
	}
	if got := set.Teams[0].Value.OrganizationID; got != want {
		t.Errorf("the reference is %s, want %s", got, want)
	}
	if got := set.Organizations[0].Key; got != "zürich" {
		t.Errorf("the key is %q", got)
	}
	if got := set.Matches.At(0).Value.Full().Events[0].ID; got != sport.IDFor(sport.KindEvent, "\u00e9") {
		t.Errorf("the event's id is %s", got)
	}
}

func TestBoundsOfLists(t *testing.T) {
	entry := func(i int) string { return fmt.Sprintf(`{"playerId":"p%d"}`, i) }
	row := func(i int) string {
		return fmt.Sprintf(`{"teamId":"t%d","rank":1,"played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0}`, i)
	}
	event := func(int) string { return `{"type":"goal","minute":1,"side":"home"}` }
	group := func(i int) string { return fmt.Sprintf(`{"id":"g%d","name":"G","order":1}`, i) }
	parent := func(i int) string { return fmt.Sprintf(`"p%d"`, i) }
	table := func(n int) string {
		return `{"competitionId":"c","season":2025,"table":"regular","rows":[` + entriesOfList(n, row) + `]}` // above 1 MiB
	}
	for _, c := range []struct {
		name, file, field, message string
		line                       func(n int) string
		most                       int
	}{
		{"additional parents", "organizations", "additionalParentIds", "has more than 16 entries", func(n int) string {
			return organization(`"additionalParentIds":[` + entriesOfList(n, parent) + `]`)
		}, 16},
		{"groups", "competitions", "groups", "has more than 1000 entries", func(n int) string {
			return competition(`"season":2025,"groups":[` + entriesOfList(n, group) + `]`)
		}, 1000},
		{"starters", "matches", "lineups.home.starting", "has more than 60 entries", func(n int) string {
			return match(lineups(entriesOfList(n, entry), ""))
		}, 60},
		{"a side", "matches", "lineups.home.bench", "brings the side to more than 60 players", func(n int) string {
			side := strings.Replace(lineups(entriesOfList(20, entry), ""), `"bench":[]`, `"bench":[`+entriesOfList(n-20, func(i int) string { return entry(20 + i) })+`]`, 1)
			return match(side)
		}, 60},
		{"events", "matches", "events", "has more than 400 entries", func(n int) string {
			return match(`"events":[` + entriesOfList(n, event) + `]`)
		}, 400},
		{"rows", "standings", "rows", "has more than 10000 entries", table, 10_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(n int) error {
				_, err := Read(t.Context(), folder(map[string]string{c.file: c.line(n)}), Options{LineLimit: 2 << 20})
				return err
			}
			if err := read(c.most); err != nil {
				t.Errorf("%d are refused: %v", c.most, err)
			}
			want := dataset.Fault{File: c.file + ".ndjson", Line: 1, Field: c.field, Message: c.message}
			if err := read(c.most + 1); err == nil || err.Error() != want.Error() {
				t.Errorf("got %v, want %v", err, want)
			}
		})
	}
}

func TestBoundOfTheTeamsOfASeason(t *testing.T) {
	line := func(i int) string {
		return fmt.Sprintf(`{"id":"t%d","name":"T","shortName":"T","competitionId":"c","season":2025}`, i)
	}
	lines := make([]string, MaxTeams+2)
	for i := range lines {
		lines[i] = line(i)
	}
	lines[0] = strings.Replace(lines[0], "2025", "2024", 1)
	want := dataset.Fault{File: "teams.ndjson", Line: len(lines), Field: "competitionId", Message: "has more than 10000 teams in a season with this one"}
	if faults := faultsOf(t, map[string]string{"teams": lined(lines...)}); !cmp.Equal(faults, []dataset.Fault{want}) {
		t.Errorf("got %v, want %v", faults, want)
	}
}
