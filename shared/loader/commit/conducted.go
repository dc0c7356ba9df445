package commit

import "fmt"

// Conducted is what the head of a load says that Step Functions conducts (package
// conduct).
type Conducted struct {
	// Execution names the execution, for people and for who began it. Number counts
	// the executions of the load, from 1: only the steps of the last one go on.
	Execution string `dynamodbav:"e"`
	Number    int    `dynamodbav:"n"`
	// Task is what the steps are told, for who begins another execution.
	Task string `dynamodbav:"t,omitempty"`
	// Decided is the Number of the execution in which the load was decided; 0: nothing
	// of it is in the table.
	Decided int `dynamodbav:"d,omitempty"`
	// Stopped says that the load is being given up: no step begins to write.
	Stopped bool `dynamodbav:"s,omitempty"`
}

// ConductedError is the error of what has to wait for a load that Step Functions
// conducts.
type ConductedError struct {
	Execution string
}

// Error says what can be done.
func (e *ConductedError) Error() string {
	return fmt.Sprintf("a load by Step Functions is not finished (execution %s): wait for it; the message of its drop starts it again if it ends early. "+
		"To give it up, run an import with --abandon", e.Execution)
}

// Conducting is the error of what has to wait for a head's load, nil where that is
// not conducted.
func (h *Head) Conducting() error {
	if h == nil || h.Conducted == nil {
		return nil
	}
	return &ConductedError{h.Conducted.Execution}
}
