package wire_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"touchline/shared/endpoints/wire"
)

// encode writes a value as answers are written.
func encode(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func TestInstantsAreUTCWithMilliseconds(t *testing.T) {
	east := time.FixedZone("", 3*3600)
	tests := map[string]struct {
		at   time.Time
		want wire.Instant
	}{
		"whole second":   {time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC), "2026-03-14T15:09:26.000Z"},
		"a part of one":  {time.Date(2026, 3, 14, 15, 9, 26, 5e6, time.UTC), "2026-03-14T15:09:26.005Z"},
		"cut, not round": {time.Date(2026, 3, 14, 15, 9, 26, 999_999_999, time.UTC), "2026-03-14T15:09:26.999Z"},
		"another zone":   {time.Date(2026, 3, 1, 1, 0, 0, 0, east), "2026-02-28T22:00:00.000Z"},
		"before 1970":    {time.Date(1954, 7, 4, 16, 0, 0, 1e6, time.UTC), "1954-07-04T16:00:00.001Z"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := wire.At(tt.at); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if got := wire.AtMilli(tt.at.UnixMilli()); got != tt.want {
				t.Errorf("by milliseconds %s, want %s", got, tt.want)
			}
		})
	}
}
