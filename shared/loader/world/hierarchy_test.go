package world_test

import (
	"strings"
	"testing"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// organizations are a federation f with the associations a, b and h, which is hidden. The
// club k is below a and b, i below h alone, j below h and a, and x below a, which is not its
// primary parent.
func organizations() *world.World {
	w := world.NewWorld()
	for _, o := range []struct {
		id      sport.ID
		parents []sport.ID
	}{{"f", nil}, {"a", []sport.ID{"f"}}, {"b", []sport.ID{"f"}}, {"h", []sport.ID{"f"}}, {"k", []sport.ID{"a", "b"}}, {"i", []sport.ID{"h"}}, {"j", []sport.ID{"h", "a"}}, {"x", []sport.ID{"", "a"}}} {
		is := &world.Organization{Organization: sport.Organization{ID: o.id, Visibility: sport.Public}}
		if o.id == "h" {
			is.Visibility = sport.Hidden
		}
		for i, p := range o.parents {
			switch w.Children.Add(p, o.id); i {
			case 0:
				is.ParentID = p
			default:
				is.AdditionalParentIDs = append(is.AdditionalParentIDs, p)
			}
		}
		w.Organizations.Change(o.id, is)
		is.Reach, is.Unseen = w.Reach(world.After, is), w.Unseen(world.After, is)
		is.Leaf = w.IsLeaf(world.After, o.id)
	}
	return w
}

func TestWhatFollowsFromTheHierarchy(t *testing.T) {
	w := organizations()
	ids := func(all []sport.ID) string {
		texts := make([]string, len(all))
		for i, id := range all {
			texts[i] = string(id)
		}
		return strings.Join(texts, "")
	}
	for id, want := range map[sport.ID]struct {
		reach, masked string
		unseen        bool
	}{
		"f": {reach: "f"},
		"a": {reach: "af"},
		"h": {reach: "h", masked: "", unseen: true},
		"k": {reach: "abfk", masked: "b"},
		"i": {reach: "hi", unseen: true},
		"x": {reach: "afx"},
		"j": {reach: "afhj", masked: "af"}, // h is not below f for anybody
	} {
		o := w.Organizations.At(world.After, id)
		if ids(o.Reach) != want.reach || ids(w.AboveBesides(world.After, o, o.ParentID)) != want.masked || o.Unseen != want.unseen {
			t.Errorf("%s: reach %s, masked %s, unseen %v", id, ids(o.Reach), ids(w.AboveBesides(world.After, o, o.ParentID)), o.Unseen)
		}
	}
	for _, id := range []sport.ID{"k", "b"} {
		if leaf := w.IsLeaf(world.After, id); leaf != (id == "k") {
			t.Errorf("%s is a leaf: %v", id, leaf)
		}
	}
	k := w.Organizations.At(world.After, "k")
	if k.Leaf = true; ids(k.Above()) != "abf" || ids(k.ListedRanges()) != "abf" {
		t.Errorf("ranges above %v, of a leaf %v", k.Above(), k.ListedRanges())
	}
	if k.Leaf = false; ids(k.ListedRanges()) != "abfk" {
		t.Errorf("ranges %v", k.ListedRanges())
	}
}

// The current season is the latest that is called so, else the latest that is not called
// otherwise, else the latest.
func TestTheCurrentSeason(t *testing.T) {
	for _, tt := range []struct {
		given map[int]*bool
		want  int
	}{
		{map[int]*bool{2023: nil, 2024: nil}, 2024},
		{map[int]*bool{2023: new(true), 2024: nil}, 2023},
		{map[int]*bool{2023: nil, 2024: new(false)}, 2023},
		{map[int]*bool{2023: new(false), 2024: new(false)}, 2024},
		{map[int]*bool{2022: new(true), 2023: new(true), 2024: nil}, 2023},
	} {
		w := world.NewWorld()
		for year, current := range tt.given {
			c := &world.Competition{Competition: sport.Competition{ID: "c", Season: year, Current: current}, IsCurrent: year == 2022}
			w.Competitions.Change(c.SeasonID(), c)
			w.Seasons.Add("c", year)
		}
		w.SetCurrent("c")
		for c := range w.SeasonsOf(world.After, "c") {
			if c.IsCurrent != (c.Season == tt.want) {
				t.Errorf("of %v season %d is current: %v, want %d", tt.given, c.Season, c.IsCurrent, tt.want)
			}
		}
	}
}
