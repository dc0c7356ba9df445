// Package service puts a worker together: the endpoints, the pipeline and the
// stores behind it. A function is a worker of one route group, `touchline serve`
// one of them all; there is no other wiring.
//
// A function is configured by its environment, which Variables lists and
// FromEnvironment reads:
//
//	TOUCHLINE_SPORTS_TABLE      table of the data
//	TOUCHLINE_NONCES_TABLE      table of the nonces
//	TOUCHLINE_QUOTAS_TABLE      table of the quotas
//	TOUCHLINE_KEYS_TABLE        table of the keys
//	TOUCHLINE_DEFAULT_PHOTO     URL of the picture of players who have none
//	TOUCHLINE_KMS_KEY           AWS KMS key (id, ARN or alias) that opens the
//	                            secrets of keys
//	TOUCHLINE_MASTER_KEY        what opens them where there is no KMS key: base64
//	                            of 32 bytes
//	AWS_ENDPOINT_URL_DYNAMODB   address of another DynamoDB than that of AWS, for
//	                            functions that run on a laptop
//	TOUCHLINE_STAGE             name of the stage, such as dev or prod; local where
//	                            it is not set
//
// beside AWS_REGION and the credentials, AWS_ACCESS_KEY_ID and so on, which
// Lambda sets.
//
// Invariants
//
//   - A worker is configured in full or not at all: what is missing or wrong is
//     one error that names every such variable, and no value of one that is
//     secret.
//   - Making a worker calls no other service and reads no file; what it needs it
//     asks for when a request does.
//   - A worker holds nothing that would have to be saved: it can end at any
//     moment between two requests.
package service
