// Package statestest runs a definition in the Amazon States Language: the part of
// it that Touchline's state machine uses.
//
// It is written here for want of a library: aws-local-stepfunctions (npm, 3.0.0) has
// neither the distributed Map nor its ItemReader, without which a load is not conducted,
// and takes 29 MB and Node.js 22. What else there is are containers.
//
// # What it knows
//
//	Task     arn:aws:states:::lambda:invoke; Retry and Catch
//	Map      DISTRIBUTED with STANDARD executions, its items a JSON array in S3
//	Choice   BooleanEquals, Default
//	Pass, Succeed, Fail
//
// Data is selected by the paths $ and $.a.b, and for an item by $$.Map.Item.Value. A
// result takes the place of the input, or goes into a field of it.
//
// # Invariants
//
//   - What it does not know it refuses when it reads the definition: a field, a kind of
//     state, a path, a service. What it knows is in the schema language.json. So a
//     definition either does here what it does on AWS, or its test says what the
//     package has to learn.
//   - A definition is refused, too, if it has a state that no way leads to, or names one
//     that it does not have.
//   - Time is virtual. Waiting for a retry adds to the time of an execution and takes
//     none. A jitter is taken as its longest.
//   - Data larger than Step Functions passes on (256 KiB) fails as it does there.
//   - A path to what is not there ends the execution with States.Runtime, which no state
//     catches. AWS has other names for some of these; a definition that needs them is
//     wrong.
//   - If an item of a Map fails, no other is begun, and those that have begun go on to
//     their end, as functions on Lambda do: stopping an execution does not stop them.
package statestest
