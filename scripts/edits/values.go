package edits

import "strconv"

// value is what was entered where a number belongs: the number, or the text as it is,
// which the check of the record complains of; nil for nothing.
func value(text string) any {
	if text == "" {
		return nil
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return text
}
