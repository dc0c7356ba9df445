package parts

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Text is any value as text; of a pointer what it points to, of nil nothing.
func Text(v any) string {
	value := reflect.ValueOf(v)
	for value.IsValid() && value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if !value.IsValid() {
		return ""
	}
	return fmt.Sprint(value.Interface())
}

// Words writes a word of the API, such as ownGoal, in words: own goal.
func Words(v any) string {
	var b strings.Builder
	for i, r := range fmt.Sprint(v) {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte(' ')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Number groups the digits of large numbers, with a narrow space.
func Number(n int) string {
	text := fmt.Sprint(n)
	if n < 0 {
		return text
	}
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "\u202f" + text[at:]
	}
	return text
}

// Signed writes a difference: +2, 0 or −2.
func Signed(n int) string {
	if n == 0 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+d", n), "-", "−", 1)
}

// Share is part of whole in percent, from 0 to 100.
func Share(part, whole int) int {
	if whole <= 0 || part <= 0 {
		return 0
	}
	return min(100, part*100/whole)
}

// WithQuery is a path with a query of names and values in turn, those that are
// empty left out.
func WithQuery(parts ...string) string {
	q := url.Values{}
	for i := 1; i+1 < len(parts); i += 2 {
		if parts[i+1] != "" {
			q.Set(parts[i], parts[i+1])
		}
	}
	if len(q) == 0 {
		return parts[0]
	}
	return parts[0] + "?" + q.Encode()
}

// Counted is a number of things.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Zone is a time zone; UTC where it is not known on this machine.
func Zone(name string) *time.Location {
	if z, err := time.LoadLocation(name); err == nil {
		return z
	}
	return time.UTC
}
