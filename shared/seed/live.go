package seed

// liveFederation is a federation of leagues whose current round is being played:
// all its matches kicked off at 14:00 on a Saturday.
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

// WriteGoals writes the live matches of the federation that Write makes with the
// same options, as they are after another goal in each, with its event, its
// score and its effect on the figures.
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
