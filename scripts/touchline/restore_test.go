package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/database"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// saved is a backup of the engine that a command works with.
func saved(t *testing.T, term *screen) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "backup.db")
	term.succeed(t, "backup", file)
	return file
}

// restored is a data folder that a small federation was restored into, and its database.
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
	restore(file, path+".before-1")
	restore(path+".before-1", path+".before-2", "no checksum")
	for _, kept := range []string{path, path + ".before-1", path + ".before-2"} {
		if !bytes.Equal(bytesOf(t, kept), first) {
			t.Errorf("%s is another database", kept)
		}
	}
}

// Backups that this version cannot use are refused before anything changes.
func TestABackupIsLookedAtBeforeItIsRestored(t *testing.T) {
	number := func(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
	layout99 := &types.AttributeValueMemberM{Value: store.Item{"99": &types.AttributeValueMemberM{Value: store.Item{"n": number("1")}}}}
	version := func(item store.Item) func(*testing.T, *screen) {
		return func(t *testing.T, term *screen) {
			must(t, term.database(t).Sports().Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: item}}))
		}
	}
	unsealed := func(change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, file string) {
			text := bytesOf(t, file)
			text = text[:bytes.LastIndex(text, []byte("\ntouchline-backup"))]
			must(t, os.WriteFile(file, change(text), 0o600))
		}
	}
	for name, tt := range map[string]struct {
		prepare func(*testing.T, *screen)
		spoil   func(*testing.T, string)
		says    string
		taken   bool
	}{
		"of a later layout":             {version(store.Item{"o": number("99"), "s": layout99}), nil, "has data of layout 99", false},
		"from before the first release": {version(store.Item{"v": number("8")}), nil, "from before the first release", false},
		"a byte is another": {nil, func(t *testing.T, file string) {
			text := bytesOf(t, file)
			text[len(text)/2] ^= 1
			must(t, os.WriteFile(file, text, 0o600))
		}, "the checksum of", false},
		"not copied in full":      {nil, func(t *testing.T, file string) { must(t, os.Truncate(file, 20_000)) }, "not copied in full", false},
		"of an earlier version":   {nil, unsealed(bytes.Clone), "no checksum", true},
		"an earlier one, damaged": {nil, unsealed(func(text []byte) []byte { clear(text[8192:]); return text }), "damaged", false},
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
			if said := other.Errors.String(); (code == exitOK) != tt.taken || !strings.Contains(said, tt.says) {
				t.Errorf("exit %d: %s", code, said)
			}
			kept, _ := filepath.Glob(path + ".before-*")
			if there := string(bytesOf(t, path)) == "what is there"; there == tt.taken || len(kept) == 1 != tt.taken {
				t.Errorf("what is there is in its place: %v, kept: %v", there, kept)
			}
			if left, _ := filepath.Glob(path + ".new*"); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
		})
	}
}

func TestDoctorFindsADamagedDatabase(t *testing.T) {
	dir, path := restored(t)
	look := func() (diagnosis, string) {
		t.Helper()
		other := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"})
		other.run("doctor", "--json", "--data-dir="+dir)
		return examined(t, other.Output.String())["file"], other.Output.String()
	}
	if found, said := look(); found.State != fine {
		t.Errorf("a whole one: %s", said)
	}
	whole := bytesOf(t, path)
	for page := 1; page < len(whole)/4096; page += 7 {
		text := bytes.Clone(whole)
		copy(text[page*4096:], bytes.Repeat([]byte{0xff}, 4096))
		must(t, os.WriteFile(path, text, 0o600))
		if found, said := look(); found.State != wrong || !strings.Contains(found.Message, "touchline restore") {
			t.Errorf("page %d is damaged: %s", page, said)
		}
	}
}

// After a restore that was killed doctor and the next start say so, once.
func TestAKilledRestoreIsSaid(t *testing.T) {
	dir, path := restored(t)
	writeFile(t, path+".new", "half of a database")
	const want = "was killed before it did: nothing has changed"
	nowhere := map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"}
	looks := newTerminal(nowhere)
	looks.run("doctor", "--data-dir="+dir)
	if said := looks.Output.String(); !strings.Contains(said, want) {
		t.Errorf("doctor does not say it: %s", said)
	}
	writeFile(t, path+".new", "half of a database")
	for _, says := range []bool{true, false} {
		serves := newTerminal(nil)
		startServe(t, serves, "--data-dir="+dir).stop(t)
		if said := serves.Errors.String(); strings.Contains(said, want) != says {
			t.Errorf("serve says it: %v, want %v: %s", !says, says, said)
		}
	}
}

func TestWhatIsRestoredHasToBeClear(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	for line, want := range map[string]string{
		"":                     "name the file of the backup",
		file + " --stack=prod": "leave out either",
		file + " --dry-run":    "give --stack, too",
		"--keys":               "give --stack, too",
		"--stack=prod":         "--keys, --sports or --all",
		"--stack=prod --keys":  "with --to",
		"--stack=prod --keys --all --to=2026-01-01T00:00:00Z": "can't be used together",
		"--stack=prod --keys --to=yesterday":                  "is not a time",
	} {
		term := newTerminal(nil)
		if code := term.run(append([]string{"restore"}, strings.Fields(line)...)...); code != exitUsage || !strings.Contains(term.Errors.String(), want) {
			t.Errorf("%s: exit %d, %s", line, code, term.Errors.String())
		}
	}
}

// Before a table is looked at, the checkout that is to be deployed has to be there.
func TestARestoreOnAWSNeedsTheCheckout(t *testing.T) {
	newCloud(t)
	term := newTerminal(nil)
	code := term.run("restore", "--stack=dev", "--keys", "--to=2026-01-01T00:00:00Z", "--checkout="+t.TempDir())
	if code != exitFailed || !strings.Contains(term.Errors.String(), "the checkout of the version that is deployed") {
		t.Errorf("exit %d, %s", code, term.Errors.String())
	}
}
