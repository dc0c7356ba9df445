package simulation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// check evaluates a condition: terms of the form "attribute_not_exists(name)"
// and "name op :value", joined by AND, and these by OR. It panics on any other.
func check(condition *string, i Item, names map[string]string, values Item) error {
	if condition == nil {
		return nil
	}
	for _, alternative := range strings.Split(*condition, " OR ") {
		all := true
		for _, term := range strings.Split(alternative, " AND ") {
			all = all && holds(strings.Trim(term, " ()"), i, names, values)
		}
		if all {
			return nil
		}
	}
	message := "The conditional request failed"
	return &types.ConditionalCheckFailedException{Message: &message, Item: read(i)}
}

func holds(term string, i Item, names map[string]string, values Item) bool {
	named := func(name string) types.AttributeValue { return i[cmp.Or(names[name], name)] }
	for function, want := range map[string]bool{"attribute_not_exists(": false, "attribute_exists(": true} {
		if name, ok := strings.CutPrefix(term, function); ok {
			return (named(strings.TrimSuffix(name, ")")) != nil) == want
		}
	}
	words := strings.Fields(term)
	if len(words) != 3 || values[words[2]] == nil {
		panic(fmt.Sprintf("a condition that the simulation does not support: %q", term))
	}
	is := named(words[0])
	if is == nil {
		return false
	}
	order := compare(is, values[words[2]])
	switch words[1] {
	case "=":
		return order == 0
	case "<>":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	panic(fmt.Sprintf("a condition that the simulation does not support: %q", term))
}

func compare(a, b types.AttributeValue) int {
	x, number := a.(*types.AttributeValueMemberN)
	if !number {
		return strings.Compare(text(a), text(b))
	}
	y, ok := b.(*types.AttributeValueMemberN)
	if !ok {
		return -1
	}
	return cmp.Compare(number64(x.Value), number64(y.Value))
}

func number64(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// change applies an update expression of ADD and SET clauses, whose operands are
// values, and of REMOVE clauses.
func change(i Item, expression string, names map[string]string, values Item) {
	action := ""
	for _, clause := range clauses(expression) {
		if word, rest, ok := strings.Cut(clause, " "); ok && slices.Contains(actions, word) {
			action, clause = word, rest
		}
		if action == "REMOVE" {
			delete(i, cmp.Or(names[clause], clause))
			continue
		}
		words := strings.Fields(strings.ReplaceAll(clause, "=", " "))
		if len(words) != 2 || values[words[1]] == nil {
			panic(fmt.Sprintf("an update that the simulation does not support: %q", clause))
		}
		name := cmp.Or(names[words[0]], words[0])
		switch action {
		case "SET":
			i[name] = values[words[1]]
		case "ADD":
			sum := number64(values[words[1]].(*types.AttributeValueMemberN).Value)
			if old, ok := i[name].(*types.AttributeValueMemberN); ok {
				sum += number64(old.Value)
			}
			i[name] = &types.AttributeValueMemberN{Value: strconv.FormatInt(sum, 10)}
		default:
			panic(fmt.Sprintf("an update that the simulation does not support: %q", expression))
		}
	}
}

// actions are the words that begin the clauses of an update expression.
var actions = []string{"SET", "ADD", "REMOVE"}

// clauses splits an update expression at its commas and action words.
func clauses(expression string) []string {
	for _, word := range actions {
		expression = strings.ReplaceAll(expression, " "+word+" ", ","+word+" ")
	}
	var cut []string
	for _, clause := range strings.Split(expression, ",") {
		cut = append(cut, strings.TrimSpace(clause))
	}
	return cut
}
