// Package stack holds the names that the parts of a deployment share: of the
// stack and its functions, of the variables in a function's environment, of the
// stack's outputs, and the defaults on a laptop. infra, the functions and the
// touchline command all take them from here.
//
// The package imports the standard library only, so that no program carries
// another's code for the sake of a name.
package stack

// Name is the name of a stage's CloudFormation stack.
func Name(stage string) string { return "touchline-" + stage }

// Tags are those of all resources of a stage.
func Tags(stage string) map[string]string {
	return map[string]string{"project": "touchline", "stage": stage}
}

// FunctionName is the name of a function on Lambda; functions are named for their route
// groups (route.Groups).
func FunctionName(stage, function string) string { return Name(stage) + "-" + function }

// Live is the alias by which functions are invoked.
const Live = "live"

// Release is the description of the versions that a deployment publishes, by its
// name: the same for all functions.
func Release(name string) string { return "release " + name }

// Reading follows the release in the description of a version, and what data it reads
// (space.Reads) follows that.
const Reading = ", reads "

// LogGroup is the name of a function's log group.
func LogGroup(stage, function string) string { return "/touchline/" + stage + "/" + function }

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
	// Named are the resources that settings name in place of the stack's own, by the
	// variable of Exchangeable.
	Named map[string]string `json:"named,omitempty"`
	// Release is the name of the release that the template publishes.
	Release string `json:"release,omitempty"`
}

// Exchange is a resource for which a setting can name another one: the tables of data
// and keys, and the KMS key. Releases before and after read different ones then, so that a
// role may use two: the one of the template, and the one that its parameter names.
type Exchange struct {
	Variable  string // that tells a function
	Output    string // with the one of the template
	Parameter string // the one that was read before; empty: no other
}

// Exchangeable are all of them.
func Exchangeable() []Exchange {
	return []Exchange{
		{VariableSportsTable, OutputSportsTable, "FormerSportsTable"},
		{VariableKeysTable, OutputKeysTable, "FormerKeysTable"},
		{VariableKMSKey, OutputSecretsKey, "FormerKMSKey"},
	}
}
