package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"touchline/functions/runtimetest/statestest"
)

// stepFunctions is a Step Functions with one machine, whose executions run when
// the test says so.
type stepFunctions struct {
	machine *statestest.Machine

	mu         sync.Mutex
	executions []*execution
}

type execution struct {
	name, input string
	status      string
	began       time.Time
	ended       *time.Time
}

const running = "RUNNING"

func newStepFunctions(machine *statestest.Machine) *stepFunctions {
	return &stepFunctions{machine: machine}
}

// names are the executions that were started, in their order.
func (s *stepFunctions) names() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.executions {
		list = append(list, e.name)
	}
	return list
}

// running is the execution that runs, nil for none.
func (s *stepFunctions) running() *execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.executions {
		if e.status == running {
			return e
		}
	}
	return nil
}

// end ends an execution.
func (s *stepFunctions) end(e *execution, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	e.status, e.ended = status, &now
}

func arnOf(name string) string {
	return strings.Replace(machine, ":stateMachine:", ":execution:", 1) + ":" + name
}

// ServeHTTP answers StartExecution and DescribeExecution, as AWS documents them.
func (s *stepFunctions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var input struct {
		StateMachineARN string `json:"stateMachineArn"`
		ExecutionARN    string `json:"executionArn"`
		Name, Input     string
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		failStates(w, "SerializationException")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var found *execution
	for _, e := range s.executions {
		if e.name == input.Name || arnOf(e.name) == input.ExecutionARN {
			found = e
		}
	}
	switch operation(r) {
	case "StartExecution":
		s.start(w, found, input.StateMachineARN, input.Name, input.Input)
	case "DescribeExecution":
		if found == nil {
			failStates(w, "ExecutionDoesNotExist")
			return
		}
		answer := map[string]any{
			"executionArn": arnOf(found.name), "stateMachineArn": machine, "name": found.name, "status": found.status,
			"startDate": seconds(found.began), "input": found.input, "redriveCount": 0,
		}
		if found.ended != nil {
			answer["stopDate"] = seconds(*found.ended)
		}
		_ = json.NewEncoder(w).Encode(answer)
	default:
		failStates(w, "UnknownOperationException")
	}
}

// start starts an execution, once with the same name and input while it runs.
func (s *stepFunctions) start(w http.ResponseWriter, found *execution, of, name, input string) {
	switch {
	case of != machine:
		failStates(w, "StateMachineDoesNotExist")
		return
	case name == "" || len(name) > 80:
		failStates(w, "InvalidName")
		return
	case found != nil && (found.status != running || found.input != input):
		failStates(w, "ExecutionAlreadyExists")
		return
	case found == nil:
		found = &execution{name: name, input: input, status: running, began: time.Now()}
		s.executions = append(s.executions, found)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"executionArn": arnOf(name), "startDate": seconds(found.began)})
}

func seconds(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }

func failStates(w http.ResponseWriter, name string) {
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": name, "message": "as AWS says"})
}
