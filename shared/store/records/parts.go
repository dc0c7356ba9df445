package records

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/records/flat"
)

// An item of DynamoDB has at most 400 KB. A record may be larger: the table of
// a competition of 10,000 teams, the groups of one with 1,000. Such an item is
// stored in parts: packed, deflated and cut, each part an item of its own next
// to it, and in its place a head that says how many parts there are.
//
// Parts are named by a hash of what they hold. A writer puts the new parts,
// then the head, then removes the old parts. So a reader of a head finds the
// parts that belong to it, or finds one missing and reads the head again; it
// never mixes two versions. A record in parts takes a second round trip to
// read.
const (
	// maxItem is the size from which on an item is stored in parts: DynamoDB's
	// 400 KB, with room for the head's attributes and a margin.
	maxItem = 300 << 10
	// maxParts bounds a record to some 19 MB deflated. D47 bounds all that a
	// dataset can say far below.
	maxParts = 64

	// partMark parts the sort key of an item and the name of a part. No other
	// sort key holds it.
	partMark = "~"

	partsAttribute = "~n" // of a head: the number of parts
	sumAttribute   = "~h" // of a head: what its parts are named by
	dataAttribute  = "z"  // of a part
)

// ErrTooLarge is the error of a record that does not fit into the parts that a
// record may have.
var ErrTooLarge = errors.New("record is too large")

// ErrPartMissing is the error of a head whose parts are gone: the record was
// written again since the head was read.
var ErrPartMissing = errors.New("a part of a record is missing")

// Split divides an item for the table. Head goes to key; parts, which must be
// written before it, are empty where the item fits as it is, which is then the
// head itself. The error is ErrTooLarge for an item that no parts can hold.
func Split(key store.Key, item store.Item) (head store.Item, parts []store.Write, err error) {
	if store.Size(item) <= maxItem {
		return item, nil, nil
	}
	list, err := flat.Of(item)
	if err != nil {
		return nil, nil, fmt.Errorf("encode %s %s: %w", key.PK, key.SK, err)
	}
	sum := sha256.Sum256(packed.Marshal(list))
	data, err := packed.Deflate(list)
	if err != nil {
		return nil, nil, fmt.Errorf("encode %s %s: %w", key.PK, key.SK, err)
	}
	n := (len(data) + maxItem - 1) / maxItem
	if n > maxParts {
		return nil, nil, fmt.Errorf("%w: %s %s takes %d KB", ErrTooLarge, key.PK, key.SK, len(data)>>10)
	}
	head = partsHead(n, sum[:8])
	for i, k := range partKeys(key, n, sum[:8]) {
		part := data[i*maxItem : min((i+1)*maxItem, len(data))]
		parts = append(parts, store.Write{Key: k, Item: store.Item{dataAttribute: &types.AttributeValueMemberB{Value: part}}})
	}
	return head, parts, nil
}

func partsHead(n int, sum []byte) store.Item {
	return store.Item{
		partsAttribute: &types.AttributeValueMemberN{Value: strconv.Itoa(n)},
		sumAttribute:   &types.AttributeValueMemberB{Value: bytes.Clone(sum)},
	}
}

func partKeys(key store.Key, n int, sum []byte) []store.Key {
	keys := make([]store.Key, n)
	for i := range keys {
		keys[i] = store.Key{PK: key.PK, SK: fmt.Sprintf("%s%s#%03d", PartsPrefix(key), hex.EncodeToString(sum), i)}
	}
	return keys
}

// PartsPrefix begins the sort keys of all parts of the item at key.
func PartsPrefix(key store.Key) string { return key.SK + partMark }

// IsPart reports whether a sort key is that of a part.
func IsPart(sk string) bool { return strings.Contains(sk, partMark) }

// Parts are the keys of the parts of an item from the table; nil where it is
// whole.
func Parts(item store.Item) []store.Key {
	count, ok := item[partsAttribute].(*types.AttributeValueMemberN)
	if !ok {
		return nil
	}
	sum, ok := item[sumAttribute].(*types.AttributeValueMemberB)
	n, err := strconv.Atoi(count.Value)
	if !ok || err != nil || n < 1 || n > maxParts {
		return nil
	}
	return partKeys(store.KeyOf(item), n, sum.Value)
}

// Whole puts together those of items that are stored in parts, which it reads
// with get, all in one round trip, and returns the items with these whole.
func Whole(ctx context.Context, items map[store.Key]store.Item, get func(context.Context, []store.Key) (map[store.Key]store.Item, error)) (map[store.Key]store.Item, error) {
	var keys []store.Key
	heads := map[store.Key][]store.Key{}
	for key, item := range items {
		if parts := Parts(item); parts != nil {
			heads[key] = parts
			keys = append(keys, parts...)
		}
	}
	if len(keys) == 0 {
		return items, nil
	}
	found, err := get(ctx, keys)
	if err != nil {
		return nil, err
	}
	items = maps.Clone(items) // it may be shared
	for key, parts := range heads {
		item, err := join(key, parts, found)
		if err != nil {
			return nil, err
		}
		items[key] = item
	}
	return items, nil
}

func join(key store.Key, parts []store.Key, found map[store.Key]store.Item) (store.Item, error) {
	var data []byte
	for _, k := range parts {
		part, ok := found[k][dataAttribute].(*types.AttributeValueMemberB)
		if !ok {
			return nil, fmt.Errorf("%w: %s %s", ErrPartMissing, k.PK, k.SK)
		}
		data = append(data, part.Value...)
	}
	var list flat.List
	if err := packed.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("decode %s %s: %w", key.PK, key.SK, err)
	}
	item, err := list.Item()
	if err != nil {
		return nil, fmt.Errorf("decode %s %s: %w", key.PK, key.SK, err)
	}
	item[store.PKName] = &types.AttributeValueMemberS{Value: key.PK}
	item[store.SKName] = &types.AttributeValueMemberS{Value: key.SK}
	return item, nil
}
