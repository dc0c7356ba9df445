// Command infra is Touchline's deployment: an app of the AWS CDK, run by the cdk
// command line (cdk.json), that writes one CloudFormation stack for a stage.
// stage.go has a picture of it; settings.go is what a deployment can choose.
//
// # Invariants
//
//   - Nothing about the service is repeated here: routes come from the route table,
//     keys of tables from the stores, variables of functions from the code that reads
//     them, names of metrics from the code that writes them, names of outputs from
//     the code that uses them; and the calls that functions may make from package
//     stack, to which their own tests hold them.
//   - It asks AWS for nothing: no look-up, no credentials, no account or region, so
//     that the same source makes the same template everywhere.
//   - Every resource is declared here, with its properties. No construct adds a
//     function, a role or a right by itself, which is why all of them are
//     CloudFormation's own resources.
//   - A role may make the calls that its function makes, on the resources that it
//     makes them on, and no others.
//   - Names given to resources begin with that of the stack or contain that of the
//     stage, so that stages can share an account and a region. CloudFormation names
//     what stores data.
//   - What cannot be made again outlives the stack: the tables of data and keys, and the
//     KMS key that opens the keys' secrets. Only a stage whose settings say
//     disposable takes them with it.
package main
