package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"touchline/shared/client"
)

// The README shows these.

func Example() {
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.org",
		KeyID:   os.Getenv("TOUCHLINE_KEY_ID"),
		Secret:  client.Secret(os.Getenv("TOUCHLINE_SECRET")),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	federation := c.Federation("f224ed0516b87959243f0a47")
	for competition, err := range federation.Competitions(client.CompetitionsParams{IncludeDescendants: true}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		table, err := c.Tournament(competition.ID).Standings(ctx, client.SeasonParams{})
		if err != nil {
			log.Fatal(err)
		}
		for _, row := range table.Standings {
			fmt.Println(competition.Name, row.Rank, row.Team.Name, row.Points)
		}
	}
}

func ExampleError() {
	var c *client.Client // from New
	_, err := c.Team("f224ed0516b87959243f0a47").Get(context.Background())
	switch refusal, refused := errors.AsType[*client.Error](err); {
	case errors.Is(err, client.NotFound):
		fmt.Println("no such team")
	case errors.Is(err, client.QuotaExceeded):
		fmt.Println("no more this month: again in", refusal.RetryAfter)
	case refused:
		fmt.Println("refused, report", refusal.RequestID)
	case err != nil:
		fmt.Println("no answer:", err)
	}
}

func ExampleList_Page() {
	var c *client.Client // from New
	page, err := c.Team("f224ed0516b87959243f0a47").Matches(client.MatchesParams{Status: "finished"}).Page(context.Background(), 1, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Data), "of", page.Total)
	if page.Meta != nil && page.Meta.Truncated {
		fmt.Println("of the latest", page.Meta.CompetitionsIncluded, "competitions only")
	}
}
