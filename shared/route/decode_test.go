package route_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
)

func windowed() route.Operation {
	return echo[everything](route.Row{Group: route.GroupOrganizations, Path: "/v1/{alias}/{id}/players", Window: true})
}

func TestDefaultsOfAbsentParameters(t *testing.T) {
	for _, query := range []string{"", "&", "&&&"} {
		got, refusal := decode[everything](t, windowed(), query)
		if refusal != nil {
			t.Fatal(refusal)
		}
		want := everything{Depth: 2, Sorting: route.Sorting{Sort: route.SortID}, Paging: route.Paging{Page: "1", Limit: 25}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
}

func TestOneRequestDoesNotChangeTheDefaultsOfTheNext(t *testing.T) {
	o := windowed()
	if _, refusal := decode[everything](t, o, "page=7&depth=3&sort=-name&includeDescendants=true"); refusal != nil {
		t.Fatal(refusal)
	}
	got, _ := decode[everything](t, o, "")
	if got.Page != "1" || got.Depth != 2 || got.Sort != route.SortID || got.IncludeDescendants {
		t.Errorf("%+v", got)
	}
}

func TestValuesAreAccepted(t *testing.T) {
	tests := []struct {
		name, query string
		want        func(*everything)
	}{
		{"page and limit", "page=400&limit=25", func(e *everything) { e.Page, e.Limit = "400", 25 }},
		{"the last page of the window", "limit=1&page=10000", func(e *everything) { e.Page, e.Limit = "10000", 1 }},
		{"largest season", "season=999999999", func(e *everything) { e.Season.Season = 999999999 }},
		{"an escaped key", "pa%67e=2", func(e *everything) { e.Page = "2" }},
		{"an escaped value", "limit=%31%30", func(e *everything) { e.Limit = 10 }},
		{"sort with a minus", "sort=-name", func(e *everything) { e.Sort = route.SortNameDesc }},
		{"false", "includeDescendants=false", func(*everything) {}},
		{"empty parts are dropped", "&&page=3&", func(e *everything) { e.Page = "3" }},
		{"depth", "depth=3", func(e *everything) { e.Depth = 3 }},
		{"status", "status=inactive", func(e *everything) { e.Status = sport.Inactive }},
		{"an id filter of any form", "clubId=a%20b%2f+", func(e *everything) { e.ClubID = "a b/+" }},
		{"a value with an equals sign", "clubId=a=b", func(e *everything) { e.ClubID = "a=b" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, _ := decode[everything](t, windowed(), "")
			tt.want(&want)
			got, refusal := decode[everything](t, windowed(), tt.query)
			if refusal != nil {
				t.Fatal(refusal)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// field and its limit: 0 for none.
type fault struct {
	Field string
	Limit int
}

func faultOf(t *testing.T, e *problem.Error) fault {
	t.Helper()
	if e == nil {
		t.Fatal("accepted")
	}
	if e.Code != problem.BadRequest || e.Details == nil || e.Details.Field == nil {
		t.Fatalf("%+v", e)
	}
	f := fault{Field: *e.Details.Field}
	if e.Details.Limit != nil {
		f.Limit = *e.Details.Limit
	}
	return f
}

func TestTheFirstOffendingParameterIsNamed(t *testing.T) {
	page, limit := fault{"page", 10000}, fault{"limit", 100}
	tests := []struct {
		name, query string
		want        fault
	}{
		{"unknown", "foo=1", fault{"foo", 0}},
		{"of another operation", "teamId=1", fault{"teamId", 0}},
		{"case matters in keys", "Page=1", fault{"Page", 0}},
		{"an escaped unknown key is named decoded", "%66oo=1", fault{"foo", 0}},
		{"a plus in a key is a plus", "pa+ge=1", fault{"pa+ge", 0}},
		{"brackets are part of a key", "page[]=1", fault{"page[]", 0}},
		{"empty key", "=1", fault{"", 0}},
		{"empty key without value", "=", fault{"", 0}},
		{"repeated", "sort=id&sort=id", fault{"sort", 0}},
		{"repeated under an escape", "sort=id&s%6Frt=name", fault{"sort", 0}},
		{"empty value", "sort=", fault{"sort", 0}},
		{"bare key", "sort", fault{"sort", 0}},
		{"repeated page names its bound", "page=1&page=2", page},
		{"empty page names its bound", "page=", page},
		{"bare limit names its bound", "limit", limit},

		{"page 0", "page=0", page},
		{"page of letters", "page=abc", page},
		{"page with a plus", "page=+1", page},
		{"page with a sign", "page=-1", page},
		{"page with a leading zero", "page=01", page},
		{"page of 10 digits", "page=1000000000", page},
		{"page of many digits with another sign among them", "page=9999999999999999999x", page},
		{"page that overflows", "page=99999999999999999999", page},
		{"page with a fraction", "page=1.0", page},
		{"page with a space", "page=1%20", page},
		{"page in other digits", "page=%D9%A1", page},
		{"limit 0", "limit=0", limit},
		{"limit 101", "limit=101", limit},
		{"limit of letters", "limit=abc", limit},
		{"depth 0", "depth=0", fault{"depth", 0}},
		{"depth 4", "depth=4", fault{"depth", 0}},
		{"depth with a zero", "depth=02", fault{"depth", 0}},
		{"season 0", "season=0", fault{"season", 0}},
		{"season with a leading zero", "season=02025", fault{"season", 0}},
		{"season of 10 digits", "season=1234567890", fault{"season", 0}},
		{"sort in capitals", "sort=ID", fault{"sort", 0}},
		{"sort with a plus", "sort=+id", fault{"sort", 0}},
		{"boolean in capitals", "includeDescendants=True", fault{"includeDescendants", 0}},
		{"boolean as a number", "includeDescendants=1", fault{"includeDescendants", 0}},
		{"status of another list", "status=completed", fault{"status", 0}},
		{"invalid UTF-8", "status=%FF", fault{"status", 0}},
		{"a NUL", "status=active%00", fault{"status", 0}},

		{"beyond the window", "page=401&limit=25", page},
		{"beyond the window by the default limit", "page=401", page},
		{"beyond the window with limit 1", "page=10001&limit=1", page},
		{"far beyond the window", "page=999999999&limit=100", page},

		{"keys before values", "page=abc&foo=1", fault{"foo", 0}},
		{"an empty value before a wrong one", "limit=abc&sort=", fault{"sort", 0}},
		{"the first of two unknown", "b=1&a=1", fault{"b", 0}},
		{"an unknown before a repeated", "page=1&foo=1&page=1", fault{"foo", 0}},
		{"a repeated before an unknown", "page=1&page=1&foo=1", page},
		{"an empty before an unknown", "limit=&foo=1", limit},
		{"values in the order sent", "sort=x&limit=x", fault{"sort", 0}},
		{"values in the other order sent", "limit=x&sort=x", limit},
		{"values before the window", "page=20000&limit=x", limit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, refusal := decode[everything](t, windowed(), tt.query)
			if diff := cmp.Diff(tt.want, faultOf(t, refusal)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPagingRulesByOperation(t *testing.T) {
	open := echo[everything](row("/v1/teams/{id}"))
	for _, page := range []string{"999999999", "1000000000", "9223372036854775807", strings.Repeat("9", 2000)} {
		if got, refusal := decode[everything](t, open, "limit=100&page="+page); refusal != nil || got.Offset() != 99999999800 || string(got.Page) != page {
			t.Errorf("without a window: %v, %v", got, refusal)
		}
	}
	_, refusal := decode[everything](t, open, "page=0")
	if got := faultOf(t, refusal); got != (fault{"page", 10000}) {
		t.Errorf("the bound is named also without a window: %v", got)
	}
	_, refusal = decode[route.None](t, echo[route.None](row("/v1/ping")), "page=1")
	if got := faultOf(t, refusal); got != (fault{"page", 0}) {
		t.Errorf("no bound where page is unknown: %v", got)
	}
}

func TestBoundsAcrossParameters(t *testing.T) {
	from := fault{"from", 0}
	tests := []struct {
		name, query string
		want        fault // none: accepted
	}{
		{"from before to", "from=2026-01-01&to=2026-01-02", fault{}},
		{"one day", "from=2026-01-01&to=2026-01-01", fault{}},
		{"one moment", "to=2026-01-01T12:00Z&from=2026-01-01T12:00:00.000Z", fault{}},
		{"compared in UTC", "from=2026-01-01T12:00%2B02:00&to=2026-01-01T10:00Z", fault{}},
		{"within one millisecond", "from=2026-01-01T12:00:00.0002Z&to=2026-01-01T12:00:00.0008Z", fault{}},
		{"only from", "from=2026-01-01", fault{}},
		{"only to", "to=0001-01-01T00:00Z", fault{}},
		{"from later than to", "from=2026-01-02&to=2026-01-01", from},
		{"from later, to sent first", "to=2026-01-01&from=2026-01-02", from},
		{"later by a nanosecond", "from=2026-01-01T00:00:00.000000001&to=2026-01-01T00:00:00", from},
		{"to of a wrong form comes first", "from=2026-01-02&to=2026-13-01", fault{"to", 0}},
	}
	o := echo[pagedTimes](row("/v1/tournaments/{id}/matches"))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, refusal := decode[pagedTimes](t, o, tt.query)
			if tt.want == (fault{}) {
				if refusal != nil {
					t.Error(refusal)
				}
				return
			}
			if got := faultOf(t, refusal); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestInstants(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	tests := []struct {
		value    string
		from, to time.Time
	}{
		{"2026-02-28", at("2026-02-28T00:00:00Z"), at("2026-02-28T23:59:59.999Z")},
		{"2024-02-29", at("2024-02-29T00:00:00Z"), at("2024-02-29T23:59:59.999Z")},
		{"0000-01-01", at("0000-01-01T00:00:00Z"), at("0000-01-01T23:59:59.999Z")},
		{"9999-12-31", at("9999-12-31T00:00:00Z"), at("9999-12-31T23:59:59.999Z")},
		{"2026-01-01T18:30", at("2026-01-01T18:30:00Z"), at("2026-01-01T18:30:00Z")},
		{"2026-01-01T18:30Z", at("2026-01-01T18:30:00Z"), at("2026-01-01T18:30:00Z")},
		{"2026-01-01T18:30:15", at("2026-01-01T18:30:15Z"), at("2026-01-01T18:30:15Z")},
		{"2026-01-01T18:30:15+02:00", at("2026-01-01T16:30:15Z"), at("2026-01-01T16:30:15Z")},
		{"2026-01-01T18:30+0000", at("2026-01-01T18:30:00Z"), at("2026-01-01T18:30:00Z")},
		{"2026-01-01T18:30-00", at("2026-01-01T18:30:00Z"), at("2026-01-01T18:30:00Z")},
		{"2026-01-01T18:30:15.5+0530", at("2026-01-01T13:00:15.5Z"), at("2026-01-01T13:00:15.5Z")},
		{"2026-01-01T18:30-05", at("2026-01-01T23:30:00Z"), at("2026-01-01T23:30:00Z")},
		{"2026-01-01T18:30-05:30", at("2026-01-02T00:00:00Z"), at("2026-01-02T00:00:00Z")},
		{"2026-01-01T00:00+23:59", at("2025-12-31T00:01:00Z"), at("2025-12-31T00:01:00Z")},
		{"2026-01-01T00:00-00:00", at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z")},
		{"2026-01-01T18:30:15.5Z", at("2026-01-01T18:30:15.5Z"), at("2026-01-01T18:30:15.5Z")},
		{"2026-01-01T18:30:15.123456789", at("2026-01-01T18:30:15.124Z"), at("2026-01-01T18:30:15.123Z")},
		{"2026-01-01T23:59:59.9999", at("2026-01-02T00:00:00Z"), at("2026-01-01T23:59:59.999Z")},
		{"0000-01-01T00:00:00.0001+23:59", at("0000-01-01T00:00:00.001Z").Add(-24*time.Hour + time.Minute), at("0000-01-01T00:00:00Z").Add(-24*time.Hour + time.Minute)},
	}
	o := echo[pagedTimes](row("/v1/tournaments/{id}/matches"))
	for _, tt := range tests {
		t.Run(tt.value, func(t *testing.T) {
			from, refusal := decode[pagedTimes](t, o, "from="+tt.value)
			if refusal != nil {
				t.Fatal(refusal)
			}
			to, _ := decode[pagedTimes](t, o, "to="+tt.value)
			if !from.From.Set || !from.From.At.Equal(tt.from) || from.To.Set {
				t.Errorf("from %v, want %v", from.From, tt.from)
			}
			if !to.To.Set || !to.To.At.Equal(tt.to) || to.From.Set {
				t.Errorf("to %v, want %v", to.To, tt.to)
			}
			if from.From.At.Location() != time.UTC {
				t.Error("not in UTC")
			}
		})
	}
}

func TestOtherFormsOfInstantsAreRefused(t *testing.T) {
	o := echo[pagedTimes](row("/v1/tournaments/{id}/matches"))
	for _, value := range []string{
		"2026-02-29", "2025-02-30", "2026-00-01", "2026-13-01", "2026-01-00", "2026-01-32", "2026-04-31", "1900-02-29",
		"2026", "2026-01", "20260101", "2026-1-1", "26-01-01", "02026-01-01", "+2026-01-01", "-2026-01-01", "2026/01/01",
		"2026-01-01Z", "2026-01-01+02:00", "2026-01-01T", "2026-01-01 10:00", "2026-01-01t10:00", "2026-01-01T10",
		"2026-01-01T10Z", "2026-01-01T1:00", "2026-01-01T24:00", "2026-01-01T10:60", "2026-01-01T10:00:60", "2026-01-01T10:0",
		"2026-01-01T1000", "2026-01-01T10:00:0", "2026-01-01T10:00:00.", "2026-01-01T10:00:00.Z", "2026-01-01T10:00:00.1234567890",
		"2026-01-01T10:00:00,5", "2026-01-01T10:00.5", "2026-01-01T10:00:00z", "2026-01-01T10:00:00ZZ", "2026-01-01T10:00:00Z+00:00",
		"2026-01-01T10:00+24:00", "2026-01-01T10:00+02:60", "2026-01-01T10:00+2", "2026-01-01T10:00+020", "2026-01-01T10:00+2:00", "2026-01-01T10:00+02:", "2026-01-01T10:00+2400", "2026-01-01T10:00+24", "2026-01-01T10:00+02000",
		"2026-01-01T10:00 02:00", "2026-01-01T10:00%20", "%202026-01-01", "2026-01-01T-1:00", "2026-01-01T10:-1", "now", "1767225600",
		"2026-01-01T+02:00", "2026-01-01TZ", "٢٠٢٦-01-01", "2026-01-01T10:00:00.1e1", "2026-W01-1", "2026-001",
	} {
		t.Run(value, func(t *testing.T) {
			_, refusal := decode[pagedTimes](t, o, "to="+value)
			if got := faultOf(t, refusal); got != (fault{"to", 0}) {
				t.Errorf("%v", got)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"", "page=2&limit=10", "pa%67e=2", "=1", "&&", "page=1&page=2", "sort=-name&includeDescendants=true",
		"clubId=%FF", "%", "season=2025", "foo", "page=10001", "a=b=c", "status=%61ctive",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, refusal := decode[everything](t, windowed(), raw)
		if refusal != nil {
			if refusal.Code != problem.BadRequest || refusal.Details == nil || refusal.Details.Field == nil || !json.Valid(refusal.JSON()) {
				t.Fatalf("%q: %+v", raw, refusal)
			}
			return
		}
		if got.Offset() < 0 || got.Limit < 1 || got.Limit > 100 || got.Offset()+got.Limit > route.PageWindow || got.Depth < 1 || got.Depth > 3 {
			t.Fatalf("%q: %+v", raw, got)
		}
		again, refusal := decode[everything](t, windowed(), strings.Trim("&"+raw+"&", " "))
		if refusal != nil || again != got {
			t.Fatalf("%q: empty parts changed it: %+v, %v", raw, again, refusal)
		}
	})
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{"2026-01-01", "2026-01-01T10:00", "2026-01-01T10:00:00.123456789+23:59", "2026-01-01T10:00:00Z", "T", "-05:00"} {
		f.Add(s)
	}
	o := echo[pagedTimes](row("/v1/tournaments/{id}/matches"))
	f.Fuzz(func(t *testing.T, value string) {
		if value == "" || strings.ContainsAny(value, "%&") {
			return
		}
		got, refusal := decode[pagedTimes](t, o, "from="+value)
		if refusal != nil {
			return
		}
		if got.From.At.Nanosecond()%int(time.Millisecond) != 0 {
			t.Fatalf("%q: %v is finer than a millisecond", value, got.From.At)
		}
		for _, layout := range []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04Z07", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07"} {
			if want, err := time.Parse(layout, value); err == nil {
				if d := got.From.At.Sub(want); d < 0 || d >= time.Millisecond {
					t.Fatalf("%q: %v, time.Parse says %v", value, got.From.At, want)
				}
				return
			}
		}
		t.Fatalf("%q is accepted and of no known form", value)
	})
}

func TestDecodingAllocatesLittle(t *testing.T) {
	o := windowed()
	if n := testing.AllocsPerRun(100, func() {
		if _, err := o.Decode("page=2&limit=10&sort=name"); err != nil {
			t.Fatal(err)
		}
	}); n > 3 {
		t.Errorf("%v allocations", n)
	}
}

type pagedTimes struct {
	route.TimeRange
	route.Paging
}

// The log names the rule that was broken; the caller learns the parameter
// alone.
func TestAFaultNamesTheRule(t *testing.T) {
	inTime := echo[pagedTimes](route.Row{Group: route.GroupTeams, Path: "/v1/teams/{id}/matches"})
	for query, want := range map[string]problem.Rule{
		"from=2026-01-02&to=2026-01-01": problem.RuleOrder, "from=yesterday": problem.RuleValue, "page=0": problem.RuleValue,
		"page=": problem.RuleEmpty, "page=1&page=1": problem.RuleRepeated,
	} {
		if _, refusal := decode[pagedTimes](t, inTime, query); refusal == nil || refusal.Rule != want {
			t.Errorf("%s: %+v, want %s", query, refusal, want)
		}
	}
	if _, refusal := decode[everything](t, windowed(), "page=101&limit=100"); refusal == nil || refusal.Rule != problem.RuleWindow {
		t.Errorf("beyond the window: %+v", refusal)
	}
}
