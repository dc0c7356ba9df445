package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/database"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/sport"
	"touchline/shared/store/file"
)

// keeper is a terminal with data of its own, which are empty, and a master key of its
// own.
func keeper(t *testing.T) *screen {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir(), "config"))
	term := newTerminal(map[string]string{})
	term.data = filepath.Join(t.TempDir(), "data")
	f, err := file.Open(filepath.Join(term.data, database.FileName), file.Options{NoSync: true})
	must(t, err)
	must(t, f.Close())
	return term
}

// database is what the commands connect to, meanwhile too, until the test ends.
func (t *screen) database(tb testing.TB) *database.Database {
	tb.Helper()
	d, err := database.Flags{Local: database.Local{DataDir: t.data}}.OpenShared(context.Background(), &t.Terminal)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(d.Close)
	return d
}

// with has do use what the commands connect to, and lets go of it.
func (t *screen) with(tb testing.TB, do func(*database.Database)) {
	tb.Helper()
	d := t.database(tb)
	defer d.Close()
	do(d)
}

// dynamoDB is a DynamoDB with the tables, for the commands of a terminal that has its
// address in the environment.
func dynamoDB(t *testing.T, endpoint string) *database.Database {
	t.Helper()
	d, err := database.Flags{Endpoint: endpoint}.OpenOrMake(t.Context(), &newTerminal(nil).Terminal)
	must(t, err)
	return d
}

func create(t *testing.T, term *screen, flags ...string) apikeys.IssuedKey {
	t.Helper()
	out := term.succeed(t, append([]string{"keys", "create", "--organization", "est", "--unchecked", "--json"}, flags...)...)
	var k apikeys.IssuedKey
	if err := json.Unmarshal([]byte(out), &k); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return k
}

// opened are the secrets with which the service would verify.
func opened(t *testing.T, term *screen, id string) []string {
	t.Helper()
	s, err := apikeys.Sealer(&term.Terminal)
	must(t, err)
	var secrets []string
	term.with(t, func(d *database.Database) {
		secrets = verifying(t, &keys.Cache{Records: d.Keys(), Opener: s, Now: term.Now}, id)
	})
	return secrets
}

// verifying are the secrets of a key with which the service would verify.
func verifying(t *testing.T, cache *keys.Cache, id string) []string {
	t.Helper()
	k, err := cache.Lookup(context.Background(), id)
	must(t, err)
	return k.Secrets()
}

func TestCreatePrintsAKeyThatTheServiceOpens(t *testing.T) {
	term := keeper(t)
	k := create(t, term, "--scope", "matches:read", "--scope", "teams:read", "--descendants", "--allow-ip", "10.0.0.1",
		"--allow-ip", "2001:db8::/32", "--monthly-quota", "7", "--expires", "2027-01-01T00:00:00Z", "--label", "portal")
	if diff := cmp.Diff([]string{k.Secret}, opened(t, term, k.ID)); diff != "" {
		t.Error(diff)
	}
	if k.Organization != sport.IDFor(sport.KindOrganization, "est") {
		t.Errorf("organization %s", k.Organization)
	}
	shown := term.succeed(t, "keys", "show", k.ID)
	for _, part := range []string{"portal", "active", "matches:read teams:read", "10.0.0.1/32 2001:db8::/32", "7 a month", "expires       2027-01-01T00:00:00Z", "descendants   yes"} {
		if !strings.Contains(shown, part) {
			t.Errorf("no %q in %s", part, shown)
		}
	}
}

// What a shell is given stays in its history.
func TestAPersonGetsTheSecretInNoCommand(t *testing.T) {
	term := keeper(t)
	out := term.succeed(t, "keys", "create", "--organization", "est", "--unchecked", "--all-scopes") + term.Errors.String()
	for _, part := range []string{"key           tk_", "secret        ", "never again", "scopes        all", "export TOUCHLINE_KEY_ID=tk_"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in %s", part, out)
		}
	}
	if strings.Contains(out, "TOUCHLINE_SECRET=") {
		t.Error(out)
	}
}

func TestARotationIsTwoSecretsUntilOneIsRetired(t *testing.T) {
	term := keeper(t)
	k := create(t, term, "--all-scopes")
	var rotated apikeys.IssuedKey
	must(t, json.Unmarshal([]byte(term.succeed(t, "keys", "rotate", "--json", k.ID)), &rotated))
	if want, said := "accepted everywhere 30 seconds from now, at "+term.Now().Add(30*time.Second).Local().Format(time.TimeOnly), term.Errors.String(); !strings.Contains(said, want) {
		t.Errorf("it does not say %q: %s", want, said)
	}
	if diff := cmp.Diff([]string{rotated.Secret, k.Secret}, opened(t, term, k.ID)); diff != "" {
		t.Error(diff)
	}
	term.fails(t, exitFailed, "touchline keys rotate --drop-older "+k.ID, "keys", "rotate", k.ID)
	term.succeed(t, "keys", "rotate", "--drop-older", k.ID)
	if diff := cmp.Diff([]string{rotated.Secret}, opened(t, term, k.ID)); diff != "" {
		t.Error(diff)
	}
	term.fails(t, exitFailed, "one secret only", "keys", "rotate", "--drop-older", k.ID)
	var second apikeys.IssuedKey
	must(t, json.Unmarshal([]byte(term.succeed(t, "keys", "rotate", "--json", k.ID)), &second))
	term.succeed(t, "keys", "rotate", "--drop", second.Current.ID, k.ID)
	if diff := cmp.Diff([]string{rotated.Secret}, opened(t, term, k.ID)); diff != "" {
		t.Errorf("the newer was not delivered: %s", diff)
	}
}

func TestNoListOrErrorShowsASecret(t *testing.T) {
	term := keeper(t)
	k := create(t, term, "--all-scopes")
	for _, args := range [][]string{
		{"keys", "list"}, {"keys", "list", "--json"}, {"keys", "show", k.ID}, {"keys", "show", "--json", k.ID},
		{"keys", "rotate", "--drop-older", k.ID}, {"keys", "revoke", k.ID}, {"keys", "revoke", "--json", k.ID},
	} {
		term.run(args...)
		if strings.Contains(term.Output.String()+term.Errors.String(), k.Secret) {
			t.Errorf("%v shows the secret", args)
		}
	}
}

func TestKeysSayWhatIsMissing(t *testing.T) {
	term := keeper(t)
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"the key", []string{"keys", "show", "tk_none"}, "touchline keys list"},
		{"the organization", []string{"keys", "create", "--organization", "nowhere", "--all-scopes"}, `no organization "nowhere"`},
		{"the table", []string{"keys", "list", "--dynamodb-endpoint", enginetest.Start(t)}, "a table is missing"},
		{"the database", []string{"keys", "list", "--dynamodb-endpoint", "http://127.0.0.1:1"}, "127.0.0.1:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term.fails(t, exitFailed, tt.says, tt.args...)
		})
	}
}
