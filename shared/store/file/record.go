package file

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
	"touchline/shared/store/flat"
)

// The bounds of an item are DynamoDB's, in bytes: what the file takes can be
// copied to a table there.
const (
	maxPK   = 2048
	maxSK   = 1024
	maxItem = 400 << 10 // by store.Size, key attributes included
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

// within cuts off what is longer than any record can be, which a changed length makes it, so
// that no memory is asked for it. Its checksum differs then.
func within(row, value []byte) (_, _ []byte) {
	return row[:min(len(row), 3+maxPK+maxSK)], value[:min(len(value), checksumSize+2*maxItem)]
}

// seal makes the record of a payload: its checksum, and the payload.
func seal(table string, row, payload []byte) []byte {
	record := make([]byte, checksumSize, checksumSize+len(payload))
	binary.BigEndian.PutUint32(record, checksum(table, row, payload))
	return append(record, payload...)
}

// intact checks a record, and gives its key.
func intact(table string, row, record []byte) (key store.Key, err error) {
	if key, err = keyOf(row); err != nil {
		return key, fmt.Errorf("table %s: %w", table, err)
	}
	if len(record) < checksumSize || binary.BigEndian.Uint32(record) != checksum(table, row, record[checksumSize:]) {
		return key, fmt.Errorf("table %s, item %q %q: %w: its checksum differs", table, key.PK, key.SK, ErrDamaged)
	}
	return key, nil
}

// unseal checks a record and decodes its item, with its key attributes.
func unseal(table string, row, record []byte) (store.Item, error) {
	key, err := intact(table, row, record)
	if err != nil {
		return nil, err
	}
	item, err := flat.Read(record[checksumSize:])
	if err != nil {
		return nil, fmt.Errorf("table %s, item %q %q: %w: %w", table, key.PK, key.SK, ErrDamaged, err)
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
	payload, err := flat.Append(make([]byte, 0, 256), item)
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
