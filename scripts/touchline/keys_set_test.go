package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/apikeys"
	"touchline/shared/keys"
)

func TestSetChangesWhatIsNamed(t *testing.T) {
	term := keeper(t)
	k := create(t, term, "--scope=teams:read", "--descendants", "--allow-ip=10.0.0.1", "--label=old")
	out := term.succeed(t, "keys", "set", k.ID, "--monthly-quota=50000", "--no-descendants", "--allow-any-ip", "--label=new", "--all-scopes", "--expires=2027-01-01T00:00:00Z")
	want := `label         old -> new
descendants   yes -> no
scopes        teams:read -> all
allowed from  10.0.0.1/32 -> -
quota         10000 a month -> 50000 a month
expires       - -> 2027-01-01T00:00:00Z
`
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
	var changed struct{ Before, After keys.Key }
	must(t, json.Unmarshal([]byte(term.succeed(t, "keys", "set", k.ID, "--default-quota", "--never-expires", "--label=", "--no-scopes", "--json")), &changed))
	if b, a := changed.Before, changed.After; b.Quota() != 50000 || a.Quota() != keys.DefaultMonthlyQuota || a.ExpiresAt != nil || a.Label != "" || len(a.Scopes) != 0 || a.Current.ID != k.Current.ID {
		t.Errorf("%+v", changed)
	}
	if diff := cmp.Diff([]string{k.Secret}, opened(t, term, k.ID)); diff != "" {
		t.Errorf("the secret: %s", diff)
	}
	term.succeed(t, "keys", "set", k.ID, "--default-quota")
	if !strings.Contains(term.Errors.String(), "nothing to change") {
		t.Error(term.Errors.String())
	}
}

func TestSetRefuses(t *testing.T) {
	term := keeper(t)
	k := create(t, term)
	gone := create(t, term)
	term.succeed(t, "keys", "revoke", gone.ID)
	for _, tt := range []struct {
		args string
		code int
		says string
	}{
		{k.ID, exitUsage, "nothing is said"},
		{k.ID + " --monthly-quota=0", exitUsage, "would never work"},
		{k.ID + " --monthly-quota=-1", exitUsage, "--monthly-quota"},
		{k.ID + " --scope=x:read", exitUsage, "--scope"},
		{k.ID + " --allow-ip=home", exitUsage, "--allow-ip"},
		{k.ID + " --expires=2020-01-01T00:00:00Z", exitUsage, "--expires"},
		{k.ID + " --label=a\x1bb", exitUsage, "--label"},
		{k.ID + " --scope=teams:read --all-scopes", exitUsage, "can't be used together"},
		{"tk_none --label=x", exitFailed, "keys list"},
		{gone.ID + " --label=x", exitFailed, "is revoked"},
	} {
		term.fails(t, tt.code, tt.says, append([]string{"keys", "set"}, strings.Fields(tt.args)...)...)
	}
	if shown := term.succeed(t, "keys", "show", k.ID); strings.Contains(shown, "expires") || strings.Contains(shown, "label") {
		t.Errorf("changed by what was refused: %s", shown)
	}
}

func TestUsageCountsByOrganization(t *testing.T) {
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+t.TempDir())
	for range 3 {
		s.get(t, "/v1/organizations/"+s.Organization)
	}
	other := s.beside()
	out := other.succeed(t, "usage")
	for _, part := range []string{s.Organization, "Small", "2026-03", "3", "10000", "0.0 %"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in %s", part, out)
		}
	}
	second := s.beside()
	must(t, json.Unmarshal([]byte(second.succeed(t, "keys", "create", "--organization", s.Organization, "--monthly-quota=3", "--json")), &apikeys.IssuedKey{}))
	if said := second.Errors.String(); !strings.Contains(said, "have sent 3 requests this month: with 3 this key gets 429 until 2026-04-01") {
		t.Error(said)
	}
	if out := other.succeed(t, "usage"); !strings.Contains(out, "gets 429 until 2026-04-01") || strings.Count(out, "\n") != 3 {
		t.Error(out)
	}
	second.succeed(t, "keys", "set", s.KeyID, "--monthly-quota=4")
	if said := second.Errors.String(); strings.Contains(said, "429") {
		t.Error(said)
	}
	second.succeed(t, "keys", "set", s.KeyID, "--monthly-quota=2")
	if said := second.Errors.String(); !strings.Contains(said, "with 2 this key gets 429") {
		t.Error(said)
	}
	second.succeed(t, "keys", "create", "--organization", "club")
	if said := second.Errors.String(); !strings.Contains(said, "scorers of its leagues need a key of the organization that runs them") {
		t.Error(said)
	}
	second.succeed(t, "keys", "set", s.KeyID, "--default-quota")
	if list := other.succeed(t, "keys", "list"); !strings.Contains(list, "3 of 10000") || !strings.Contains(list, "Small") {
		t.Error(list)
	}
	var rows []keys.Use
	if err := json.Unmarshal([]byte(other.succeed(t, "usage", "--json", "--organization=club")), &rows); err != nil || len(rows) != 1 || rows[0].Used != 0 || rows[0].Name != "FC" {
		t.Errorf("%+v, %v", rows, err)
	}
	if out := other.succeed(t, "usage", "--month=2026-02"); out != "" || !strings.Contains(other.Errors.String(), "no request") {
		t.Errorf("%s%s", out, other.Errors.String())
	}
	other.fails(t, exitUsage, "", "usage", "--month=March")
}

func TestAKeyShowsWhoChangedIt(t *testing.T) {
	term := keeper(t)
	issued := create(t, term, "--label=press")
	term.succeed(t, "keys", "set", issued.ID, "--label=", "--monthly-quota=5")
	_, changes, _ := strings.Cut(term.succeed(t, "keys", "show", issued.ID), "\n\n")
	lines := strings.Split(changes, "\n")
	if len(lines) != 4 || !strings.HasSuffix(lines[1], "  made") || !strings.Contains(lines[1], "@") ||
		!strings.HasSuffix(lines[2], "  label: press -> -; quota: 10000 a month -> 5 a month") {
		t.Errorf("%q", lines)
	}
	var k keys.Key
	must(t, json.Unmarshal([]byte(term.succeed(t, "keys", "show", "--json", issued.ID)), &k))
	if len(k.History) != 2 || k.History[1].Changes[1].After != "5 a month" {
		t.Errorf("%+v", k.History)
	}
}
