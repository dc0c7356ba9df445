package ingest

import "touchline/shared/service"

// The variables of the function's environment.
const (
	VariableSportsTable     = service.VariableSportsTable
	VariableStage           = service.VariableStage
	VariableEndpoint        = service.VariableEndpoint
	VariableObjectsEndpoint = "AWS_ENDPOINT_URL_S3"
	VariableQueueEndpoint   = "AWS_ENDPOINT_URL_SQS"
)

// LocalStage is the stage of what was not deployed.
const LocalStage = service.LocalStage

// Variables lists what the function reads of its environment, beside what Lambda
// sets.
func Variables() []service.Variable {
	return []service.Variable{
		{Name: VariableSportsTable, Holds: "table of the data", Required: true, Deployed: true},
		{Name: VariableStage, Holds: "name of the stage, " + LocalStage + " where it is not set", Deployed: true},
		{Name: VariableEndpoint, Holds: "address of another DynamoDB than that of AWS"},
		{Name: VariableObjectsEndpoint, Holds: "address of another S3 than that of AWS"},
		{Name: VariableQueueEndpoint, Holds: "address of another SQS than that of AWS"},
	}
}
