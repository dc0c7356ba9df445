package parts

import (
	"testing"

	"touchline/shared/sport"
)

func TestPeriodIsDerivedFromTheMinute(t *testing.T) {
	for minute, want := range map[int]sport.Period{
		0: sport.FirstHalf, 45: sport.FirstHalf, 46: sport.SecondHalf, 90: sport.SecondHalf,
		91: sport.ExtraTimeFirst, 105: sport.ExtraTimeFirst, 106: sport.ExtraTimeSecond, 120: sport.ExtraTimeSecond, 999: sport.ExtraTimeSecond,
	} {
		if got := periodOf(sport.EventGoal, minute); got != want {
			t.Errorf("minute %d: got %s, want %s", minute, got, want)
		}
	}
}
