package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/database"
	"touchline/shared/limits"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// saved is a backup of the data that a command works with.
func saved(t *testing.T, term *screen) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "backup.db")
	term.succeed(t, "backup", file)
	return file
}

// restored is a data folder that a small federation was restored into, and its file.
func restored(t *testing.T) (dir, path string) {
	t.Helper()
	term := keeper(t)
	term.succeed(t, "import", small(t))
	dir = t.TempDir()
	newTerminal(nil).succeed(t, "restore", saved(t, term), "--data-dir="+dir)
	return dir, filepath.Join(dir, database.FileName)
}

func bytesOf(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	return text
}

// What was there is kept under a number, every time, and can be brought back.
func TestEachRestoreKeepsWhatWasThere(t *testing.T) {
	term := keeper(t)
	term.succeed(t, "import", small(t))
	file, dir := saved(t, term), filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, database.FileName)
	restore := func(file string, want ...string) {
		t.Helper()
		term := newTerminal(nil)
		term.succeed(t, "restore", file, "--data-dir="+dir)
		for _, w := range want {
			if said := term.Errors.String(); !strings.Contains(said, w) {
				t.Errorf("it does not say %q: %s", w, said)
			}
		}
	}
	restore(file, "restored to "+path)
	if _, err := os.Stat(path + ".before-1"); err == nil {
		t.Error("something is kept though nothing was there")
	}
	if was, is := newTerminal(nil), newTerminal(nil); was.succeed(t, "loads", "--json", "--data-dir="+dir) != is.succeed(t, "loads", "--json", "--data-dir="+term.data) {
		t.Error("other loads are there")
	}
	writeFile(t, path+".new", "of a restore that was killed")
	restore(file, path+".before-1")
	restore(path+".before-1", path+".before-2")
	for _, kept := range []string{path + ".before-1", path + ".before-2"} {
		restore(kept)
	}
	if _, err := os.Stat(path + ".new"); err == nil {
		t.Error("a copy is left")
	}
}

