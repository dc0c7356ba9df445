package webconsole

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// as is a browser that is logged in to the same console with a role.
func (b *browser) as(t *testing.T, role Role) *browser {
	t.Helper()
	other := &browser{Server: b.Server}
	if w := other.open(t, b.Address(role)); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	return other
}

// What one may do is decided by the address that one has logged in with, and the next
// address is for the same.
func TestTheAddressSaysWhatASessionMayDo(t *testing.T) {
	first := loaded(t, league(), Options{})
	roles := []Role{{ReadOnly: true}, {Only: dataset.ID(sport.KindOrganization, "west")}, {}}
	var next []string
	first.options.Announce = func(role Role, address string) { next = append(next, role.String()+address) }
	browsers := map[Role]*browser{}
	for _, role := range roles {
		browsers[role] = first.as(t, role)
		if at := len(next) - 1; at < 0 || !strings.HasPrefix(next[at], role.String()+"http://") {
			t.Errorf("%v: the next address: %v", role, next)
		}
	}
	for role, want := range map[Role]int{roles[0]: 403, roles[1]: 403, roles[2]: 303} {
		b := browsers[role]
		var csrf string
		for _, s := range b.door.sessions {
			if s.role == role {
				csrf = s.csrf
			}
		}
		if w := b.send(http.MethodPost, "/loads/drop", url.Values{"csrf": {csrf}}.Encode(), nil); role.Only == "" && w.Code != want {
			t.Errorf("%v: %d, want %d", role, w.Code, want)
		}
		if w := b.send(http.MethodPost, "/loads/1/undo", url.Values{"csrf": {csrf}}.Encode(), nil); w.Code != want {
			t.Errorf("%v: undo: %d, want %d", role, w.Code, want)
		}
	}
}

// Every path that takes a POST is refused to a session that may only read.
func TestASessionThatReadsChangesNothing(t *testing.T) {
	b := loaded(t, league(), Options{}).as(t, Role{ReadOnly: true})
	for _, path := range []string{
		"/loads/upload", "/loads/apply", "/loads/drop", "/loads/1/undo", "/keys/new", "/keys/tk_x/set", "/keys/tk_x/rotate", "/keys/tk_x/retire", "/keys/tk_x/revoke",
		"/fixtures/" + idAt(sport.KindCompetition, "cup"), "/edit/match/" + idAt(sport.KindMatch, "M1"), "/edit/team/new", "/edit/match/x/delete", "/touchline/" + idAt(sport.KindMatch, "M1"),
	} {
		if w := b.post(path, nil); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := b.send(http.MethodGet, "/loads", "", nil); w.Code != http.StatusOK {
		t.Error(w.Code)
	}
	if w := b.post("/data/as", nil); w.Code != http.StatusSeeOther {
		t.Error(w.Code)
	}
}

// A session of an association edits its competitions, whatever a form of its says.
func TestASessionOfAnAssociationEditsItsCompetitions(t *testing.T) {
	b := loaded(t, league(), Options{}).as(t, Role{Only: dataset.ID(sport.KindOrganization, "west")})
	at := func(kind sport.Kind, key string) string { return "/edit/" + string(kind) + "/" + idAt(kind, key) }
	result := func(key string) url.Values {
		form := url.Values{}
		entry(form, key, "::upcoming", "1", "0", "upcoming")
		return form
	}
	cup, bowl := idAt(sport.KindCompetition, "cup"), idAt(sport.KindCompetition, "bowl")
	for _, tt := range []struct {
		path string
		form url.Values
		want int
	}{
		{"/fixtures/" + cup, result("M2"), 303},
		{"/fixtures/" + bowl, result("M9"), 403},
		{"/fixtures/" + cup, result("M9"), 403}, // a foreign match in a form of its own
		{at(sport.KindTeam, "a"), url.Values{"name": {"Aunts"}, "was.name": {"Ants"}}, 303},
		{at(sport.KindTeam, "e"), url.Values{"name": {"Eel"}, "was.name": {"Eels"}}, 403},
		{at(sport.KindPlayer, "p7"), url.Values{"teamId": {"b"}, "was.teamId": {"a"}}, 303},
		{at(sport.KindPlayer, "p7"), url.Values{"teamId": {"e"}, "was.teamId": {"a"}}, 403},
		{at(sport.KindCompetition, "cup"), url.Values{"organizationId": {"east"}, "was.organizationId": {"west"}}, 403},
		{at(sport.KindOrganization, "west"), url.Values{"name": {"W"}, "was.name": {"West"}}, 403},
		{at(sport.KindMatch, "M9") + "/delete", nil, 403},
		{"/edit/team/new?competitionId=" + cup + "&season=2025", url.Values{"id": {"new"}, "name": {"New"}, "shortName": {"N"}, "competitionId": {bowl}, "season": {"2025"}}, 403},
		{"/edit/organization/new", url.Values{"id": {"o"}, "name": {"O"}, "type": {"club"}}, 403},
		{"/edit/competition/new", url.Values{"id": {"k"}, "name": {"K"}, "season": {"2026"}, "organizationId": {"fed"}}, 403},
		{"/touchline/" + idAt(sport.KindMatch, "M9"), url.Values{"what": {"start"}}, 403},
		{"/loads/1/undo", nil, 403}, {"/loads/upload", nil, 403}, {"/keys/new", nil, 403},
	} {
		if w := b.post(tt.path, tt.form); w.Code != tt.want {
			t.Errorf("%s: %d, want %d", tt.path, w.Code, tt.want)
		}
	}
}
