package openapi

import (
	"reflect"
	"strconv"
	"strings"
)

// note is what a field's Go type does not say of it.
type note struct {
	doc    string
	values []string // the set of a string
	min    *int     // of an integer; nil: 0
	max    *int     // of an integer; nil: none
	format string   // of a string
	only   any      // the one value; nil: any
	items  int      // at most so many; 0: any number
}

// noteOf is the note of a field: its tags, and where those are silent what is
// noted here for the type that declares it, or for every field of its name.
func noteOf(owner, name string, tag reflect.StructTag) note {
	n, there := notes()[owner+"."+name]
	if !there {
		n = notes()["."+name]
	}
	if doc := tag.Get("doc"); doc != "" {
		n.doc = doc
	}
	if values := tag.Get("enum"); values != "" {
		n.values = strings.Split(values, ",")
	}
	if bound, err := strconv.Atoi(tag.Get("min")); err == nil {
		n.min = &bound
	}
	if bound, err := strconv.Atoi(tag.Get("max")); err == nil {
		n.max = &bound
	}
	return n
}

// apply adds the note to the schema of the field's value.
func (n note) apply(s *schema) {
	s.Description = n.doc
	switch s.Type {
	case typeString:
		if n.format != "" {
			s.Format = n.format
		}
		if n.values != nil {
			s.Enum = stringIn(n.values...).Enum
		}
	case typeInteger:
		if n.min != nil {
			s.Minimum = n.min
		}
		if n.max != nil {
			s.Maximum = n.max
		}
	case typeArray:
		if n.items > 0 {
			s.MaxItems = new(n.items)
		}
		if n.values != nil {
			s.Items.Enum = stringIn(n.values...).Enum
		}
	}
	if n.only != nil {
		s.Const, s.Minimum = n.only, nil
	}
}

// signedMin is the bound of integers that may be negative.
const signedMin = -1 << 31

// notes are by the name of the type that declares the field (ownerOf) and the
// field's JSON name; without a type they hold for every field of the name that
// has no note of its own.
func notes() map[string]note {
	url := note{doc: "URL of a picture.", format: "uri-reference"}
	signed := func(doc string) note { return note{doc: doc, min: new(signedMin)} }
	return map[string]note{
		".logo":           url,
		".photo":          {doc: "URL of a picture, the deployment's own where the player has none.", format: "uri-reference"},
		".number":         {doc: "On the shirt; 0 where it is not known."},
		".goalDiff":       signed("goalsFor less goalsAgainst."),
		".points":         signed("With startingPoints; may be negative."),
		".startingPoints": signed("Given before the first match; a deduction is negative."),
		".fairPlayPoints": {doc: "-1 for a yellow card, -3 for a second yellow, -4 for a red.", min: new(signedMin), max: new(0)},
		".rank":           {doc: "From 1; equals share a rank.", min: new(1)},
		".season":         {doc: "The year in which the season starts.", min: new(1)},
		".truncated":      {doc: "Only there, and true, where the answer was cut."},
		".minute":         {doc: "From the start of the match, stoppage time left out."},
		".order":          {doc: "Place among its kind."},
		".leg":            {min: new(1), max: new(2)},
		".winner":         {doc: "none until it is finished."},
		".group":          {doc: "The group's name."},
		".possession":     {doc: "Percent.", max: new(100)},
		".form":           {doc: "Results of the last matches, the newest last.", values: []string{"W", "D", "L"}, items: 5},

		"PingReply.apiVersion":       {only: 1},
		"PingReply.serverTime":       {doc: "The server's clock."},
		"PingReply.keyId":            {doc: "The key id as it was sent."},
		"PingReply.resourceType":     {only: "organization"},
		"PingReply.resourceId":       {doc: "The organization that the key belongs to."},
		"PingReply.scopes":           {doc: "The scopes that the key holds."},
		"Organization.parentId":      {doc: "Null also where the parent is outside the key's scope."},
		"Organization.season":        {doc: "The current season, where one is given.", min: new(1)},
		"TreeNode.children":          {doc: "The organizations below, in name order; empty for a leaf."},
		"Match.kickoffAt":            {doc: "In UTC."},
		"Match.score":                {doc: "With extra time, without a shoot-out; 0:0 before kickoff."},
		"Match.penalties":            {doc: "The shoot-out, null where there was none."},
		"Match.twoLegs":              {doc: "Whether the pairing is played over two matches."},
		"Standings.standings":        {doc: "The rows of the table, rank counting from 1 within a group."},
		"Standings.playoffStandings": {doc: "Rows where playoffFormat is league, ties where it is knockout, null where there is no playoff."},
		"Standings.playoutStandings": {doc: "Rows where playoutFormat is league, ties where it is knockout, null where there is no playout."},
		"Tie.order":                  {doc: "From 1 within the round.", min: new(1)},
		"Tie.aggregate":              {doc: "Null until a match of the tie is finished."},
		"Tie.penalties":              {doc: "From the side of the tie's home."},

		"List.page":                 {doc: "As asked for.", min: new(1)},
		"List.limit":                {doc: "As asked for.", min: new(1), max: new(100)},
		"List.total":                {doc: "Items on all pages."},
		"List.hasMore":              {doc: "Whether page * limit is below total."},
		"Meta.kind":                 {doc: "What the list is of.", values: []string{"club", "team", "goals", "assists", "appearances", "player"}},
		"Meta.competitionsIncluded": {doc: "How many of a club's competitions the list covers, where it was cut."},
	}
}
