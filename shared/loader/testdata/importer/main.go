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
	"touchline/shared/store/records"
)

func main() {
	client, err := store.NewClient(context.Background(), store.Settings{Endpoint: os.Args[1]})
	if err != nil {
		log.Fatal(err)
	}
	_, err = (&loader.Loader{
		Table: &store.Table{DB: client, Name: "sports"},
		Lease: &store.Lease{DB: client, Table: "sports", Key: records.LockKey(), Holder: "test", Label: "a test", Now: time.Now},
	}).Load(context.Background(), os.DirFS(os.Args[2]), loader.Options{})
	if err != nil {
		log.Fatal(err)
	}
}
