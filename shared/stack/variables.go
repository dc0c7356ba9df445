package stack

import "strconv"

// The variables of a function's environment.
const (
	VariableSportsTable  = "TOUCHLINE_SPORTS_TABLE"
	VariableNoncesTable  = "TOUCHLINE_NONCES_TABLE"
	VariableQuotasTable  = "TOUCHLINE_QUOTAS_TABLE"
	VariableKeysTable    = "TOUCHLINE_KEYS_TABLE"
	VariableDefaultPhoto = "TOUCHLINE_DEFAULT_PHOTO"
	VariableKMSKey       = "TOUCHLINE_KMS_KEY"
	VariableMasterKey    = "TOUCHLINE_MASTER_KEY"
	VariableStage        = "TOUCHLINE_STAGE"

	VariableFailureLimit = "TOUCHLINE_FAILURE_LIMIT" // of D2

	VariableDynamoDBEndpoint = "AWS_ENDPOINT_URL_DYNAMODB"

	// VariableProcessors is read by Go's runtime as it starts.
	VariableProcessors = "GOMAXPROCS"

	// These two are set by Lambda.
	VariableFunction = "AWS_LAMBDA_FUNCTION_NAME"
	VariableMemory   = "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"
)

// Variable is a variable of a function's environment.
type Variable struct {
	Name     string
	Holds    string // in a few words
	Required bool
	// Deployed variables are set by a deployment on AWS. The others are for
	// functions that run on a laptop.
	Deployed bool
}

// RequestVariables lists what a function that serves requests reads from its
// environment, apart from what Lambda sets. One of VariableKMSKey and
// VariableMasterKey is required; where both are set, the former is used.
func RequestVariables() []Variable {
	return []Variable{
		{VariableSportsTable, "table of the data", true, true},
		{VariableNoncesTable, "table of the nonces", true, true},
		{VariableQuotasTable, "table of the quotas", true, true},
		{VariableKeysTable, "table of the keys", true, true},
		{VariableDefaultPhoto, "URL of the picture of players who have none", true, true},
		{VariableKMSKey, "AWS KMS key (id, ARN or alias) that opens the secrets of keys", false, true},
		{VariableMasterKey, "base64 of the 32 bytes that open the secrets of keys without KMS", false, false},
		{VariableDynamoDBEndpoint, "address of a DynamoDB other than AWS's", false, false},
		{VariableStage, "name of the stage; default " + LocalStage, false, true},
		{VariableFailureLimit, "failed authentications that a caller has in a minute, 1 to 100000; default 20", false, true},
		{VariableProcessors, "processors to run on; default all", false, true},
	}
}

// RequestCalls are the calls of DynamoDB that a function makes which serves requests, by the
// variable with the name of the table. Its role allows these and no others.
func RequestCalls() map[string][]string {
	return map[string][]string{
		VariableKeysTable: {"GetItem"}, VariableNoncesTable: {"PutItem"}, VariableQuotasTable: {"UpdateItem"}, VariableSportsTable: {"BatchGetItem"},
	}
}

// DefaultMemory is what a function that serves requests is deployed with, in MB.
const DefaultMemory = 256

// Memory is what Lambda gave a function, in MB; 0 where it does not say.
func Memory(getenv func(string) string) int {
	megabytes, err := strconv.Atoi(getenv(VariableMemory))
	if err != nil || megabytes < 0 {
		return 0
	}
	return megabytes
}

// processorMemory is the memory in MB for which Lambda gives a function the time
// of one processor. For less it gives so much less of the time, but still shows
// two processors.
const processorMemory = 1769

// Processors is how many processors a function of so many MB that serves requests
// should run on, at least one. A request waits for its stores most of the time: a
// second processor would look for work meanwhile, which takes a third of a request's
// time. It is a variable of the deployment (VariableProcessors): to change it in a
// process that runs takes 0.2 ms.
func Processors(megabytes int) int {
	return (megabytes + processorMemory - 1) / processorMemory
}

// MemoryLimit is the part of so many MB, in bytes, that the heap may take before
// the collector works harder. The rest is for what is not in the heap.
func MemoryLimit(megabytes int) int64 { return int64(megabytes) << 20 / 100 * 90 }
