package stack

// ParameterProtect is the template's parameter that protects the tables from
// deletion, true or false. The first deployment of a stack sets it to false, so
// that a failed one leaves nothing behind. Stages without such a table have none.
const ParameterProtect = "Protect"

// MetadataKey is the key of Metadata in a template.
const MetadataKey = "Touchline"

// Metadata is what the command that deploys a template has to know of the stage's
// settings.
type Metadata struct {
	// TerminationProtection is whether the stack is protected once it is there.
	TerminationProtection bool `json:"terminationProtection"`
	// Unattended is what the stage does not have for somebody to notice when it fails or grows
	// dear, in words. A deployment is refused while there is any.
	Unattended []string `json:"unattended,omitempty"`
}
