package tournaments

import "touchline/shared/route"

// The parameters of the group's operations, in the order of the contract.

type seasonParams struct{ route.Season }

type pageParams struct {
	route.Season
	route.Paging
}

type scorersParams struct {
	route.Season
	Type scorersType `query:"type" default:"goals" enum:"goals,assists,appearances" doc:"What players are ranked by."`
	route.Paging
}

type scorersType string

type cardsParams struct {
	route.Season
	Scope cardsScope `query:"scope" default:"player" enum:"player,team" doc:"Whose cards are counted."`
	route.Paging
}

type cardsScope string
