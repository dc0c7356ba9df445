package apikeys

import (
	"cmp"
	"fmt"
	"runtime"
	"text/tabwriter"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
)

// IssuedKey is what --json prints for a new key or secret.
type IssuedKey struct {
	keys.Key
	Secret string `json:"secret"`
}

// printIssued prints a key with its new secret. Nothing else shows one.
func printIssued(c *terminal.Terminal, i keys.Issued, asJSON bool) error {
	if asJSON {
		return c.JSON(IssuedKey{i.Key, i.Secret.Reveal()})
	}
	if err := printKey(c, i.Key, false); err != nil {
		return err
	}
	// Nothing to paste into a shell, which would keep it in its history.
	c.Printf("%-12s  %s\n\n", "secret", i.Secret.Reveal())
	c.Sayf("The secret is shown now and never again. To use it in a shell: %s", terminal.Line(runtime.GOOS, []terminal.Variable{{Name: "TOUCHLINE_KEY_ID", Value: i.Key.ID}, {Name: "TOUCHLINE_SECRET"}}, ""))
	return nil
}

func printKey(c *terminal.Terminal, k keys.Key, asJSON bool) error {
	if asJSON {
		return c.JSON(k)
	}
	line := func(name, value string) {
		if value != "" {
			c.Printf("%-12s  %s\n", name, value)
		}
	}
	line("key", k.ID)
	line("state", keys.State(k, c.Now()))
	line("organization", string(k.Organization))
	line("created", k.CreatedAt.Format(time.RFC3339))
	made := map[string]time.Time{k.Current.ID: k.Current.CreatedAt}
	if k.Previous != nil {
		made[k.Previous.ID] = k.Previous.CreatedAt
	}
	for _, f := range k.Fields() {
		if at, ok := made[f.After]; ok {
			f.After += ", made " + at.Format(time.RFC3339)
		}
		line(f.Name, f.After)
	}
	return nil
}

func printList(c *terminal.Terminal, list []listedKey) error {
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "KEY\tSTATE\tORGANIZATION\tNAME\tSCOPES\tCREATED\tMONTH\tLABEL") // Flush reports errors
	for _, k := range list {
		month := "-"
		if k.Used != nil {
			month = fmt.Sprintf("%d of %d", *k.Used, k.Quota)
		}
		if k.Damaged {
			_, _ = fmt.Fprintf(w, "%s\tdamaged\n", terminal.Plain(k.ID))
			continue
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, keys.State(k.Key, c.Now()), k.Organization, cmp.Or(terminal.Plain(k.Name), "-"),
			k.Key.ScopeNames(","), k.CreatedAt.Format(time.DateOnly), month, k.Label)
	}
	return w.Flush()
}
