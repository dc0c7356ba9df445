package edits

import (
	"strings"

	"touchline/shared/sport"
)

// orderName is the field of a competition with the criteria of its table.
const orderName = "rules.tieBreakers"

// among are the matches that a criterion is computed on: all, or those among the teams
// that are level (sport.HeadToHead). Criteria of one kind that follow one another share a
// table of these matches, unless one begins another.
func among() []Choice {
	return []Choice{
		{"", "in all matches"}, {"again", "among the level teams"}, {"once", "among the level teams, once"},
		{"new again", "among the level teams, in a new table"}, {"new once", "among the level teams, in a new table, once"},
	}
}

// criteria are what a table may be ordered by.
func criteria() []Choice {
	var all []Choice
	for _, c := range append(sport.TableCriteria(), sport.ByName) {
		all = append(all, Choice{string(c), Criterion(c)})
	}
	return all
}

// Criterion is a criterion of a table in words.
func Criterion(c sport.TieBreaker) string {
	if block, again, ok := c.Block(); ok {
		names := make([]string, len(block))
		for i, of := range block {
			names[i] = Criterion(of)
		}
		return map[bool]string{true: "head to head", false: "head to head, once"}[again] + " (" + strings.Join(names, ", ") + ")"
	}
	text, known := map[sport.TieBreaker]string{
		sport.ByGoalDiff: "goal difference", sport.ByGoalsFor: "goals scored", sport.ByWon: "wins", sport.ByAwayGoals: "goals away",
		sport.ByAwayWon: "wins away", sport.ByGoalRatio: "goal ratio", sport.ByFairPlay: "fair play (cards)",
		sport.ByOpponentsPoints: "points of the opponents", sport.ByOpponentsDiff: "goal difference of the opponents",
		sport.ByOpponentsGoals: "goals of the opponents", sport.BySonnebornBerger: "Sonneborn-Berger",
		sport.BySetPointsRatio: "ratio of the points in sets", sport.BySetPointsDiff: "difference of points in sets", sport.ByGroupPoints: "points per match within the group",
		sport.ByPointsPerMatch: "points per match", sport.ByHalfPoint: "rounding of the half point",
		sport.ByParentRank: "place in the table before", sport.BySeed: "seed (a lot, a ruling)",
	}[c]
	if !known {
		return string(c)
	}
	return text
}

// orderList is the list of the criteria of a table, a row for each.
func orderList() *List {
	return &List{
		Name: orderName, Label: "Order of the table", Moves: true, free: 3, flat: flatOrder, fold: foldOrder,
		Help: "The first decides, then the next among teams that are still level. Without any: points, goal difference, goals scored, head to head, wins. " +
			"Among the level teams counts the matches that they played against each other, again among those still level.",
		columns: []Field{
			{Name: "criterion", Label: "By", Input: "choice", Choices: optional("–", criteria())},
			{Name: "among", Label: "Matches", Input: "choice", Choices: among()},
		},
	}
}

// flatOrder is a stored order as rows.
func flatOrder(stored []any) (rows []any) {
	var order []sport.TieBreaker
	for _, v := range stored {
		if name, ok := v.(string); ok {
			order = append(order, sport.TieBreaker(name))
			continue
		}
		var block []sport.TieBreaker
		of, _ := object(v)["headToHead"].([]any)
		for _, name := range of {
			block = append(block, sport.TieBreaker(name.(string)))
		}
		order = append(order, sport.HeadToHead(object(v)["again"] != false, block...))
	}
	before := ""
	for _, c := range sport.Blocks(order) {
		block, again, head := c.Block()
		if !head {
			before, block = "", []sport.TieBreaker{c}
		}
		kind := ""
		if head {
			kind = map[bool]string{true: "again", false: "once"}[again]
		}
		for i, name := range block {
			row := Object{"criterion": string(name), "among": kind}
			if head && i == 0 && kind == before {
				row["among"] = "new " + kind
			}
			rows = append(rows, map[string]any(row))
		}
		before = kind
	}
	return rows
}

// foldOrder makes an order of rows; of tells for each of its elements which row is its
// first.
func foldOrder(rows []Object) (order []any, of []int) {
	before := ""
	for i, row := range rows {
		name, kind := row["criterion"], text(row, "among")
		kind, begins := strings.CutPrefix(kind, "new ")
		switch {
		case name == nil:
			continue
		case kind == "":
			order, of = append(order, name), append(of, i)
		case kind == before && !begins:
			block := order[len(order)-1].(Object)
			block["headToHead"] = append(block["headToHead"].([]any), name)
		default:
			block := Object{"headToHead": []any{name}}
			if kind == "once" {
				block["again"] = false
			}
			order, of = append(order, block), append(of, i)
		}
		before = kind
	}
	return order, of
}
