// Command importer loads a folder, as `touchline import` does, into the table sports
// of an engine. A test compiles it so that it notes which code it runs.
//
//	importer ENDPOINT FOLDER
package main

import (
	"context"
	"log"
	"os"
	"time"

	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

func main() {
	client, err := dynamo.NewClient(context.Background(), dynamo.Settings{Endpoint: os.Args[1]})
	if err != nil {
		log.Fatal(err)
	}
	db := dynamo.DB{Client: client}
	_, err = (&loader.Loader{
		Table: &store.Table{DB: db, Name: "sports"},
		Lease: &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: "test", Label: "a test", Now: time.Now},
	}).Load(context.Background(), os.DirFS(os.Args[2]), loader.Options{})
	if err != nil {
		log.Fatal(err)
	}
}
