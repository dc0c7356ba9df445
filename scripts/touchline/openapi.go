package main

import (
	"fmt"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/service"
)

type openapiCommand struct {
	BaseURL string `name:"base-url" placeholder:"URL" help:"Service address to write as the server and in the code samples (default: left open)."`
}

// Help is shown below the flags.
func (openapiCommand) Help() string {
	return `The document describes every path, parameter, answer and error, with an
example of each and code samples, and how requests are signed; client generators
and API browsers read it.

Examples:

    touchline openapi > openapi.json
    touchline openapi --base-url https://api.example.org > openapi.json
`
}

// Run prints the document of the service that this command was built with.
func (o *openapiCommand) Run(c *terminal.Terminal) error {
	if o.BaseURL != "" && !service.IsURL(o.BaseURL) {
		return terminal.Usagef("--base-url %q: want an http or https URL, such as https://api.example.org", o.BaseURL)
	}
	// The table is only read; none of its operations is called.
	text := openapi.JSON(groups.Table(endpoints.Deps{}), o.BaseURL)
	if _, err := c.Out.Write(text); err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}
