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
	"touchline/shared/store/flat"
)

// An item of DynamoDB has at most 400 KB. A record may be larger: the table of
// a competition of 10,000 teams, the groups of one with 1,000. Such an item is
// stored in pieces: packed, deflated and cut, each piece an item of its own next
// to it, and in its place a stub, which says how many pieces there are.
//
// Pieces are named by a hash of what they hold. A writer puts the new pieces,
// then the stub, then removes the old pieces. So a reader of a stub finds the
// pieces that belong to it, or finds one missing and reads the stub again; it
// never mixes two versions. A record in pieces takes a second round trip to
// read.
const (
	// maxItem is the size from which on an item is stored in pieces: DynamoDB's
	// 400 KB, with room for the stub's attributes and a margin.
	maxItem = 300 << 10
	// maxPieces bounds a record to some 19 MB deflated. D47 bounds all that a
	// dataset can say far below.
	maxPieces = 64

	// pieceSeparator separates the sort key of an item from the name of a piece. No other
	// sort key has it.
	pieceSeparator = "~"

	piecesAttribute = "~n" // of a stub: the number of pieces
	sumAttribute    = "~h" // of a stub: what its pieces are named by
	dataAttribute   = "z"  // of a piece
)

// ErrTooLarge is the error of a record that does not fit into the pieces that a
// record may have.
var ErrTooLarge = errors.New("record is too large")

// ErrPieceMissing is the error of a stub whose pieces are gone: the record was
// written again since the stub was read.
var ErrPieceMissing = errors.New("a piece of a record is missing")

// Split divides an item for the table. Stub goes to key, and pieces must be written
// before it. An item that fits as it is has no pieces and is its own stub. The error is
// ErrTooLarge for an item that no pieces can hold.
func Split(key store.Key, item store.Item) (stub store.Item, pieces []store.Write, err error) {
	if store.Size(item) <= maxItem {
		return item, nil, nil
	}
	encoded, err := flat.Append(nil, item)
	if err != nil {
		return nil, nil, fmt.Errorf("encode %s %s: %w", key.PK, key.SK, err)
	}
	sum := sha256.Sum256(encoded)
	data := packed.Deflate(&encoded)
	n := (len(data) + maxItem - 1) / maxItem
	if n > maxPieces {
		return nil, nil, fmt.Errorf("%w: %s %s takes %d KB", ErrTooLarge, key.PK, key.SK, len(data)>>10)
	}
	stub = store.Item{
		piecesAttribute: &types.AttributeValueMemberN{Value: strconv.Itoa(n)},
		sumAttribute:    &types.AttributeValueMemberB{Value: bytes.Clone(sum[:8])},
	}
	for i, k := range pieceKeys(key, n, sum[:8]) {
		piece := data[i*maxItem : min((i+1)*maxItem, len(data))]
		pieces = append(pieces, store.Write{Key: k, Item: store.Item{dataAttribute: &types.AttributeValueMemberB{Value: piece}}})
	}
	return stub, pieces, nil
}

func pieceKeys(key store.Key, n int, sum []byte) []store.Key {
	keys := make([]store.Key, n)
	for i := range keys {
		keys[i] = store.Key{PK: key.PK, SK: fmt.Sprintf("%s%s#%03d", piecesPrefix(key), hex.EncodeToString(sum), i)}
	}
	return keys
}

// piecesPrefix begins the sort keys of all pieces of the item at key.
func piecesPrefix(key store.Key) string { return key.SK + pieceSeparator }

// IsPiece reports whether a sort key is that of a piece.
func IsPiece(sk string) bool { return strings.Contains(sk, pieceSeparator) }

// Pieces are the keys of the pieces of an item from the table; nil where it is
// whole.
func Pieces(item store.Item) []store.Key {
	count, ok := item[piecesAttribute].(*types.AttributeValueMemberN)
	if !ok {
		return nil
	}
	sum, ok := item[sumAttribute].(*types.AttributeValueMemberB)
	n, err := strconv.Atoi(count.Value)
	if !ok || err != nil || n < 1 || n > maxPieces {
		return nil
	}
	return pieceKeys(store.KeyOf(item), n, sum.Value)
}

// Whole puts together those of items that are stored in pieces, which it reads
// with get, all in one round trip, and returns the items with these whole.
func Whole(ctx context.Context, items map[store.Key]store.Item, get func(context.Context, []store.Key) (map[store.Key]store.Item, error)) (map[store.Key]store.Item, error) {
	var keys []store.Key
	stubs := map[store.Key][]store.Key{}
	for key, item := range items {
		if pieces := Pieces(item); pieces != nil {
			stubs[key] = pieces
			keys = append(keys, pieces...)
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
	for key, pieces := range stubs {
		item, err := join(key, pieces, found)
		if err != nil {
			return nil, err
		}
		items[key] = item
	}
	return items, nil
}

func join(key store.Key, pieces []store.Key, found map[store.Key]store.Item) (store.Item, error) {
	var data []byte
	for _, k := range pieces {
		piece, ok := found[k][dataAttribute].(*types.AttributeValueMemberB)
		if !ok {
			return nil, fmt.Errorf("%w: %s %s", ErrPieceMissing, k.PK, k.SK)
		}
		data = append(data, piece.Value...)
	}
	var encoded []byte
	if err := packed.Unmarshal(data, &encoded); err != nil {
		return nil, fmt.Errorf("decode %s %s: %w", key.PK, key.SK, err)
	}
	item, err := flat.Read(encoded)
	if err != nil {
		return nil, fmt.Errorf("decode %s %s: %w", key.PK, key.SK, err)
	}
	item[store.PKName] = &types.AttributeValueMemberS{Value: key.PK}
	item[store.SKName] = &types.AttributeValueMemberS{Value: key.SK}
	return item, nil
}
