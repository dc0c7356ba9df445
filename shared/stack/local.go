package stack

import "cmp"

// LocalStage is the stage of what was not deployed.
const LocalStage = "local"

// LocalService is where `touchline serve` serves unless told otherwise, and where
// the other commands ask.
const LocalService = "127.0.0.1:8080"

// Tables are the names of the four tables.
type Tables struct{ Sports, Nonces, Quotas, Keys string }

// LocalTables are the tables of a DynamoDB that is no deployment's: those that the
// environment names, else the defaults.
func LocalTables(getenv func(string) string) Tables {
	return Tables{
		Sports: cmp.Or(getenv(VariableSportsTable), "touchline-sports"), Nonces: cmp.Or(getenv(VariableNoncesTable), "touchline-nonces"),
		Quotas: cmp.Or(getenv(VariableQuotasTable), "touchline-quotas"), Keys: cmp.Or(getenv(VariableKeysTable), "touchline-keys"),
	}
}
