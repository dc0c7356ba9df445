package packed_test

import (
	"bytes"
	"compress/flate"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"touchline/shared/packed"
)

type state string

type part struct {
	ID   string
	Note string
}

// everything has a field of each kind that there is.
type everything struct {
	Yes     bool
	Int     int
	Small   int8
	Uint    uint16
	State   state
	Text    string
	Raw     []byte
	Numbers []int
	Parts   []part
	Three   [3]int
	Part    part
	Pointer *part
	Zero    *int
	Chunks  [][]byte
	part    part
	Without string `packed:"-"`
}

const id = "0123456789abcdef01234567"

func zero() *int { return new(int) }

func TestBytesAreAsDocumented(t *testing.T) {
	cases := map[string]struct {
		value any
		want  string
	}{
		"nothing":                  {&everything{}, "00"},
		"what is left out":         {&everything{part: part{ID: "a"}, Without: "b"}, "00"},
		"a bit is a bool":          {&everything{Yes: true}, "01"},
		"zigzag":                   {&everything{Int: -1}, "02" + "01"},
		"a text":                   {&everything{State: "on"}, "10" + "03" + "6f6e"},
		"an id":                    {&everything{Text: id}, "20" + "00" + id},
		"upper case is no id":      {&part{ID: strings.ToUpper(id)}, "01" + "19" + hex.EncodeToString([]byte(strings.ToUpper(id)))},
		"bytes":                    {&everything{Raw: []byte{7}}, "40" + "01" + "07"},
		"empty is not nil":         {&everything{Raw: []byte{}}, "40" + "00"},
		"a list":                   {&everything{Numbers: []int{1, 64}}, "8001" + "02" + "02" + "8001"},
		"an array has no length":   {&everything{Three: [3]int{0, 1, 0}}, "8004" + "000200"},
		"a pointer to zero is not": {&everything{Zero: zero()}, "8020" + "00"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := hex.EncodeToString(packed.Append(nil, c.value)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func values() *rapid.Generator[everything] {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching("[0-9a-f]{23,25}"))
	parts := rapid.Custom(func(t *rapid.T) part { return part{text.Draw(t, "id"), text.Draw(t, "note")} })
	raw := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Just([]byte(nil)))
	return rapid.Custom(func(t *rapid.T) everything {
		return everything{
			Yes: rapid.Bool().Draw(t, "yes"), Int: rapid.Int().Draw(t, "int"), Small: rapid.Int8().Draw(t, "small"),
			Uint: rapid.Uint16().Draw(t, "uint"), State: state(text.Draw(t, "state")), Text: text.Draw(t, "text"),
			Raw: raw.Draw(t, "raw"), Numbers: rapid.SliceOf(rapid.Int()).Draw(t, "numbers"),
			Parts: rapid.SliceOf(parts).Draw(t, "parts"), Three: [3]int{rapid.Int().Draw(t, "three")},
			Part: parts.Draw(t, "part"), Pointer: rapid.Ptr(parts, true).Draw(t, "pointer"),
			Zero:   rapid.Ptr(rapid.IntRange(0, 1), true).Draw(t, "zero"),
			Chunks: rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 1, 9)).Draw(t, "chunks"),
		}
	})
}

var compareAll = cmp.AllowUnexported(everything{})

func TestAValueComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := values().Draw(t, "value")
		for what, b := range map[string][]byte{"plain": packed.Marshal(&want), "deflated": packed.Deflate(&want)} {
			got := everything{Yes: true, Text: "from before", Numbers: []int{1}}
			if err := packed.Unmarshal(b, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, compareAll); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", what, diff)
			}
		}
		if !bytes.Equal(packed.Marshal(&want), packed.Marshal(&want)) {
			t.Fatal("equal values have other bytes")
		}
	})
}

// A struct that gained a field reads what was written without it; one that lost
// a field refuses what was written with it.
func TestAFieldMayBeAddedAtTheEnd(t *testing.T) {
	type longer struct {
		ID, Note string
		Added    *int
	}
	var got longer
	if err := packed.Unmarshal(packed.Marshal(&part{ID: "a", Note: "b"}), &got); err != nil || got.Note != "b" || got.Added != nil {
		t.Errorf("%+v, error %v", got, err)
	}
	var before part
	if err := packed.Unmarshal(packed.Marshal(&longer{Added: zero()}), &before); !errors.Is(err, packed.ErrMalformed) {
		t.Errorf("error %v, want ErrMalformed", err)
	}
}

