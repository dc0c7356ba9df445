package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/serve"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/limits"
	"touchline/shared/loader/journal"
	"touchline/shared/store"
	"touchline/shared/store/file"
)

func TestABackupHoldsDataAndKeys(t *testing.T) {
	data := t.TempDir()
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+data)
	other := s.beside()
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
	other.fails(t, exitFailed, "there already", "backup", file)
	other.succeed(t, "import", small(t)) // the lease is free again
	elsewhere(t, other, data)
	newTerminal(nil).fails(t, exitFailed, "", "restore", "--data-dir="+data, file)
	other.succeed(t, "keys", "revoke", s.KeyID)
	key, secret := s.KeyID, s.Secret
	s.stop()

	var restored struct{ Restored, Before string }
	must(t, json.Unmarshal([]byte(newTerminal(nil).succeed(t, "restore", "--json", "--keys", "--yes", "--data-dir="+data, file)), &restored))
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

// elsewhere has backups made into a folder on this disk and on another: each under a name
// of its own, whatever was left or put there before.
func elsewhere(t *testing.T, term *screen, data string) {
	t.Helper()
	folders := []string{t.TempDir()}
	if other, err := os.MkdirTemp("/dev/shm", "touchline-"); err == nil {
		t.Cleanup(func() { _ = os.RemoveAll(other) })
		folders = append(folders, other)
	}
	for _, folder := range folders {
		victim := filepath.Join(t.TempDir(), "victim")
		writeFile(t, victim, "of another")
		must(t, os.Symlink(victim, filepath.Join(folder, "planted.db.part")))
		writeFile(t, filepath.Join(folder, "touchline-2026-03-13T000000Z.db.part"), "of a run that was killed")
		term.succeed(t, "backup", filepath.Join(folder, "planted.db"))
		term.succeed(t, "backup", folder)
		term.succeed(t, "backup", folder)
		_ = os.Remove(filepath.Join(folder, "planted.db.part")) // without one on the way
		made, err := filepath.Glob(filepath.Join(folder, "*"))
		must(t, err)
		for i := range made {
			made[i] = filepath.Base(made[i])
		}
		if got := strings.Join(made, " "); got != "planted.db touchline-2026-03-14T150000Z-2.db touchline-2026-03-14T150000Z.db" || string(bytesOf(t, victim)) != "of another" {
			t.Errorf("%s, and what was linked to has %q", got, bytesOf(t, victim))
		}
		if left, _ := filepath.Glob(filepath.Join(data, "*.backup*")); left != nil {
			t.Errorf("%v is left beside the data", left)
		}
	}
	term.with(t, func(d *database.Database) {
		must(t, d.Loader(newTerminal(nil).Steps(), 0).Alone(t.Context(), func(context.Context, *journal.Lock) error {
			term.fails(t, exitFailed, "an import is running", "backup", "--wait=0s", folders[0])
			return nil
		}))
	})
}

// The free space of the file would still hold what was erased (operate.md, Erasure).
func TestNeitherTheFileNorABackupHoldsWhatWasErased(t *testing.T) {
	const name = "Anna Erasmus"
	term := keeper(t)
	dir := small(t)
	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"first","organizationId":"club","name":"First","shortName":"FIR"}`)
	writeFile(t, filepath.Join(dir, "players.ndjson"), `{"id":"anna","teamId":"first","name":"`+name+`"}
{"id":"on-loan","teamId":"first","name":"`+strings.ToUpper(strings.ReplaceAll(name, " ", "  "))+`","visibility":"hidden"}
{"id":"berta","teamId":"first","name":"Berta"}`)
	term.succeed(t, "import", "--yes", dir)
	if !bytes.Contains(bytesOf(t, saved(t, term)), []byte(name)) {
		t.Fatal("a backup does not hold the name as a text: the test sees nothing")
	}
	erasure := t.TempDir()
	writeFile(t, filepath.Join(erasure, "players.ndjson"), `{"id":"anna","erase":true}`)
	term.prints(t, "\n1 other player has this name: on-loan\n", "import", erasure)
	if bytes.Contains(bytesOf(t, saved(t, term)), []byte(name)) {
		t.Error("the backup holds the name")
	}
	if bytes.Contains(bytesOf(t, filepath.Join(term.data, database.FileName)), []byte(name)) {
		t.Error("the file holds the name")
	}
}

// Where the path is no longer the file that is served, commands go to what is served, health
// says so, and what was put there is left as it is.
func TestWhatIsServedIsNotAtItsPath(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+data, "--health=127.0.0.1:0")
	health := func() (code int, text string) {
		t.Helper()
		answer, err := http.Get(s.Health + "/health") //nolint:noctx // a test
		must(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		must(t, err)
		return answer.StatusCode, string(body)
	}
	other := s.beside()
	copied := filepath.Join(t.TempDir(), "backup.db")
	other.succeed(t, "backup", copied)
	path := filepath.Join(data, database.FileName)
	must(t, os.Remove(path))
	if code, text := health(); code != http.StatusServiceUnavailable || !strings.Contains(text, "no longer there") {
		t.Errorf("%d, %s", code, text)
	}
	if keys := other.succeed(t, "keys", "list"); keys != s.beside().succeed(t, "keys", "list") || len(keys) == 0 {
		t.Errorf("keys list: %s", keys)
	}
	other.fails(t, exitFailed, "stop it first", "restore", copied, "--data-dir="+data)
	newTerminal(nil).fails(t, exitFailed, "", "serve", "--addr=127.0.0.1:0", "--data-dir="+data)
}

// The file keeps what has expired until it is swept, and the bytes of what was removed until
// it is wiped: serve does both when it starts.
func TestExpiredNoncesGo(t *testing.T) {
	term := keeper(t)
	d := term.database(t)
	put := func(name string, at time.Time) {
		t.Helper()
		must(t, d.Nonces().Consume(t.Context(), limits.Nonce{KeyID: "tk_1", Value: name, RequestID: name, Timestamp: at}))
	}
	for i := range 100 {
		put(fmt.Sprint("old", i), terminal.ScreenTime.Add(-2*time.Hour))
	}
	put("young", terminal.ScreenTime)
	const name = "Anna Erasmus"
	for _, item := range []store.Item{{"v": &types.AttributeValueMemberS{Value: strings.Repeat(name, 1000)}}, nil} {
		must(t, d.Sports().Write(t.Context(), []store.Write{{Key: store.Key{PK: "x", SK: "y"}, Item: item}}))
	}
	tick := make(chan time.Time)
	go serve.SweepAt(t.Context(), &newTerminal(nil).Terminal, d, tick)
	tick <- terminal.ScreenTime
	if bytes.Contains(bytesOf(t, filepath.Join(term.data, database.FileName)), []byte(name)) {
		t.Error("the file holds what was removed")
	}
	tick <- terminal.ScreenTime // taken after the first sweep has ended
	left, err := d.File.Scan(t.Context(), file.NoncesTable, store.Key{})
	if err != nil || len(left.Items) != 1 {
		t.Fatalf("%d nonces left, %v", len(left.Items), err)
	}
}
