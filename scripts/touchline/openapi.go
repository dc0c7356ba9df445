package main

import (
	"fmt"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
)

type openapiCommand struct{}

// Help is shown below the flags.
func (openapiCommand) Help() string {
	return `The document describes every path, parameter, answer and error, and how
requests are signed; client generators and API browsers read it.

Example:

    touchline openapi > openapi.json
`
}

// Run prints the document of the service that this command was built with.
func (openapiCommand) Run(c *console) error {
	// The table is only read: none of its operations is called.
	text := openapi.JSON(groups.Table(endpoints.Deps{}))
	if _, err := c.Out.Write(text); err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}
