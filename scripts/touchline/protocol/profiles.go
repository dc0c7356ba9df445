package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/service"
)

// Profile is a key as stored for get, sign and event: what `touchline login` was
// given.
type Profile struct {
	KeyID   string `json:"keyId"`
	Secret  string `json:"secret"`
	BaseURL string `json:"baseUrl,omitempty"`
}

// profiles are the keys in the user's file, by name.
type profiles map[string]Profile

// defaultProfile is used if none is named.
const defaultProfile = "default"

var profileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// Path is where the profiles of a user are stored, whatever folder a command
// runs in.
func Path() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no configuration folder for the credentials: %w", err)
	}
	return filepath.Join(dir, "touchline", "credentials.json"), nil
}

// maxCredentials is a size in bytes, far above that of a file of profiles.
const maxCredentials = 1 << 20

// readProfiles reads the file, which only its owner may be able to read. Without
// a file there are no profiles. Its errors contain nothing from the file.
func readProfiles(path string) (profiles, error) {
	file, err := os.Open(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) {
		return profiles{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return nil, fmt.Errorf("%s is open to others than its owner (mode %04o): run chmod 600 %[1]s, and rotate its keys if somebody may have read them", path, mode)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxCredentials))
	if err != nil {
		return nil, err
	}
	all := profiles{}
	if json.Unmarshal(text, &all) != nil || all == nil {
		return nil, fmt.Errorf("%s is damaged: remove it and run touchline login again", path)
	}
	return all, nil
}

// write replaces the whole file at once, so that no reader sees a part of it.
func (p profiles) write(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(p, "", "  ") //nolint:gosec // the file is for secrets, and for its owner alone
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".credentials-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // it was renamed
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// withProfiles reads the user's profiles, changes them and writes them back.
func withProfiles(change func(profiles) error) (path string, err error) {
	if path, err = Path(); err != nil {
		return "", err
	}
	all, err := readProfiles(path)
	if err != nil {
		return "", err
	}
	if err := change(all); err != nil {
		return "", err
	}
	return path, all.write(path)
}

// LoginCommand is `touchline login`.
type LoginCommand struct {
	Name    string `arg:"" optional:"" default:"default" help:"Name of the profile (default: ${default})."`
	KeyID   string `name:"key-id" required:"" placeholder:"ID" help:"Id of the key."`
	BaseURL string `name:"base-url" placeholder:"URL" help:"Address of the service that the key is for."`
	JSON    bool   `name:"json" help:"Print the profile without the secret, and its file, as JSON."`
}

// Help is shown below the flags.
func (LoginCommand) Help() string {
	return `Keeps a key and its secret in a file of your configuration folder that only you can read, for get, sign and event. The secret is asked for, or read from standard input. Variables (TOUCHLINE_KEY_ID, TOUCHLINE_SECRET) come before the profile "default"; another is named with --as.

Examples:

    touchline login --key-id tk_…
    touchline login portal --key-id tk_… --base-url https://api.example.org <secret.txt
    touchline get --as portal /v1/ping
`
}

// Run asks for the secret and stores it.
func (l *LoginCommand) Run(c *terminal.Terminal) error {
	if err := checkProfileName(l.Name); err != nil {
		return err
	}
	if err := checkKeyID(l.KeyID); err != nil {
		return err
	}
	if l.BaseURL != "" && !service.IsURL(l.BaseURL) {
		return terminal.Usagef("--base-url %q: want an address such as https://api.example.org", l.BaseURL)
	}
	secret, err := c.ReadSecret("Secret of " + l.KeyID + ": ")
	if err != nil {
		return err
	}
	if secret == "" {
		return errors.New("no secret: type it, or give it on standard input")
	}
	path, err := withProfiles(func(all profiles) error {
		all[l.Name] = Profile{KeyID: l.KeyID, Secret: secret, BaseURL: l.BaseURL}
		return nil
	})
	if err != nil {
		return err
	}
	as := ""
	if l.Name != defaultProfile {
		as = " --as " + l.Name
	}
	c.Sayf("kept in %s; try it: touchline get%s /v1/ping", path, as)
	if l.JSON {
		return c.JSON(map[string]string{"profile": l.Name, "keyId": l.KeyID, "baseUrl": l.BaseURL, "file": path})
	}
	return nil
}

// LogoutCommand is `touchline logout`.
type LogoutCommand struct {
	Name string `arg:"" optional:"" default:"default" help:"Name of the profile (default: ${default})."`
	JSON bool   `name:"json" help:"Print the profile and its file as JSON."`
}

// Help is shown below the flags.
func (LogoutCommand) Help() string {
	return "Forgets a profile. The key itself goes on working; 'touchline keys revoke' ends it.\n\nExample:\n\n    touchline logout portal\n"
}

// Run removes the profile.
func (l *LogoutCommand) Run(c *terminal.Terminal) error {
	path, err := withProfiles(func(all profiles) error {
		if _, ok := all[l.Name]; !ok {
			return all.unknown(l.Name)
		}
		delete(all, l.Name)
		return nil
	})
	if err != nil {
		return err
	}
	c.Sayf("profile %s is forgotten (%s)", l.Name, path)
	if l.JSON {
		return c.JSON(map[string]string{"profile": l.Name, "file": path})
	}
	return nil
}

// unknown is the error about a profile that does not exist.
func (p profiles) unknown(name string) error {
	if len(p) == 0 {
		return fmt.Errorf("no profile %q: touchline login makes one", name)
	}
	return fmt.Errorf("no profile %q, there are %s: touchline login makes one", name, strings.Join(slices.Sorted(maps.Keys(p)), ", "))
}

func checkProfileName(name string) error {
	if !profileName.MatchString(name) {
		return terminal.Usagef("profile %q: want a name of letters, digits, _ . and -, at most 64", name)
	}
	return nil
}
