package records

import (
	"slices"

	"touchline/shared/sport"
)

// Scope says which keys see a record (D19, D24, D36). The loader fills it in,
// so that one read of a record tells both what it says and who may know.
type Scope struct {
	// Owners are the organizations whose own keys see the record, with or
	// without descendants.
	Owners IDs `dynamodbav:"ow,omitempty"`
	// Reach are the organizations whose keys with descendants see the record:
	// the owners and everything above them over public organizations.
	Reach IDs `dynamodbav:"re,omitempty"`
	// Hidden records are outside every scope, whatever Owners and Reach say.
	Hidden bool `dynamodbav:"hi,omitempty"`
}

// Contains reports whether a key of organization, with or without descendants,
// sees the record.
func (s Scope) Contains(organization sport.ID, descendants bool) bool {
	if s.Hidden {
		return false
	}
	if descendants {
		return slices.Contains(s.Reach, organization)
	}
	return slices.Contains(s.Owners, organization)
}

func seenByOwner(owner sport.ID, reach IDs, organization sport.ID, descendants bool) bool {
	if descendants {
		return slices.Contains(reach, organization)
	}
	return owner == organization
}
