package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/database"
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
	first := bytesOf(t, path)
	writeFile(t, path+".new", "of a restore that was killed")
	restore(file, path+".before-1")
	restore(path+".before-1", path+".before-2")
	for _, kept := range []string{path, path + ".before-1", path + ".before-2"} {
		if !bytes.Equal(bytesOf(t, kept), first) {
			t.Errorf("%s has other data", kept)
		}
	}
	if _, err := os.Stat(path + ".new"); err == nil {
		t.Error("a copy is left")
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
		"--keys":                                 "give --stack, too",
		"--stack=prod --to=2026-01-01T00:00:00Z": "--keys, --sports or --all",
		"--stack=prod --keys --all --to=2026-01-01T00:00:00Z": "can't be used together",
		"--stack=prod --keys --to=yesterday":                  "is not a time",
	} {
		term := newTerminal(nil)
		term.fails(t, exitUsage, want, append([]string{"restore"}, strings.Fields(line)...)...)
	}
}