// Keys, nonces and counters stay those of what is replaced, and who was erased or hidden since
// stays so. What is lost is asked.
func TestARestoreBringsBackSportsData(t *testing.T) {
	term := keeper(t)
	set := small(t)
	players := filepath.Join(set, "players.ndjson")
	writeFile(t, filepath.Join(set, "teams.ndjson"), `{"id":"t","name":"FC","shortName":"FC","organizationId":"club"}`)
	writeFile(t, players, `{"id":"ann","name":"Ann","teamId":"t"}`+"\n"+`{"id":"bob","name":"Bob","teamId":"t"}`+"\n"+`{"id":"eve","name":"Eve","teamId":"t"}`)
	term.succeed(t, "import", set)
	revoked, stays := create(t, term), create(t, term)
	file := saved(t, term)
	term.succeed(t, "keys", "revoke", revoked.ID)
	made := create(t, term)
	writeFile(t, players, `{"id":"ann","erase":true}`+"\n"+`{"id":"bob","patch":true,"visibility":"hidden"}`+"\n"+`{"id":"eve","deleted":true}`)
	term.succeed(t, "import", "--yes", "--allow-deletes=9", set)
	nonce := limits.Nonce{KeyID: stays.ID, Value: "n", RequestID: "r", Timestamp: time.Now()}
	term.with(t, func(d *database.Database) { must(t, d.Nonces().Consume(t.Context(), nonce)) })

	term.fails(t, exitFailed, "--yes says so", "restore", file)
	for _, want := range []string{"loads since, which are lost: 1", "players: 1 (eve) deleted since, which come back", "erased since, and not brought back: 1 record", "hidden since, and hidden again: players: 1 (bob)", "Nothing was changed"} {
		if said := term.Errors.String(); !strings.Contains(said, want) {
			t.Errorf("it does not say %q: %s", want, said)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(term.data, "*.*")); len(left) != 1 {
		t.Errorf("it leaves %v", left)
	}
	for _, step := range []struct{ flag, keys, players string }{
		{"", made.ID + " " + revoked.ID + " ended", "bob,hidden eve"},
		{"--show-again", made.ID + " " + revoked.ID + " ended", "bob eve"},
		{"--keys", revoked.ID, "bob,hidden eve"},
	} {
		term.succeed(t, append([]string{"restore", "--yes", file}, strings.Fields(step.flag)...)...)
		var keys, players []string
		term.with(t, func(d *database.Database) {
			list, err := d.Keys().List(t.Context())
			must(t, err)
			for _, k := range list {
				if k.ID == revoked.ID && !k.Valid(time.Now()) {
					keys = append(keys, k.ID+" ended")
				} else if k.ID != stays.ID {
					keys = append(keys, k.ID)
				}
			}
			again := nonce
			again.RequestID = "another"
			if err := d.Nonces().Consume(t.Context(), again); err == nil {
				t.Error("a nonce counts twice")
			}
		})
		out := filepath.Join(t.TempDir(), "out")
		term.succeed(t, "export", out)
		for line := range strings.Lines(string(bytesOf(t, filepath.Join(out, "players.ndjson")))) {
			var p struct{ ID, Visibility string }
			must(t, json.Unmarshal([]byte(line), &p))
			players = append(players, strings.TrimSuffix(p.ID+","+p.Visibility, ","))
		}
		slices.Sort(keys)
		wanted := strings.Split(step.keys, " tk_")
		for i := range wanted[1:] {
			wanted[i+1] = "tk_" + wanted[i+1]
		}
		slices.Sort(wanted)
		if !slices.Equal(keys, wanted) || strings.Join(players, " ") != step.players {
			t.Errorf("%s: keys %q, want %q; players %q", step.flag, keys, wanted, players)
		}
		// The one that shows again has forgotten the hiding: go on from what was replaced.
		term.succeed(t, "restore", "--yes", "--keys", filepath.Join(term.data, "touchline.db.before-1"))
	}
}

// What is there and cannot be read needs a flag; then it is done without.
func TestARestoreSaysWhatCannotBeRead(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string){
		"no file of ours": func(t *testing.T, path string) { writeFile(t, path, "what is there") },
		"a damaged record": func(t *testing.T, path string) {
			text := bytesOf(t, path)
			text[bytes.Index(text, []byte("Small"))] ^= 4
			must(t, os.WriteFile(path, text, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			term := keeper(t)
			term.succeed(t, "import", small(t))
			key := create(t, term)
			file := saved(t, term)
			term.succeed(t, "keys", "revoke", key.ID)
			spoil(t, filepath.Join(term.data, database.FileName))
			term.fails(t, exitFailed, "--unread goes on without", "restore", "--yes", file)
			term.succeed(t, "restore", "--yes", "--unread", file)
			term.succeed(t, "export", filepath.Join(t.TempDir(), "out"))
			if listed := term.succeed(t, "keys", "list"); strings.Contains(listed, "revoked") != (name == "a damaged record") {
				t.Errorf("the keys are %s", listed)
			}
		})
	}
}

// Backups that this version cannot use are refused before anything changes.
func TestABackupIsLookedAtBeforeItIsRestored(t *testing.T) {
	number := func(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
	layout99 := &types.AttributeValueMemberM{Value: store.Item{"99": &types.AttributeValueMemberM{Value: store.Item{"n": number("1")}}}}
	version := func(item store.Item) func(*testing.T, *screen) {
		return func(t *testing.T, term *screen) {
			term.with(t, func(d *database.Database) {
				must(t, d.Sports().Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: item}}))
			})
		}
	}
	for name, tt := range map[string]struct {
		prepare func(*testing.T, *screen)
		spoil   func(*testing.T, string)
		says    string
	}{
		"of a later layout": {version(store.Item{"o": number("99"), "s": layout99}), nil, "has data of layout 99"},
		"a byte is another": {nil, func(t *testing.T, file string) {
			text := bytesOf(t, file)
			text[bytes.Index(text, []byte("Small"))] ^= 4
			must(t, os.WriteFile(file, text, 0o600))
		}, "it is damaged"},
		"not copied in full": {nil, func(t *testing.T, file string) { must(t, os.Truncate(file, 20_000)) }, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			term := keeper(t)
			term.succeed(t, "import", small(t))
			if tt.prepare != nil {
				tt.prepare(t, term)
			}
			file, dir := saved(t, term), t.TempDir()
			if tt.spoil != nil {
				tt.spoil(t, file)
			}
			path := filepath.Join(dir, database.FileName)
			writeFile(t, path, "what is there")
			other := newTerminal(nil)
			code := other.run("restore", file, "--data-dir="+dir)
			if said := other.Errors.String(); code != exitFailed || !strings.Contains(said, tt.says) || !strings.Contains(said, "Nothing was changed") {
				t.Errorf("exit %d: %s", code, said)
			}
			if there := string(bytesOf(t, path)); there != "what is there" {
				t.Errorf("what is there is %.40q", there)
			}
			if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
		})
	}
}

// A backup that this machine's master key does not open is restored all the same, and
// the keys are named.
func TestKeysOfAnotherMasterKeyInABackupAreNamed(t *testing.T) {
	term := keeper(t)
	term.succeed(t, "import", small(t))
	key := create(t, term)
	copied := saved(t, term)
	other := newTerminal(map[string]string{stack.VariableMasterKey: "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="})
	other.succeed(t, "restore", copied, "--data-dir="+filepath.Join(t.TempDir(), "data"))
	if said := other.Errors.String(); !strings.Contains(said, "this machine's master key does not open "+key.ID) {
		t.Error(said)
	}
}

func TestWhatIsRestoredHasToBeClear(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	for line, want := range map[string]string{
		"":                                       "name the file of the backup",
		file + " --stack=prod":                   "leave out either",
		file + " --dry-run":                      "give --stack, too",
		"--keys":                                 "name the file of the backup",
		"--stack=prod --to=2026-01-01T00:00:00Z": "--keys, --sports or --all",
		"--stack=prod --yes --sports --to=2026-01-01T00:00:00Z": "are about a file",
		"--stack=prod --keys --all --to=2026-01-01T00:00:00Z":   "can't be used together",
		"--stack=prod --keys --to=yesterday":                    "is not a time",
	} {
		term := newTerminal(nil)
		term.fails(t, exitUsage, want, append([]string{"restore"}, strings.Fields(line)...)...)
	}
}
