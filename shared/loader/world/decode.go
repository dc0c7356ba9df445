package world

import (
	"time"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// From records back to what they were made of.

func decodeOrganization(r *records.OrganizationRecord) *Organization {
	return &Organization{
		Organization: sport.Organization{
			ID: r.ID, Type: r.Type, Name: r.Name, Logo: r.Logo,
			ParentID: r.ParentID, AdditionalParentIDs: r.Additional,
			Description: r.Description, Season: r.Season,
			Status: r.Status, Visibility: r.Visibility, Plan: r.Plan,
		},
		Reach: r.Reach, Cross: r.Cross, Leaf: r.Leaf,
	}
}

func decodeCompetition(r *records.CompetitionRecord) *Competition {
	c := &Competition{
		Competition: sport.Competition{
			ID: r.ID, Season: r.Season, Current: r.GivenFlag,
			Name: r.Name, Logo: r.Logo, Type: r.Type, Stage: r.Stage, Timezone: r.Timezone,
			OrganizationID: r.OrganizationID, Gender: r.Gender, Completed: r.Completed,
			Visibility: r.Visibility, ParentID: r.ParentID, Format: r.Format,
			Groups: r.Groups, Rules: r.Rules,
		},
		IsCurrent: r.Current,
	}
	if r.EndsAt != 0 {
		c.EndsAt = time.Unix(r.EndsAt, 0).UTC()
	}
	return c
}

func decodeTeam(r *records.TeamRecord) *Team {
	return &Team{sport.Team{
		ID: r.ID, Name: r.Name, ShortName: r.ShortName, Logo: r.Logo,
		OrganizationID: r.Owner, CompetitionID: r.Competition, Season: r.Season, GroupID: r.Group,
		Gender: r.Gender, Status: r.Status, Visibility: r.Visibility,
		StartingPoints: r.StartingPoints, Seed: r.Seed,
	}}
}

func decodePlayer(r *records.PlayerRecord) *Player {
	return &Player{
		Player: sport.Player{
			ID: r.ID, Name: r.Name, TeamID: r.Team.ID, Number: r.Number, Position: r.Position,
			Photo: r.Photo, Status: r.Status, Visibility: r.Visibility,
		},
		Lineups: r.Lineups,
	}
}

func decodeMatch(r *records.MatchRecord) *Match {
	m := &Match{Match: sport.Match{
		ID: r.ID, Season: r.Season, Status: r.Status, Kickoff: time.UnixMilli(r.Kickoff).UTC(),
		HomeTeamID: r.Home.ID, AwayTeamID: r.Away.ID, Score: r.Score, Penalties: r.Penalties,
		ExtraTime: r.ExtraTime, Leg: r.Leg, TwoLegs: r.TwoLegs, Winner: r.Winner, Round: r.Round,
		GroupID: r.GroupID, Visibility: r.Visibility,
	}, Squad: r.Squad, DetailHash: r.DetailHash}
	if r.Competition != nil {
		m.CompetitionID = r.Competition.ID
	}
	return m
}

// DecodeOutcome is the match of a list as far as tables need it: of visibility
// only whether it counts.
func DecodeOutcome(s SeasonID, e records.MatchEntry) *sport.Match {
	m := decodeMatch(&records.MatchRecord{Match: e.Match, Visibility: sport.Public}).Match
	m.CompetitionID, m.Season = s.ID, s.Season
	if e.Private {
		m.Visibility = sport.Private
	}
	return &m
}
