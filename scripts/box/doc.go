// Package box is Touchline on one machine: the files that scripts/touchline/operate.md
// tells of, and a test that boots a machine and does there what that guide says.
package box
