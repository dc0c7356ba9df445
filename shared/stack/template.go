package stack

// ParameterProtect is the template's parameter that protects the tables from
// deletion, true or false. The first deployment of a stack sets it to false, so
// that a failed one leaves nothing behind. Stages without such a table have none.
const ParameterProtect = "Protect"

// ParameterHold is the template's parameter that keeps the aliases where they are while the
// versions of a deployment are published: the numbers of the versions that they stay at,
// with commas between them, in the order of route.Groups, then Ingest and Bulk. Its default
// has none: the aliases follow the deployment.
const ParameterHold = "Hold"

// MetadataKey is the key of Metadata in a template.
const MetadataKey = "Touchline"

// Metadata is what the command that deploys a template has to know of the stage's
// settings.
type Metadata struct {
	// TerminationProtection is whether the stack is protected once it is there.
	TerminationProtection bool `json:"terminationProtection"`
	// DropLayoutsAfterDays is how many days after an upgrade the data of before are removed
	// by a deployment; 0: none removes them.
	DropLayoutsAfterDays int `json:"dropLayoutsAfterDays,omitempty"`
	// Unattended is what the stage does not have for somebody to notice when it fails or grows
	// dear, in words. A deployment is refused while there is any.
	Unattended []string `json:"unattended,omitempty"`
}
