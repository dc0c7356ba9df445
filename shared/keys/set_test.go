package keys_test

import (
	"errors"
	"testing"

	"touchline/shared/keys"
)

// After a change whose response was lost, the record is read back; the change is
// not applied again over another one.
func TestSetIsRightWhenItsAnswerIsLost(t *testing.T) {
	store := &faulty{Store: newMemory()}
	r := newRegistry(store, &clock{})
	k := create(t, r)
	label := "portal"
	store.next = &fault{applied: true, answer: errBroken}
	before, after, err := r.Set(t.Context(), k.Key.ID, keys.Changes{Label: &label})
	if err != nil || before.Label != "" || after.Label != label {
		t.Errorf("from %q to %q, %v", before.Label, after.Label, err)
	}
	stored, err := store.Get(t.Context(), k.Key.ID)
	if err != nil || stored.Version != k.Key.Version+1 {
		t.Errorf("version %d after %d, %v", stored.Version, k.Key.Version, err)
	}
}

func TestSetNamesEachWrongField(t *testing.T) {
	r := newRegistry(newMemory(), &clock{})
	k := create(t, r)
	label, quota, past := "a\nb", -1, start
	_, _, err := r.Set(t.Context(), k.Key.ID, keys.Changes{Label: &label, MonthlyQuota: &quota, ExpiresAt: &past, Scopes: &[]string{"x"}, Allowlist: &[]string{"home"}})
	if wrong, ok := errors.AsType[keys.FieldErrors](err); !ok || len(wrong) != 5 {
		t.Errorf("%v", err)
	}
}
