package seed

// liveFederation is a federation of leagues whose round is under way: all its
// matches kicked off at 14:00 on a Saturday.
func liveFederation(w *writer, o Options) federation {
	leagues := o.Live / leagueMatches
	return federation{
		scene:        scene{w: w, now: o.Now, details: o.Details},
		season:       calendar{now: o.Now, current: leagueRound}.season(),
		associations: 2 + leagues/10, clubs: 8 * leagues, leagues: leagues,
		together: true,
	}
}

func writeLive(w *writer, o Options) {
	f := liveFederation(w, o)
	f.organizations()
	for n := range f.leagues {
		f.league(n)
	}
}

// WriteGoals writes the matches under way of the federation that Write makes of
// the same options, as they are once each has had another goal: with its event,
// its score and what it adds to the figures.
func WriteGoals(dir string, o Options) (Counts, error) {
	if o.Now.IsZero() {
		o.Now = defaultNow
	}
	w := &writer{dir: dir, kinds: []string{matchesFile}}
	f := liveFederation(w, o)
	f.goals = true
	return w.made(func() {
		for n := range f.leagues {
			f.league(n)
		}
	})
}
