// Package ping is /v1/ping: who asks, as the service sees it. It reads nothing.
package ping

import (
	"context"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/sport"
)

// apiVersion is that of /v1, always (read-api, Versioning).
const apiVersion = 1

// Operations are the group's rows of the route table. They need no dependency.
func Operations(endpoints.Deps) []route.Operation {
	row := route.Row{Group: route.GroupPing, Path: "/v1/ping", Summary: "The key that asks, and the server's clock."}
	return []route.Operation{route.Define(row, ping)}
}

// reply is the ping data.
type reply struct {
	APIVersion   int          `json:"apiVersion" const:"1"`
	ServerTime   wire.Instant `json:"serverTime" doc:"The server's clock."`
	KeyID        string       `json:"keyId" doc:"The key id as it was sent."`
	ResourceType string       `json:"resourceType" const:"organization"`
	ResourceID   sport.ID     `json:"resourceId" doc:"The organization that the key belongs to."`
	Scopes       []keys.Scope `json:"scopes" doc:"The scopes that the key holds."` // never null
}

func ping(_ context.Context, call route.Call, _ route.None) (route.Data[reply], error) {
	return route.Data[reply]{Data: reply{
		APIVersion:   apiVersion,
		ServerTime:   wire.At(call.Now),
		KeyID:        call.KeyID,
		ResourceType: "organization",
		ResourceID:   call.Organization,
		Scopes:       append([]keys.Scope{}, call.Scopes...),
	}}, nil
}
