package pagedlist

import (
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A bundle is the entries of a chunk, or of a head, as one binary attribute.
// As a list of maps the same entries take half as much space again, and some
// engines ten times as long:
//
//	varint    attribute names, and these: what the payloads' maps are keyed by
//	varint    entries, and for each its length and its value
//
// A value is a tag and what the tag says; what attributevalue makes of a
// payload is given back as it was.
type bundle struct {
	names  []string
	values [][]byte
}

const (
	tagNull   = iota
	tagFalse  //
	tagTrue   //
	tagString // length, bytes
	tagHex    // length, and the bytes that the hex digits stand for: an id takes half
	tagInt    // signed varint
	tagNumber // length, digits: a number that is not a plain int64
	tagBytes  // length, bytes
	tagList   // elements, and these
	tagMap    // attributes, and for each the number of its name and its value
	tagStrings
	tagNumbers
	tagBinaries
)

// minHex is the length from which hex digits are packed: shorter ones are
// words, and gain nothing.
const minHex = 16

// names number the attribute names of an Apply: from 1, in the order of their
// first use. Names beyond the bounds are written out where they occur, as
// number 0 and the name; only payloads with maps of any keys have such.
type names struct {
	numbers map[string]int
	list    []string
	size    int // bytes of a bundle's head that names them
}

const (
	maxNames      = 100
	maxNameLength = 32
)

func (n *names) number(name string) int {
	if i := n.numbers[name]; i > 0 {
		return i
	}
	if len(n.list) == maxNames || len(name) > maxNameLength {
		return 0
	}
	if n.numbers == nil {
		n.numbers = map[string]int{}
	}
	n.list = append(n.list, name)
	n.numbers[name] = len(n.list)
	n.size += 1 + len(name)
	return len(n.list)
}

// append writes a value.
func (n *names) append(b []byte, v types.AttributeValue) []byte {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		if raw := unhex(v.Value); raw != nil {
			return append(appendNumber(append(b, tagHex), len(raw)), raw...)
		}
		return appendString(append(b, tagString), v.Value)
	case *types.AttributeValueMemberN:
		if i, err := strconv.ParseInt(v.Value, 10, 64); err == nil && strconv.FormatInt(i, 10) == v.Value {
			return appendSigned(append(b, tagInt), i)
		}
		return appendString(append(b, tagNumber), v.Value)
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return append(b, tagTrue)
		}
		return append(b, tagFalse)
	case *types.AttributeValueMemberB:
		return append(appendNumber(append(b, tagBytes), len(v.Value)), v.Value...)
	case *types.AttributeValueMemberL:
		b = appendNumber(append(b, tagList), len(v.Value))
		for _, e := range v.Value {
			b = n.append(b, e)
		}
		return b
	case *types.AttributeValueMemberM:
		return n.appendMap(b, v.Value)
	case *types.AttributeValueMemberSS:
		return appendStrings(append(b, tagStrings), v.Value)
	case *types.AttributeValueMemberNS:
		return appendStrings(append(b, tagNumbers), v.Value)
	case *types.AttributeValueMemberBS:
		b = appendNumber(append(b, tagBinaries), len(v.Value))
		for _, e := range v.Value {
			b = append(appendNumber(b, len(e)), e...)
		}
		return b
	}
	return append(b, tagNull)
}

func (n *names) appendMap(b []byte, m map[string]types.AttributeValue) []byte {
	b = appendNumber(append(b, tagMap), len(m))
	keys := make([]string, 0, 16)
	for name := range m {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	for _, name := range keys {
		number := n.number(name)
		b = appendNumber(b, number)
		if number == 0 {
			b = appendString(b, name)
		}
		b = n.append(b, m[name])
	}
	return b
}

func appendStrings(b []byte, all []string) []byte {
	b = appendNumber(b, len(all))
	for _, s := range all {
		b = appendString(b, s)
	}
	return b
}

// unhex is what lower-case hex digits stand for; nil for other strings.
func unhex(s string) []byte {
	if len(s) < minHex || len(s)%2 == 1 {
		return nil
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return nil
		}
	}
	raw, err := hex.DecodeString(s)
	if err != nil {
		return nil
	}
	return raw
}

// appendBundle writes values that names has numbered the names of.
func (n *names) appendBundle(b []byte, values [][]byte) []byte {
	b = appendStrings(b, n.list)
	b = appendNumber(b, len(values))
	for _, v := range values {
		b = append(appendNumber(b, len(v)), v...)
	}
	return b
}

// parseBundle finds the entries of a bundle, without taking them apart.
func parseBundle(b []byte) (bundle, error) {
	r := &reader{rest: b}
	u := bundle{names: readStrings(r)}
	n := r.count()
	u.values = make([][]byte, 0, n)
	for range n {
		u.values = append(u.values, r.take(r.count()))
	}
	if r.fault || len(r.rest) > 0 {
		return bundle{}, errBlock
	}
	return u, nil
}

// value is the payload of an entry.
func (u bundle) value(entry []byte) (types.AttributeValue, error) {
	r := &reader{rest: entry}
	v := u.read(r, 0)
	if r.fault || len(r.rest) > 0 {
		return nil, errBlock
	}
	return v, nil
}

// maxDepth is how deep values nest at most; DynamoDB's own bound.
const maxDepth = 32

func (u bundle) read(r *reader, depth int) types.AttributeValue {
	if depth > maxDepth {
		r.fault = true
		return nil
	}
	switch tag := r.byte(); tag {
	case tagNull:
		return &types.AttributeValueMemberNULL{Value: true}
	case tagFalse, tagTrue:
		return &types.AttributeValueMemberBOOL{Value: tag == tagTrue}
	case tagString:
		return &types.AttributeValueMemberS{Value: r.string()}
	case tagHex:
		return &types.AttributeValueMemberS{Value: hex.EncodeToString(r.take(r.count()))}
	case tagInt:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(r.signed(), 10)}
	case tagNumber:
		return &types.AttributeValueMemberN{Value: r.string()}
	case tagBytes:
		return &types.AttributeValueMemberB{Value: slices.Clone(r.take(r.count()))}
	case tagList:
		n := r.count()
		all := make([]types.AttributeValue, 0, n)
		for i := 0; i < n && !r.fault; i++ {
			all = append(all, u.read(r, depth+1))
		}
		return &types.AttributeValueMemberL{Value: all}
	case tagMap:
		return u.readMap(r, depth)
	case tagStrings:
		return &types.AttributeValueMemberSS{Value: readStrings(r)}
	case tagNumbers:
		return &types.AttributeValueMemberNS{Value: readStrings(r)}
	case tagBinaries:
		n := r.count()
		all := make([][]byte, 0, n)
		for i := 0; i < n && !r.fault; i++ {
			all = append(all, slices.Clone(r.take(r.count())))
		}
		return &types.AttributeValueMemberBS{Value: all}
	}
	r.fault = true
	return nil
}

func (u bundle) readMap(r *reader, depth int) types.AttributeValue {
	n := r.count()
	m := make(map[string]types.AttributeValue, n)
	for i := 0; i < n && !r.fault; i++ {
		number := r.count0(len(u.names))
		var name string
		if number == 0 {
			name = r.string()
		} else {
			name = u.names[number-1]
		}
		m[name] = u.read(r, depth+1)
	}
	return &types.AttributeValueMemberM{Value: m}
}

func readStrings(r *reader) []string {
	n := r.count()
	all := make([]string, 0, n)
	for i := 0; i < n && !r.fault; i++ {
		all = append(all, r.string())
	}
	return all
}
