package file

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// The bounds of an item are DynamoDB's, in bytes: what the file takes can be
// copied to a table there.
const (
	maxPK   = 2048
	maxSK   = 1024
	maxItem = 400 << 10 // by store.Size, key attributes included
)

// maxDepth is how deep lists and maps may lie within one another, as in DynamoDB.
const maxDepth = 32

// The kinds of attribute values. Each is a byte, and but for the last three
// followed by a length or a number of elements, and those.
const (
	kindString = 'S'
	kindNumber = 'N'
	kindBinary = 'B'
	kindList   = 'L'
	kindMap    = 'M'
	kindTrue   = 'T'
	kindFalse  = 'F'
	kindNull   = '0'
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // processors compute it

// partitionOf is what the keys of a partition's records begin with. The length
// comes first, so that no partition's keys begin with those of another.
func partitionOf(pk string) []byte {
	return append(binary.AppendUvarint(make([]byte, 0, 3+len(pk)+64), uint64(len(pk))), pk...)
}

// rowOf is the key of a record. Records of a partition are in the order of their
// sort keys.
func rowOf(k store.Key) []byte { return append(partitionOf(k.PK), k.SK...) }

// keyOf is the inverse of rowOf.
func keyOf(row []byte) (store.Key, error) {
	n, length := binary.Uvarint(row)
	if length <= 0 || n > uint64(len(row)-length) { //nolint:gosec // not negative
		return store.Key{}, ErrDamaged
	}
	row = row[length:]
	return store.Key{PK: string(row[:n]), SK: string(row[n:])}, nil
}

// checksum is that of a record at its place: one that is found in another table
// or at another key does not match.
func checksum(table string, row, payload []byte) uint32 {
	sum := crc32.Update(0, castagnoli, []byte(table))
	sum = crc32.Update(sum, castagnoli, row)
	return crc32.Update(sum, castagnoli, payload)
}

const checksumSize = 4

// seal makes the record of a payload: its checksum, and the payload.
func seal(table string, row, payload []byte) []byte {
	record := make([]byte, checksumSize, checksumSize+len(payload))
	binary.BigEndian.PutUint32(record, checksum(table, row, payload))
	return append(record, payload...)
}

// unseal checks a record and decodes its item, with its key attributes.
func unseal(table string, row, record []byte) (store.Item, error) {
	key, err := keyOf(row)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", table, err)
	}
	if len(record) < checksumSize || binary.BigEndian.Uint32(record) != checksum(table, row, record[checksumSize:]) {
		return nil, fmt.Errorf("table %s, item %q %q: %w: its checksum differs", table, key.PK, key.SK, ErrDamaged)
	}
	item, err := decodeItem(record[checksumSize:])
	if err != nil {
		return nil, fmt.Errorf("table %s, item %q %q: %w", table, key.PK, key.SK, err)
	}
	item[store.PKName] = &types.AttributeValueMemberS{Value: key.PK}
	item[store.SKName] = &types.AttributeValueMemberS{Value: key.SK}
	return item, nil
}

// payloadOf encodes what lies at key: an item without its key attributes. It
// refuses what DynamoDB would.
func payloadOf(key store.Key, item store.Item) ([]byte, error) {
	if err := bounded(key); err != nil {
		return nil, err
	}
	item = maps.Clone(item)
	delete(item, store.PKName)
	delete(item, store.SKName)
	if size := store.Size(item) + len(store.PKName+store.SKName+key.PK+key.SK); size > maxItem {
		return nil, fmt.Errorf("item %q %q has %d bytes, more than %d", key.PK, key.SK, size, maxItem)
	}
	payload, err := encodeItem(item)
	if err != nil {
		return nil, fmt.Errorf("item %q %q: %w", key.PK, key.SK, err)
	}
	return payload, nil
}

func bounded(key store.Key) error {
	if key.PK == "" || len(key.PK) > maxPK || len(key.SK) > maxSK {
		return fmt.Errorf("the key %.40q %.40q has %d and %d bytes, not 1 to %d and up to %d", key.PK, key.SK, len(key.PK), len(key.SK), maxPK, maxSK)
	}
	return nil
}

// encodeItem encodes all attributes of an item.
func encodeItem(item store.Item) ([]byte, error) {
	return appendMap(make([]byte, 0, 256), item, 0)
}

func appendMap(b []byte, m store.Item, depth int) (_ []byte, err error) {
	b = binary.AppendUvarint(b, uint64(len(m)))
	for name, value := range m {
		if b, err = appendValue(appendText(b, name), value, depth); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendValue(b []byte, value types.AttributeValue, depth int) (_ []byte, err error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("lists and maps lie more than %d deep", maxDepth)
	}
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return appendText(append(b, kindString), v.Value), nil
	case *types.AttributeValueMemberN:
		return appendText(append(b, kindNumber), v.Value), nil
	case *types.AttributeValueMemberB:
		return appendText(append(b, kindBinary), v.Value), nil
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return append(b, kindTrue), nil
		}
		return append(b, kindFalse), nil
	case *types.AttributeValueMemberNULL:
		return append(b, kindNull), nil
	case *types.AttributeValueMemberM:
		return appendMap(append(b, kindMap), v.Value, depth+1)
	case *types.AttributeValueMemberL:
		b = binary.AppendUvarint(append(b, kindList), uint64(len(v.Value)))
		for _, e := range v.Value {
			if b, err = appendValue(b, e, depth+1); err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	return nil, fmt.Errorf("an attribute is a %T, which no table has", value)
}

// decodeItem decodes what encodeItem made. The item is a copy; its strings share
// memory. What ends too early is out of the bounds of a slice, which is ErrDamaged.
func decodeItem(encoded []byte) (item store.Item, err error) {
	defer func() {
		if recover() != nil {
			item, err = nil, ErrDamaged
		}
	}()
	d := decoder{string(encoded)}
	if item = d.item(); d.rest != "" {
		return nil, ErrDamaged
	}
	return item, nil
}

// decoder takes values off the front of rest.
type decoder struct{ rest string }

func (d *decoder) take(n int) (taken string) {
	taken, d.rest = d.rest[:n], d.rest[n:]
	return taken
}

// count is a number of bytes or elements, each of which takes a byte at least.
func (d *decoder) count() int {
	n, length := binary.Uvarint([]byte(d.rest[:min(len(d.rest), binary.MaxVarintLen64)]))
	d.take(length)
	return len(d.rest[:n])
}

func (d *decoder) text() string { return d.take(d.count()) }

func (d *decoder) item() store.Item {
	n := d.count()
	item := make(store.Item, n+2) // the key attributes of a record come to it
	for range n {
		name := d.text()
		item[name] = d.value()
	}
	return item
}

func (d *decoder) value() types.AttributeValue {
	switch kind := d.take(1)[0]; kind {
	case kindString:
		return &types.AttributeValueMemberS{Value: d.text()}
	case kindNumber:
		return &types.AttributeValueMemberN{Value: d.text()}
	case kindBinary:
		return &types.AttributeValueMemberB{Value: []byte(d.text())}
	case kindTrue, kindFalse:
		return &types.AttributeValueMemberBOOL{Value: kind == kindTrue}
	case kindNull:
		return &types.AttributeValueMemberNULL{Value: true}
	case kindMap:
		return &types.AttributeValueMemberM{Value: d.item()}
	case kindList:
		list := make([]types.AttributeValue, d.count())
		for i := range list {
			list[i] = d.value()
		}
		return &types.AttributeValueMemberL{Value: list}
	}
	panic("a value of no kind")
}
