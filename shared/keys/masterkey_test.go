package keys_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"touchline/shared/keys"
	"touchline/shared/stack"
)

func unset(string) (string, bool) { return "", false }

func setTo(value string) func(string) (string, bool) {
	return func(name string) (string, bool) { return value, name == stack.VariableMasterKey }
}

// same fails the test unless two sealers have the same master key.
func same(t *testing.T, a, b *keys.LocalSealer) {
	t.Helper()
	sealed, err := b.Seal(t.Context(), "tk_1", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Open(t.Context(), "tk_1", sealed); err != nil {
		t.Fatalf("two master keys: %v", err)
	}
}

func TestTheVariableTakesPrecedenceOverTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "touchline", "master.key")
	got, err := keys.LoadLocalSealer(setTo(masterKeyText), path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, newSealer())
	if _, err := os.Stat(path); err == nil {
		t.Fatal("a file was created although it is not needed")
	}
}

func TestAMasterKeyIsBase64OfThirtyTwoBytes(t *testing.T) {
	for _, good := range []string{
		masterKeyText, strings.TrimRight(masterKeyText, "="), " " + masterKeyText + "\n", masterKeyText + "\r\n",
	} {
		if _, err := keys.NewLocalSealer(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for name, bad := range map[string]string{
		"empty":              "",
		"16 bytes":           base64.StdEncoding.EncodeToString(make([]byte, 16)),
		"31 bytes":           base64.StdEncoding.EncodeToString(make([]byte, 31)),
		"33 bytes":           base64.StdEncoding.EncodeToString(make([]byte, 33)),
		"hex":                strings.Repeat("0f", 32),
		"another alphabet":   strings.Repeat("-_", 21) + "8=",
		"bits beyond bytes":  masterKeyText[:42] + "9=",
		"space in between":   masterKeyText[:20] + " " + masterKeyText[20:],
		"a sentence instead": "correct horse battery staple",
	} {
		_, err := keys.LoadLocalSealer(setTo(bad), filepath.Join(t.TempDir(), "master.key"))
		if err == nil {
			t.Errorf("%s was accepted", name)
			continue
		}
		if !strings.Contains(err.Error(), stack.VariableMasterKey) || bad != "" && strings.Contains(err.Error(), bad[:8]) {
			t.Errorf("%s: %q should name the variable and not its value", name, err)
		}
	}
}

func TestTheFileIsMadeOnFirstUseForItsOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config", "touchline", "master.key")
	first, err := keys.LoadLocalSealer(unset, path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %04o, want %04o", name, got, want)
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("%d files in the folder, want one (%v)", len(left), err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil { // #nosec G302 -- others may look
		t.Fatal(err)
	}
	second, err := keys.LoadLocalSealer(unset, path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, first, second)
}

func TestProcessesThatStartAtOnceAgree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "touchline", "master.key")
	const starts = 16
	masters := make([]*keys.LocalSealer, starts)
	var all sync.WaitGroup
	for i := range starts {
		all.Go(func() {
			var err error
			if masters[i], err = keys.LoadLocalSealer(unset, path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	for _, m := range masters[1:] {
		same(t, masters[0], m)
	}
}

func TestAFileThatCannotBeTrustedIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // modes mean nothing on Windows
	}
	for name, test := range map[string]struct {
		content   string
		file, dir os.FileMode
		says      string
		instead   func(path string) error // of writing the file
	}{
		"readable by the group":    {content: masterKeyText, file: 0o640, dir: 0o700, says: "chmod 600"},
		"readable by all":          {content: masterKeyText, file: 0o604, dir: 0o700, says: "chmod 600"},
		"in a folder others write": {content: masterKeyText, file: 0o600, dir: 0o770, says: "chmod 700"},
		"empty":                    {content: "", file: 0o600, dir: 0o700, says: "damaged"},
		"truncated":                {content: masterKeyText[:30], file: 0o600, dir: 0o700, says: "damaged"},
		"followed by more":         {content: masterKeyText + strings.Repeat("\n"+masterKeyText, 99), file: 0o600, dir: 0o700, says: "damaged"},
		"followed by spaces":       {content: masterKeyText + strings.Repeat(" ", 2000) + "x", file: 0o600, dir: 0o700, says: "damaged"},
		"a folder":                 {file: 0o600, dir: 0o700, says: "not a regular file", instead: func(path string) error { return os.Mkdir(path, 0o700) }},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "touchline", "master.key")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			place := test.instead
			if place == nil {
				place = func(path string) error {
					if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
						return err
					}
					return os.Chmod(path, test.file)
				}
			}
			if err := place(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Dir(path), test.dir); err != nil {
				t.Fatal(err)
			}
			_, err := keys.LoadLocalSealer(unset, path)
			if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), path) {
				t.Fatalf("got %v, want %q and the path", err, test.says)
			}
			if strings.Contains(err.Error(), masterKeyText[:8]) {
				t.Fatal("the error holds the key")
			}
			if got, err := os.ReadFile(filepath.Clean(path)); err == nil && string(got) != test.content {
				t.Fatal("the file was changed")
			}
		})
	}
}

func TestTheFileIsInTheUsersConfigurationFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	config, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	got, err := keys.MasterKeyPath()
	if err != nil || got != filepath.Join(config, "touchline", "master.key") {
		t.Fatalf("got %s and %v", got, err)
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", "")
	if _, err := keys.MasterKeyPath(); runtime.GOOS == "linux" && (err == nil || !strings.Contains(err.Error(), stack.VariableMasterKey)) {
		t.Fatalf("got %v, want an error that names the variable", err)
	}
}
