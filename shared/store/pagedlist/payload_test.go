package pagedlist

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var compareValues = cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(
	types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{},
	types.AttributeValueMemberBOOL{}, types.AttributeValueMemberNULL{}, types.AttributeValueMemberL{},
	types.AttributeValueMemberM{}, types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{},
	types.AttributeValueMemberBS{},
)}

func attributeValue(depth int) *rapid.Generator[types.AttributeValue] {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching("[0-9a-f]{14,26}"))
	digits := rapid.OneOf(rapid.StringMatching("-?[0-9]{1,22}"), rapid.StringMatching(`-?[0-9]\.[0-9]{1,5}(E-?[0-9]{1,2})?`))
	raw := rapid.SliceOf(rapid.Byte())
	return rapid.Custom(func(t *rapid.T) types.AttributeValue {
		kinds := 8
		if depth > 0 {
			kinds = 10
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return &types.AttributeValueMemberS{Value: text.Draw(t, "s")}
		case 1:
			return &types.AttributeValueMemberN{Value: digits.Draw(t, "n")}
		case 2:
			return &types.AttributeValueMemberB{Value: raw.Draw(t, "b")}
		case 3:
			return &types.AttributeValueMemberBOOL{Value: rapid.Bool().Draw(t, "bool")}
		case 4:
			return &types.AttributeValueMemberNULL{Value: true}
		case 5:
			return &types.AttributeValueMemberSS{Value: rapid.SliceOf(text).Draw(t, "ss")}
		case 6:
			return &types.AttributeValueMemberNS{Value: rapid.SliceOf(digits).Draw(t, "ns")}
		case 7:
			return &types.AttributeValueMemberBS{Value: rapid.SliceOf(raw).Draw(t, "bs")}
		case 8:
			return &types.AttributeValueMemberL{Value: rapid.SliceOfN(attributeValue(depth-1), 0, 4).Draw(t, "l")}
		default:
			return &types.AttributeValueMemberM{Value: rapid.MapOfN(rapid.StringN(1, 40, 60), attributeValue(depth-1), 0, 4).Draw(t, "m")}
		}
	})
}

func TestBundleGivesBackWhatItTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(attributeValue(3)).Draw(t, "values")
		n := &names{}
		values := make([][]byte, len(all))
		for i, v := range all {
			values[i] = n.append(nil, v)
		}
		u, err := parseBundle(n.appendBundle(nil, values))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range u.values {
			got, err := u.value(v)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(all[i], got, compareValues); diff != "" {
				t.Fatalf("value %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

func TestSizeOfAnEntryIsWhatItTakesOfABundle(t *testing.T) {
	n := &names{}
	for _, length := range []int{0, 1, 127, 128, 16383, 16384} {
		e := entry{value: make([]byte, length)}
		if got, want := e.size(), len(n.bundled([]entry{e}))-len(n.bundled(nil)); got != want {
			t.Errorf("value of %d bytes: %d, want %d", length, got, want)
		}
	}
}

// Whatever the bytes, a bundle is decoded or refused, and what is decoded is
// encoded to something that decodes the same.
func FuzzBundle(f *testing.F) {
	n := &names{}
	for _, p := range players(2) {
		e, err := playersByID().entry(n, p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(n.bundled([]entry{e, e}))
	}
	f.Add([]byte{0, 1, 2, tagHex, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		u, err := parseBundle(b)
		if err != nil {
			return
		}
		for _, v := range u.values {
			first, err := u.value(v)
			if err != nil {
				continue
			}
			n := &names{}
			encoded := n.append(nil, first)
			again, err := bundle{names: n.list}.value(encoded)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(first, again, compareValues); diff != "" {
				t.Fatalf("value (-first +second):\n%s", diff)
			}
		}
	})
}
