package records

import (
	"touchline/shared/sport"
)

// TableRow is a row of a table.
type TableRow struct {
	Rank           int     `dynamodbav:"k"`
	Team           TeamRef `dynamodbav:"t"`
	Played         int     `dynamodbav:"p"`
	Won            int     `dynamodbav:"w"`
	Drawn          int     `dynamodbav:"d"`
	Lost           int     `dynamodbav:"l"`
	GoalsFor       int     `dynamodbav:"f"`
	GoalsAgainst   int     `dynamodbav:"a"`
	Points         int     `dynamodbav:"pt"`
	StartingPoints int     `dynamodbav:"sp,omitempty"`
	Group          string  `dynamodbav:"g,omitempty"`
}

// Tie is a pairing of a knockout.
type Tie struct {
	Round     int          `dynamodbav:"r"`
	Order     int          `dynamodbav:"o"`
	Home      *TeamRef     `dynamodbav:"h,omitempty"`
	Away      *TeamRef     `dynamodbav:"a,omitempty"`
	Aggregate *sport.Score `dynamodbav:"g,omitempty"`
	Penalties *sport.Score `dynamodbav:"p,omitempty"`
	Winner    sport.Winner `dynamodbav:"w"`
	MatchIDs  IDs          `dynamodbav:"m"`
}

// Phase is the playoff or playout of a competition's season (D43).
type Phase struct {
	Format    sport.Format `dynamodbav:"f"`
	Completed bool         `dynamodbav:"c,omitempty"`
	Rows      []TableRow   `dynamodbav:"r,omitempty"` // where the format is league
	Ties      []Tie        `dynamodbav:"t,omitempty"` // where it is knockout
}

// TableRecord holds the tables of a competition's season.
type TableRecord struct {
	Rows    []TableRow `dynamodbav:"r,omitempty"`
	Playoff *Phase     `dynamodbav:"po,omitempty"` // nil: there isn't one
	Playout *Phase     `dynamodbav:"pu,omitempty"`
	// Live: a match that counts for it is being played, so the record is read
	// again sooner (D10).
	Live bool `dynamodbav:"lv,omitempty"`
}

// GivenTableRecord is a table as a dataset gave it.
type GivenTableRecord struct {
	Season int              `dynamodbav:"s"`
	Table  sport.TableName  `dynamodbav:"t"`
	Rows   []sport.GivenRow `dynamodbav:"r"`
}
