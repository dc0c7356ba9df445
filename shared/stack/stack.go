// Package stack holds the names that the parts of a deployment share: of the
// stack and its functions, of the variables in a function's environment, of the
// objects in the ingest bucket, of the stack's outputs, and the defaults on a
// laptop. infra, the functions and the touchline command all take them from
// here.
//
// The package imports the standard library only, so that no program carries
// another's code for the sake of a name.
package stack

// Name is the name of a stage's CloudFormation stack.
func Name(stage string) string { return "touchline-" + stage }

// Ingest is the name of the function that loads datasets. The functions that
// serve requests are named for their route groups (route.Groups).
const Ingest = "ingest"

// FunctionName is the name of a function on Lambda.
func FunctionName(stage, function string) string { return Name(stage) + "-" + function }

// Live is the alias by which functions are invoked.
const Live = "live"

// Release is the description of the versions that a deployment publishes, by its
// name: the same for all functions.
func Release(name string) string { return "release " + name }

// LogGroup is the name of a function's log group.
func LogGroup(stage, function string) string { return "/touchline/" + stage + "/" + function }
