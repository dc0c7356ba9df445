package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/stack"
)

// KeyFlags select the key that signs. There is no flag for the secret: every
// user of the machine can see arguments.
type KeyFlags struct {
	KeyID string `name:"key-id" env:"TOUCHLINE_KEY_ID" placeholder:"ID" help:"Id of the key that signs; its secret is read from TOUCHLINE_SECRET, or from the profile that has the key."`
	As    string `name:"as" placeholder:"NAME" help:"Profile whose key signs: see touchline login (default: the key of the environment, else the profile default)."`
}

// The variables with the secret of the key that signs, and with the address of
// the service.
const (
	SecretVariable  = "TOUCHLINE_SECRET"
	BaseURLVariable = "TOUCHLINE_BASE_URL"
)

func checkKeyID(id string) error {
	if !keys.IsID(id) {
		return terminal.Usagef("key id %q: want 1 to 100 of A-Z a-z 0-9 _ and -", id)
	}
	return nil
}

// Find returns the key that signs. It is the key of the profile that was named, else of
// flag and environment, else of the default profile.
func (k KeyFlags) Find(c *terminal.Terminal) (Profile, error) {
	secret := c.Getenv(SecretVariable)
	if k.As == "" && k.KeyID != "" && secret != "" {
		return Profile{KeyID: k.KeyID, Secret: secret}, checkKeyID(k.KeyID)
	}
	path, err := Path()
	if err != nil {
		return Profile{}, err
	}
	all, err := readProfiles(path)
	if err != nil {
		return Profile{}, err
	}
	switch {
	case k.As != "":
		p, ok := all[k.As]
		if !ok {
			return Profile{}, all.unknown(k.As)
		}
		return p, nil
	case k.KeyID != "":
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if all[name].KeyID == k.KeyID {
				return all[name], nil
			}
		}
		return Profile{}, fmt.Errorf("no secret of key %s: set %s, or keep it with `touchline login --key-id %[1]s`", k.KeyID, SecretVariable)
	}
	if p, ok := all[defaultProfile]; ok {
		return p, nil
	}
	return Profile{}, errors.New("no key: run `touchline login`, or set TOUCHLINE_KEY_ID and TOUCHLINE_SECRET (touchline keys create makes a key)")
}

// Address is the address of the service: the one given, else that of the profile
// named, of the environment, of the default profile, or of serve.
func (k KeyFlags) Address(c *terminal.Terminal, given string, p Profile) string {
	if k.As != "" {
		return cmp.Or(given, p.BaseURL, c.Getenv(BaseURLVariable), "http://"+stack.LocalService)
	}
	return cmp.Or(given, c.Getenv(BaseURLVariable), p.BaseURL, "http://"+stack.LocalService)
}
