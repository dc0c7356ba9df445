package protocol

import (
	"cmp"
	"fmt"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/stack"
)

// KeyFlags select the key that signs. There is no flag for the secret: every
// user of the machine can see arguments.
type KeyFlags struct {
	KeyID string `name:"key-id" env:"TOUCHLINE_KEY_ID" placeholder:"ID" help:"Id of the key that signs; its secret is read from TOUCHLINE_SECRET."`
}

// The variables with the secret of the key that signs, and with the address of
// the service.
const (
	SecretVariable  = "TOUCHLINE_SECRET"
	BaseURLVariable = "TOUCHLINE_BASE_URL"
)

// credential is a key's id and its secret.
type credential struct{ id, secret string }

// find returns the key that signs.
func (k KeyFlags) find(c *terminal.Terminal) (credential, error) {
	found := credential{k.KeyID, c.Getenv(SecretVariable)}
	switch {
	case found.id == "" || found.secret == "":
		return credential{}, fmt.Errorf("no key: set TOUCHLINE_KEY_ID and %s (touchline keys create makes a key)", SecretVariable)
	case !keys.IsID(found.id):
		return credential{}, terminal.Usagef("key id %q: want 1 to 100 of A-Z a-z 0-9 _ and -", found.id)
	}
	return found, nil
}

// address is the address of the service: the one given, else that of the environment,
// or of serve.
func address(c *terminal.Terminal, given string) string {
	return cmp.Or(given, c.Getenv(BaseURLVariable), "http://"+stack.LocalService)
}
