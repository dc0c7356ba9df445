package main

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// scores are those of the live match, each with the time in which it may be
// seen: from the beginning of the load that stores it until some time after the
// end of the next load.
type scores struct {
	mu  sync.Mutex
	all []score
}

type score struct {
	home  int
	begin time.Time // of the load that stores it
	end   time.Time // of that load; zero: it has not ended
}

// tolerance is added to the age that a response with a live match may have: the
// requests and the loads run on one busy machine.
const tolerance = 5 * time.Second

// begin records the beginning of a load with a score, and returns the function
// that records its end.
func (s *scores) begin(home int, now time.Time) (end func(time.Time)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := len(s.all)
	s.all = append(s.all, score{home: home, begin: now})
	return func(now time.Time) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all[at].end = now
	}
}

// check checks the body of the match in a response, given the times of the
// request and the response; age is how old the data may be.
func (s *scores) check(body []byte, asked, arrived time.Time, age time.Duration) (fault string) {
	var response struct {
		Data struct {
			Match struct{ Score *struct{ Home, Away int } }
		}
	}
	if err := json.Unmarshal(body, &response); err != nil || response.Data.Match.Score == nil {
		return fmt.Sprintf("no score: %.200s", body)
	}
	home := response.Data.Match.Score.Home
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, is := range s.all {
		if is.home != home {
			continue
		}
		if is.begin.After(arrived) {
			return fmt.Sprintf("%d:0, which was not loaded yet", home)
		}
		if i+1 < len(s.all) {
			if next := s.all[i+1].end; !next.IsZero() && asked.Sub(next) > age+tolerance {
				return fmt.Sprintf("%d:0, which was replaced %v before", home, asked.Sub(next).Round(time.Millisecond))
			}
		}
		return ""
	}
	return fmt.Sprintf("%d:0, which was never loaded", home)
}
