// Command infra is Touchline's deployment: an app of the AWS CDK, run by the cdk
// command line (cdk.json), that writes one CloudFormation stack for a stage.
// stage.go is the picture of it; what a deployment can choose is in settings.go.
//
// Invariants
//
//   - Nothing about the service is spelled here a second time: routes come from
//     the route table, keys of tables from the stores, variables of functions
//     from what reads them, names of metrics from what writes them, names of
//     outputs from what uses them. What they do not know, such as which calls a
//     route makes, the tests find out by serving it; and they hold the names of
//     package ingest, which is too much to compile for a few words.
//   - It asks AWS for nothing: no look-up, no credentials, no account or region,
//     so that the same source gives the same template everywhere.
//   - Every resource is one that this app declares, with the properties it
//     states. No construct adds a function, a role or a right of its own, which
//     is why they are CloudFormation's own resources.
//   - A role may make the calls that its function makes, on what it makes them,
//     and no other.
//   - Names given to resources begin with the stack's or hold the stage's, so
//     that stages share an account and a region. What holds data is named by
//     CloudFormation.
//   - What cannot be made again outlives the stack: the tables of data and keys,
//     the KMS key that opens the keys' secrets, the bucket of dropped datasets.
//     A stage that its settings call disposable takes its tables and its KMS key
//     along.
package main