func TestMalformedBytesAreRefused(t *testing.T) {
	good := packed.Marshal(&everything{Text: "text", Numbers: []int{1, 2}, Small: 1, Uint: 1, Pointer: &part{ID: id}})
	cases := map[string][]byte{
		"none":               nil,
		"another version":    append([]byte{4}, good[1:]...),
		"not deflated":       append([]byte{3}, good[1:]...),
		"more than the type": append(bytes.Clone(good), 0),
		"an unknown field":   {2, 0xff, 0xff, 0xff, 0x7f},
		"the next field":     {2, 0x80, 0x80, 0x01},
		"a long text":        {2, 0x20, 0x7f, 'a'},
		"a long list":        {2, 0x80, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f},
		"too large an int8":  {2, 0x04, 0x80, 0x04},
		"too large a uint16": {2, 0x08, 0x80, 0x80, 0x04},
	}
	for n := 1; n < len(good); n++ {
		cases["cut at "+strings.Repeat("|", n)] = good[:n]
	}
	for name, b := range cases {
		if err := packed.Unmarshal(b, new(everything)); !errors.Is(err, packed.ErrMalformed) {
			t.Errorf("%s: %v, want ErrMalformed", name, err)
		}
	}
}

// Values are the same whatever compressor wrote them, and other bytes are not.
func TestDeflatedValuesAreComparedByWhatTheyHold(t *testing.T) {
	value := everything{Text: strings.Repeat("text ", 100)}
	a := packed.Deflate(&value)
	var stored bytes.Buffer
	stored.WriteByte(a[0])
	w, err := flate.NewWriter(&stored, flate.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(packed.Append(nil, &value))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := stored.Bytes()
	otherVersion := append([]byte{a[0] + 2}, b[1:]...)
	for name, tt := range map[string]struct {
		b    []byte
		want bool
	}{
		"itself":                {a, true},
		"by another compressor": {b, true},
		"another value":         {packed.Deflate(&everything{Text: "text"}), false},
		"another version":       {otherVersion, false},
		"not deflated":          {packed.Marshal(&value), false},
		"cut off":               {b[:len(b)-9], false},
		"nothing":               {nil, false},
	} {
		if bytes.Equal(packed.Inflated(a), packed.Inflated(tt.b)) != tt.want {
			t.Errorf("%s: want %v", name, tt.want)
		}
	}
}

// A few bytes may inflate to more than memory has.
func TestWhatInflatesTooFarIsRefused(t *testing.T) {
	for bytes, refused := range map[int]bool{64<<20 - 6: false, 64<<20 - 4: true} { // beside its own length and field
		b := packed.Deflate(&everything{Raw: make([]byte, bytes)})
		var got everything
		err := packed.Unmarshal(b, &got)
		if refused != errors.Is(err, packed.ErrMalformed) || refused != (err != nil) || !refused && len(got.Raw) != bytes {
			t.Errorf("%d bytes: %v", bytes, err)
		}
	}
}

func TestTypesThatCannotBePackedPanic(t *testing.T) {
	var many struct {
		A [65]int
		B map[string]int
	}
	for name, v := range map[string]any{"a map": &many, "a float": new(float64), "bools of a list": &[]bool{}, "pointers of a list": &[]*part{}, "no pointer": part{}, "a nil": (*part)(nil)} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("packed")
				}
			}()
			packed.Marshal(v)
		})
	}
}

// Whatever the bytes, they are decoded or refused, and what is decoded is
// encoded to something that decodes the same.
func FuzzUnmarshal(f *testing.F) {
	some := everything{Yes: true, Int: -3, Text: id, Parts: []part{{ID: id}}, Zero: zero(), Chunks: [][]byte{{1}}}
	f.Add(packed.Marshal(&some))
	f.Add(packed.Deflate(&some))
	f.Fuzz(func(t *testing.T, b []byte) {
		var first, again everything
		if err := packed.Unmarshal(b, &first); err != nil {
			return
		}
		if err := packed.Unmarshal(packed.Marshal(&first), &again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, again, compareAll); diff != "" {
			t.Fatalf("(-first +second):\n%s", diff)
		}
	})
}
