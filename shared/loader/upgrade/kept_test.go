package upgrade_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// keptTable is the file of a table that a build of a layout has written: the datasets
// below, loaded one after the other. It has a line of JSON for each item. A table that
// was released is never written again.
func keptTable(layout int) string {
	return filepath.Join("testdata", fmt.Sprintf("layout-%d.ndjson.gz", layout))
}

// datasets are in shared/endpoints/scripts/testdata.
var datasets = []string{"norland", "guests"}

// restored is a table as a file keeps it.
func restored(t *testing.T, file string) *world {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	var writes []store.Write
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var of map[string]value
		if err := json.Unmarshal(lines.Bytes(), &of); err != nil {
			t.Fatal(err)
		}
		item := store.Item{}
		for name, v := range of {
			item[name] = v.attribute()
		}
		writes = append(writes, store.Write{Key: store.KeyOf(item), Item: item})
	}
	if err := w.table.Write(t.Context(), writes); err != nil || len(writes) == 0 {
		t.Fatal(len(writes), err)
	}
	return w
}

// value is an attribute as DynamoDB's JSON has it.
type value struct {
	S    *string          `json:",omitempty"`
	N    *string          `json:",omitempty"`
	B    []byte           `json:",omitempty"`
	BOOL *bool            `json:",omitempty"`
	NULL bool             `json:",omitempty"`
	L    *[]value         `json:",omitempty"`
	M    map[string]value `json:",omitempty"`
}

func (v value) attribute() types.AttributeValue {
	switch {
	case v.S != nil:
		return &types.AttributeValueMemberS{Value: *v.S}
	case v.N != nil:
		return &types.AttributeValueMemberN{Value: *v.N}
	case v.BOOL != nil:
		return &types.AttributeValueMemberBOOL{Value: *v.BOOL}
	case v.NULL:
		return &types.AttributeValueMemberNULL{Value: true}
	case v.L != nil:
		l := &types.AttributeValueMemberL{Value: make([]types.AttributeValue, 0, len(*v.L))}
		for _, e := range *v.L {
			l.Value = append(l.Value, e.attribute())
		}
		return l
	case v.B != nil:
		return &types.AttributeValueMemberB{Value: v.B}
	}
	m := &types.AttributeValueMemberM{Value: store.Item{}}
	for name, e := range v.M {
		m.Value[name] = e.attribute()
	}
	return m
}

func valueOf(a types.AttributeValue) value {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		return value{S: &a.Value}
	case *types.AttributeValueMemberN:
		return value{N: &a.Value}
	case *types.AttributeValueMemberB:
		return value{B: a.Value}
	case *types.AttributeValueMemberBOOL:
		return value{BOOL: &a.Value}
	case *types.AttributeValueMemberNULL:
		return value{NULL: true}
	case *types.AttributeValueMemberL:
		l := []value{}
		for _, e := range a.Value {
			l = append(l, valueOf(e))
		}
		return value{L: &l}
	case *types.AttributeValueMemberM:
		m := map[string]value{}
		for name, e := range a.Value {
			m[name] = valueOf(e)
		}
		return value{M: m}
	}
	panic(fmt.Sprintf("a value of type %T is stored", a))
}
