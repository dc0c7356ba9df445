package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/serve"
	"touchline/scripts/touchline/terminal"
)

func TestABackupHoldsDataAndKeys(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	data := t.TempDir()
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+data)
	other := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": s.DynamoDB})
	file := filepath.Join(t.TempDir(), "backup.db")
	var copied struct {
		File  string
		Items int
	}
	must(t, json.Unmarshal([]byte(other.succeed(t, "backup", "--json", file)), &copied))
	if copied.File != file || copied.Items == 0 {
		t.Errorf("%+v", copied)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if code := other.run("backup", file); code != exitFailed || !strings.Contains(other.Errors.String(), "there already") {
		t.Errorf("over a file: exit %d: %s", code, other.Errors.String())
	}
	other.succeed(t, "import", small(t)) // the lease is free again
	if code := newTerminal(nil).run("restore", "--data-dir="+data, file); code != exitFailed {
		t.Errorf("into data in use: exit %d", code)
	}
	other.succeed(t, "keys", "revoke", s.KeyID)
	key, secret := s.KeyID, s.Secret
	s.stop(t)

	var restored struct{ Restored, Before string }
	must(t, json.Unmarshal([]byte(newTerminal(nil).succeed(t, "restore", "--json", "--data-dir="+data, file)), &restored))
	if restored.Restored == "" || restored.Before == "" {
		t.Errorf("%+v", restored)
	}
	again := startServe(t, newTerminal(nil), "--data-dir="+data)
	again.KeyID, again.Secret = key, secret
	again.get(t, "/v1/organizations/"+s.Organization)
	for _, part := range []string{"", ".new", ".new-wal"} {
		_, err := os.Stat(filepath.Join(data, database.FileName+part))
		if (err == nil) != (part == "") {
			t.Errorf("touchline.db%s: %v", part, err)
		}
	}
	if _, err := os.Stat(filepath.Join(data, database.FileName+".before-1")); err != nil {
		t.Error(err)
	}
}

// The free space of a database file still holds what was erased, until the engine writes
// over it. A backup of after the erasure has none (operate.md, Erasure).
func TestABackupHoldsNothingErased(t *testing.T) {
	const name = "Anna Erasmus"
	term := keeper(t)
	dir := small(t)
	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"first","organizationId":"club","name":"First","shortName":"FIR"}`)
	writeFile(t, filepath.Join(dir, "players.ndjson"), `{"id":"anna","teamId":"first","name":"`+name+`"}`)
	term.succeed(t, "import", dir)
	if !bytes.Contains(bytesOf(t, saved(t, term)), []byte(name)) {
		t.Fatal("a backup does not hold the name as a text: the test sees nothing")
	}
	erasure := t.TempDir()
	writeFile(t, filepath.Join(erasure, "players.ndjson"), `{"id":"anna","erase":true}`)
	term.succeed(t, "import", erasure)
	if bytes.Contains(bytesOf(t, saved(t, term)), []byte(name)) {
		t.Error("the backup holds the name")
	}
}

func TestRestoreTakesABackupOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, strings.Repeat("no database\n", 100))
	term := newTerminal(nil)
	if code := term.run("restore", "--data-dir="+t.TempDir(), file); code != exitFailed || !strings.Contains(term.Errors.String(), "is not a backup") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}

// The engine keeps what has expired.
func TestExpiredNoncesGo(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	data := t.TempDir()
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+data)
	other := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": s.DynamoDB})
	d := other.database(t)
	padding := strings.Repeat("x", 40_000)
	put := func(name string, expires time.Time) {
		t.Helper()
		_, err := d.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &d.Tables.Nonces, Item: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: name}, "padding": &types.AttributeValueMemberS{Value: padding},
			"expiresAt": &types.AttributeValueMemberN{Value: fmt.Sprint(expires.Unix())},
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		put(fmt.Sprint("old", i), terminal.ScreenTime.Add(-time.Second))
	}
	put("young", terminal.ScreenTime.Add(time.Second))
	tick := make(chan time.Time)
	go serve.SweepAt(t.Context(), &other.Terminal, d, tick)
	tick <- terminal.ScreenTime
	tick <- terminal.ScreenTime // taken after the first sweep has ended
	count, err := d.Client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &d.Tables.Nonces, Select: types.SelectCount})
	if err != nil || count.Count != 1 {
		t.Fatalf("%d nonces left, %v", count.Count, err)
	}
}
