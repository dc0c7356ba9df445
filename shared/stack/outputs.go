package stack

import (
	"errors"
	"fmt"
	"strings"
)

// The keys of the outputs.
const (
	OutputBaseURL     = "BaseUrl"
	OutputSportsTable = "SportsTable"
	OutputNoncesTable = "NoncesTable"
	OutputQuotasTable = "QuotasTable"
	OutputKeysTable   = "KeysTable"
	OutputSecretsKey  = "SecretsKey"
	OutputLogGroups   = "LogGroups"
	OutputAlarmTopic  = "AlarmTopic"
	// OutputDomainTarget is for a person, and there only where the record of a
	// domain is made by hand: what it has to point to.
	OutputDomainTarget = "DomainTarget"
	// OutputRollbackAlarms is for the next deployment: the ARNs, separated by commas,
	// of the alarms that roll it back.
	OutputRollbackAlarms = "RollbackAlarms"
	// OutputRelease is for the next deployment, too: the name of the release that was
	// deployed last.
	OutputRelease = "Release"
	// OutputOwn is as well: the stack's own resources, in the order of Exchangeable,
	// separated by commas.
	OutputOwn = "Own"
)

// Outputs are where the parts of a deployment are.
type Outputs struct {
	BaseURL    string // what requests are sent to, without a slash at its end
	Tables     Tables
	SecretsKey string   // ARN of the KMS key that seals the secrets of keys
	LogGroups  []string // names of the functions' log groups
}

// Parse reads the outputs of a stack, by key. Others than those of this package
// are passed over. The error names all that are missing: it is not the stack of
// a stage then, or that of an older version.
func Parse(outputs map[string]string) (Outputs, error) {
	var (
		o      Outputs
		faults []error
	)
	take := func(key string) string {
		value := outputs[key]
		if value == "" {
			faults = append(faults, fmt.Errorf("no output %s", key))
		}
		return value
	}
	o.BaseURL = strings.TrimSuffix(take(OutputBaseURL), "/")
	o.Tables = Tables{take(OutputSportsTable), take(OutputNoncesTable), take(OutputQuotasTable), take(OutputKeysTable)}
	o.SecretsKey = take(OutputSecretsKey)
	o.LogGroups = strings.Split(take(OutputLogGroups), ",")
	if len(faults) > 0 {
		return Outputs{}, errors.Join(faults...)
	}
	return o, nil
}
