package main

import (
	"fmt"
	"strings"

	"touchline/shared/stack"
)

// releases is the name of the release that a stage publishes; empty: it publishes none.
func (s *synthesis) releases() string {
	for _, id := range s.of("AWS::Lambda::Version") {
		release, _, _ := strings.Cut(fmt.Sprint(s.Resources[id].at("Description")), stack.Reading)
		return strings.TrimPrefix(release, stack.Release(""))
	}
	return ""
}
