package keys_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"touchline/shared/keys"
)

func TestASecretIsThirtyTwoBytesOfBase64URL(t *testing.T) {
	s := keys.NewSecret()
	b, err := base64.RawURLEncoding.Strict().DecodeString(s.Reveal())
	if err != nil || len(b) != 32 {
		t.Fatalf("%d bytes and %v", len(b), err)
	}
}

func TestSecretsCompareByTheirText(t *testing.T) {
	a := keys.NewSecret()
	same, err := keys.SecretFrom(a.Reveal())
	if err != nil || !a.Equal(same) || a.Equal(keys.NewSecret()) || a.Equal(keys.Secret{}) {
		t.Fatal("not equal to itself, or equal to another")
	}
	if _, err := keys.SecretFrom(""); err == nil {
		t.Fatal("an empty secret was accepted")
	}
}

// hidden holds a value where fmt finds it by reflection only.
type hidden struct {
	value any
	list  []any
	named map[string]any
}

func TestNothingPrintsASecret(t *testing.T) {
	w := newWorker(0)
	issued := create(t, w.registry)
	var credential *keys.Credential
	synctest.Test(t, func(t *testing.T) { // ends with the goroutine of the read, so that printing does not race it
		credential = w.lookup(t, issued.Key.ID, 1)
	})
	masterBytes, err := base64.StdEncoding.DecodeString(masterKeyText)
	if err != nil {
		t.Fatal(err)
	}
	forbidden := append(writings([]byte(issued.Secret.Reveal())), writings(masterBytes)...)

	for name, value := range map[string]any{
		"secret": issued.Secret, "pointer to secret": &issued.Secret,
		"issued": issued, "pointer to issued": &issued,
		"credential": *credential, "pointer to credential": credential,
		"local sealer": newSealer(), "registry": w.registry, "cache": w.Cache,
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []any{
				value, hidden{value: value}, &hidden{list: []any{value}}, hidden{named: map[string]any{"x": value}},
				struct{ X any }{value}, []any{value}, map[string]any{"x": value}, fmt.Errorf("failed: %v", value),
			} {
				for i, text := range printed(t, v) {
					for _, bad := range forbidden {
						if strings.Contains(strings.ToLower(text), strings.ToLower(bad)) {
							t.Fatalf("way %d to print %T shows the secret", i, v)
						}
					}
				}
			}
		})
	}
}

// writings returns the ways in which bytes could be printed, each for the first
// eight bytes.
func writings(b []byte) []string {
	b = b[:8]
	decimal := strings.Trim(fmt.Sprint(b), "[]")
	return []string{
		string(b), hex.EncodeToString(b), decimal, strings.ReplaceAll(decimal, " ", ", "), strings.ReplaceAll(decimal, " ", ","),
		base64.StdEncoding.EncodeToString(b)[:10], base64.URLEncoding.EncodeToString(b)[:10],
		strings.TrimSuffix(fmt.Sprintf("%#v", b)[len("[]byte{"):], "}"),
	}
}

// printed returns a value in every form in which a program could print it.
func printed(t *testing.T, v any) []string {
	t.Helper()
	var all []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%#x", "% x", "%o", "%T"} {
		all = append(all, fmt.Sprintf(verb, v))
	}
	all = append(all, fmt.Sprint(v), fmt.Sprintln(v))
	if b, err := json.Marshal(v); err == nil {
		all = append(all, string(b))
	}
	var log bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
		slog.New(handler).InfoContext(t.Context(), "message", slog.Any("value", v), slog.Group("group", "value", v))
	}
	return append(all, log.String())
}

func TestASecretSaysThatItIsRedacted(t *testing.T) {
	b, err := json.Marshal(struct {
		Secret keys.Secret            `json:"secret"`
		Named  map[string]keys.Secret `json:"named"`
	}{keys.NewSecret(), map[string]keys.Secret{"a": keys.NewSecret()}})
	if want := `{"secret":"[redacted]","named":{"a":"[redacted]"}}`; err != nil || string(b) != want {
		t.Errorf("got %s and %v, want %s", b, err, want)
	}
	text, err := keys.NewSecret().MarshalText()
	if err != nil || string(text) != "[redacted]" {
		t.Errorf("got %s and %v", text, err)
	}
	s := keys.NewSecret()
	if got := fmt.Sprintf("%s %d %s %s", s, s, s.String(), s.GoString()); strings.Count(got, "[redacted]") != 4 {
		t.Errorf("got %s", got)
	}
	if got := s.LogValue().String(); got != "[redacted]" {
		t.Errorf("got %s", got)
	}
}

func TestASealedSecretPrintsAsItsSize(t *testing.T) {
	k := keys.Key{Current: keys.SealedSecret{ID: "ts_1", Sealed: []byte("sealed")}}
	b, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprintf("%v", k), fmt.Sprintf("%+v", &k)} {
		if !strings.Contains(text, "[sealed, 6 bytes]") {
			t.Error(text)
		}
	}
	if strings.Contains(string(b), "ealed") {
		t.Errorf("%s", b)
	}
}
