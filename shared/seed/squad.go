package seed

import "fmt"

// positions are those of a squad of 20. The first eleven start, and a smaller
// squad takes the beginning of the list.
var positions = [20]string{
	goalkeeper, defender, defender, defender, defender, midfielder, midfielder, midfielder, midfielder, forward, forward,
	goalkeeper, defender, defender, midfielder, midfielder, midfielder, forward, forward, defender,
}

const (
	goalkeeper = "goalkeeper"
	defender   = "defender"
	midfielder = "midfielder"
	forward    = "forward"

	starters = 11
	benched  = 7
)

// side is what is needed of a team to play a match.
type side struct {
	team    string
	player  func(i int) string // the key of the i-th player
	players int                // at least 11
	edge    int                // percent by which it is better than an average team
	coach   string
}

// formations are those of four defenders, four midfielders and two forwards.
var formations = []struct {
	name string
	rows []int
}{
	{"4-4-2", []int{1, 4, 4, 2}},
	{"4-1-2-1-2", []int{1, 4, 1, 2, 1, 2}},
}

// lineUp chooses the starters, a formation and a captain. The starters are the
// first eleven, except that up to three of them are replaced by others of the
// same position.
func lineUp(r *random, s side) (squad, []int) {
	order := make([]int, s.players)
	for i := range order {
		order[i] = i
	}
	for range r.below(4) {
		in, out := r.below(starters), starters+r.below(s.players-starters+1)
		if out < s.players && positions[order[in]] == positions[order[out]] {
			order[in], order[out] = order[out], order[in]
		}
	}
	formation := formations[r.below(len(formations))]
	captain := r.below(starters)
	q := squad{Formation: formation.name, Coach: s.coach}
	at := 0
	for row, n := range formation.rows {
		for column := range n {
			q.Starting = append(q.Starting, entry{
				PlayerID: s.player(order[at]), Captain: at == captain, Position: positions[order[at]],
				Grid: fmt.Sprintf("%d:%d", row+1, column+1),
			})
			at++
		}
	}
	bench := order[starters:min(len(order), starters+benched)]
	q.Bench = []entry{}
	for _, i := range bench {
		q.Bench = append(q.Bench, entry{PlayerID: s.player(i), Position: positions[i]})
	}
	return q, order[:starters+len(bench)]
}
