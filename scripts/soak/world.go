package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/engine"
	"touchline/shared/keys"
	"touchline/shared/limits/dynamo"
	"touchline/shared/seed"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// manyKeys are enough for 1,000 requests a second: a key has 60 a minute.
const manyKeys = 1000

// world is a service with its database, and its callers.
type world struct {
	cli
	dir        string
	engine     *engine.Engine
	endpoint   string // of the engine, the same after each restart
	client     *dynamodb.Client
	service    *exec.Cmd
	base       string
	env        []string
	federation sport.ID
	keys       []keys.Issued
	asks       []ask // for data that does not change
	live       string
	scores     scores
}

// newWorld starts everything. The caller has to close the world, even one that
// comes with an error.
func newWorld(ctx context.Context, c cli) (w *world, err error) {
	w = &world{cli: c, federation: sport.IDFor(sport.KindOrganization, "est")}
	if w.dir, err = os.MkdirTemp("", "touchline-soak-"); err != nil {
		return nil, err
	}
	if w.engine, err = engine.Start(ctx, engine.Options{DBPath: filepath.Join(w.dir, "database")}); err != nil {
		return w, err
	}
	w.endpoint = w.engine.Endpoint
	if w.client, err = store.NewClient(ctx, store.Settings{Endpoint: w.endpoint}); err != nil {
		return w, err
	}
	tables := stack.LocalTables(func(string) string { return "" })
	for _, table := range []*dynamodb.CreateTableInput{
		records.SportsTable(tables.Sports), dynamo.NoncesTable(tables.Nonces), dynamo.QuotasTable(tables.Quotas), keys.KeysTable(tables.Keys),
	} {
		if _, err := w.client.CreateTable(ctx, table); err != nil {
			return w, err
		}
	}
	data := filepath.Join(w.dir, "data")
	if _, err := seed.Write(data, seed.Options{Size: c.Size, Details: 50}); err != nil {
		return w, err
	}
	if err := w.issue(ctx, tables.Keys); err != nil {
		return w, fmt.Errorf("make keys: %w", err)
	}
	if err := w.load(ctx, data); err != nil {
		return w, err
	}
	if err := w.serve(); err != nil {
		return w, err
	}
	return w, w.gather(ctx)
}

// close ends what was started and removes what was written.
func (w *world) close() error {
	var errs []error
	if w.service != nil {
		_ = w.service.Process.Signal(os.Interrupt)
		if err := w.service.Wait(); err != nil {
			errs = append(errs, fmt.Errorf("the service: %w", err))
		}
	}
	if w.engine != nil {
		errs = append(errs, w.engine.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(w.dir))...)
}

// issue makes the keys, all of one organization with a quota that is not used
// up.
func (w *world) issue(ctx context.Context, table string) error {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	text := base64.StdEncoding.EncodeToString(secret)
	w.env = append(os.Environ(), stack.VariableMasterKey+"="+text)
	master, err := keys.ParseMasterKey(text)
	if err != nil {
		return err
	}
	sealer, err := keys.NewLocalSealer(master)
	if err != nil {
		return err
	}
	quota := 1_000_000_000
	request := keys.Request{Organization: w.federation, Descendants: true, MonthlyQuota: &quota, Scopes: keys.AllScopeNames()}
	registry := keys.Registry{Store: &keys.DynamoDB{Client: w.client, Table: table}, Sealer: sealer, Now: time.Now}
	for range manyKeys {
		key, err := registry.Create(ctx, request)
		if err != nil {
			return err
		}
		w.keys = append(w.keys, key)
	}
	return nil
}

// load imports a dataset, as an operator does.
func (w *world) load(ctx context.Context, folder string) error {
	c := exec.CommandContext(ctx, w.Touchline, "import", "--dynamodb-endpoint", w.endpoint, folder) //nolint:gosec // the user's own command
	c.Env, c.Dir = w.env, w.dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("import: %w: %s", err, out)
	}
	return nil
}

// serve starts the service and waits until it prints where it listens.
func (w *world) serve() error {
	c := exec.Command(w.Touchline, "serve", "--addr", "127.0.0.1:0", "--dynamodb-endpoint", w.endpoint, //nolint:gosec // the user's own command
		"--data-dir", w.dir, "--quiet", "--json")
	c.Env, c.Dir = w.env, w.dir // where its log of requests is, too
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	w.service = c
	var ready struct {
		BaseURL string `json:"baseUrl"`
	}
	decoder := json.NewDecoder(bufio.NewReader(out))
	if err := decoder.Decode(&ready); err != nil || ready.BaseURL == "" {
		return fmt.Errorf("the service did not start (%w)", err)
	}
	w.base = ready.BaseURL
	return nil
}

// resident is the memory of the service in bytes; 0 if unknown (anywhere but on
// Linux).
func (w *world) resident() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.service.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			kilobytes, _ := strconv.ParseInt(strings.Fields(string(rest))[0], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// restart kills the engine and, after a while, starts it again at the same
// address.
func (w *world) restart(ctx context.Context, dead time.Duration) error {
	at, err := url.Parse(w.endpoint)
	if err != nil {
		return err
	}
	process, err := os.FindProcess(w.engine.Pid())
	if err != nil {
		return err
	}
	if err := process.Kill(); err != nil {
		return err
	}
	<-w.engine.Done()
	_ = w.engine.Stop() // says that it was killed
	select {
	case <-time.After(dead):
	case <-ctx.Done():
		return ctx.Err()
	}
	w.engine, err = engine.Start(ctx, engine.Options{Addr: at.Host, DBPath: filepath.Join(w.dir, "database")})
	return err
}

// charged is what the quotas count this month.
func (w *world) charged(ctx context.Context) (int, error) {
	counts, err := dynamo.Usage(ctx, w.client, stack.LocalTables(func(string) string { return "" }).Quotas, time.Now())
	return counts[w.federation], err
}
