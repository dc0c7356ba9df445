package regulations_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"touchline/shared/regulations"
	"touchline/shared/sport"
)

func TestTheRulesOfEachEntryAreValid(t *testing.T) {
	for _, name := range regulations.Names() {
		rulesOf(t, name)
	}
}

// rulesOf reads the rules of an entry as dataset.md has them.
func rulesOf(t *testing.T, name string) sport.Rules {
	t.Helper()
	text, ok := regulations.Rules(name)
	if !ok {
		t.Fatalf("no entry %s", name)
	}
	f := fileRules{Win: 3, Draw: 1}
	if err := strict(text, &f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	rules := sport.Rules{
		Win: f.Win, Draw: f.Draw, Loss: f.Loss,
		ExtraTimeWin: f.ExtraTimeWin, ExtraTimeLoss: f.ExtraTimeLoss, ShootoutWin: f.ShootoutWin, ShootoutLoss: f.ShootoutLoss,
		AcrossGroups: f.AcrossGroups,
	}
	for _, c := range f.TieBreakers {
		if slices.Contains(rules.TieBreakers, sport.TieBreaker(c)) {
			t.Errorf("%s: %s is there twice", name, c)
		}
		rules.TieBreakers = append(rules.TieBreakers, sport.TieBreaker(c))
	}
	if f.Carry != nil {
		rules.Carry = &sport.Carry{Points: cmp.Or(f.Carry.Points, sport.CarryFull), Record: f.Carry.Record, Among: cmp.Or(f.Carry.Among, sport.CarryAll)}
	}
	return rules
}

type fileRules struct {
	Win, Draw, Loss             int
	ExtraTimeWin, ExtraTimeLoss *int
	ShootoutWin, ShootoutLoss   *int
	TieBreakers                 []criterion
	AcrossGroups                bool
	Carry                       *struct {
		Points sport.CarryPoints
		Record bool
		Among  sport.CarryAmong
	}
}

type criterion sport.TieBreaker

func (c *criterion) UnmarshalJSON(text []byte) error {
	var name sport.TieBreaker
	if json.Unmarshal(text, &name) == nil {
		*c = criterion(name)
		return known(name)
	}
	block := struct {
		HeadToHead []sport.TieBreaker
		Again      bool
	}{Again: true}
	if err := strict(text, &block); err != nil {
		return err
	}
	for _, name := range block.HeadToHead {
		if err := known(name); err != nil {
			return err
		}
	}
	*c = criterion(sport.HeadToHead(block.Again, block.HeadToHead...))
	return nil
}

func known(name sport.TieBreaker) error {
	if !slices.Contains(sport.TableCriteria(), name) {
		return fmt.Errorf("no criterion %q", name)
	}
	return nil
}

func strict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func cmpOr[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
