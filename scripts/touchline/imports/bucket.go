package imports

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"golang.org/x/sync/errgroup"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/ingest"
	"touchline/shared/stack"
)

// bucketFlags are for an import through the bucket of a deployment.
type bucketFlags struct {
	Bucket string `name:"bucket" placeholder:"NAME" help:"Drop the dataset into this bucket of a deployment, whose function loads it, and wait for its report."`
	Drop   bool   `name:"drop" help:"Drop it into the bucket of --stack."`
	NoWait bool   `name:"no-wait" help:"Do not wait for the report; with --bucket or --drop."`
}

func (f bucketFlags) byBucket() bool { return f.Bucket != "" || f.Drop || f.NoWait }

// bucket is where the dataset is uploaded to.
func (i *ImportCommand) bucket(ctx context.Context, c *terminal.Terminal) (string, ingest.S3, error) {
	switch {
	case i.Drop && i.Stack == "":
		return "", ingest.S3{}, terminal.Usagef("--drop goes into the bucket of a deployment: name it with --stack, or name the bucket with --bucket")
	case !i.Drop && i.Bucket == "":
		return "", ingest.S3{}, terminal.Usagef("--no-wait is for --bucket and --drop")
	case strings.Contains(i.Bucket, "/"):
		return "", ingest.S3{}, terminal.Usagef("--bucket %q: want the name of the bucket alone, such as %s", i.Bucket, stack.Name("dev-ingest"))
	case i.Diff:
		return "", ingest.S3{}, terminal.Usagef("--diff is not in the report of a bucket's function: compare with --dry-run --diff and --stack first")
	case i.Endpoint != "":
		return "", ingest.S3{}, terminal.Usagef("--bucket has a function load the dataset, which knows its own DynamoDB: leave --dynamodb-endpoint out")
	}
	endpoint := cmp.Or(c.Getenv(stack.VariableS3Endpoint), c.Getenv("AWS_ENDPOINT_URL"))
	if i.Stack != "" {
		deployed, err := i.Deployment(ctx, c)
		if err != nil {
			return "", ingest.S3{}, err
		}
		return cmp.Or(i.Bucket, deployed.IngestBucket), ingest.NewS3(deployed.Config, endpoint), nil
	}
	config, err := i.Load(ctx)
	return i.Bucket, ingest.NewS3(config, endpoint), err
}

// drop uploads the dataset to a folder of its own and waits for its report.
func (i *ImportCommand) drop(ctx context.Context, c *terminal.Terminal) error {
	bucket, store, err := i.bucket(ctx, c)
	if err != nil {
		return err
	}
	files, err := datasetFiles(i.folder)
	if err != nil {
		return err
	}
	if faults, err := i.check(ctx, c); err != nil {
		return err
	} else if faults != nil {
		return i.faulty(c, faults)
	}
	d := ingest.Drop{Bucket: bucket, Folder: fmt.Sprintf("imports/%s-%s", c.Now().UTC().Format("20060102T150405Z"), strings.ToLower(rand.Text()[:8]))}
	if err := i.upload(ctx, c, store.Client, d, files); err != nil {
		return bucketFault(bucket, err)
	}
	at := d.String() + "/" + stack.DropReport
	if i.NoWait {
		if i.JSON {
			return c.JSON(map[string]string{"report": at})
		}
		c.Printf("uploaded; the report will be at %s\n", at)
		return nil
	}
	report, err := i.await(ctx, c, store, d)
	switch {
	case ctx.Err() != nil:
		c.Sayf("the load goes on without this command; its report will be at %s", at)
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%w (the load goes on; its report will be at %s)", bucketFault(bucket, err), at)
	case report.Status == ingest.Loaded && report.Counts != nil:
		return i.loaded(c, report.Counts)
	case report.Status == ingest.Faulty:
		return i.faulty(c, report.Faults)
	}
	return fmt.Errorf("the dataset was not loaded: %s (%s)", report.Message, at)
}

// datasetFiles are the files of a dataset in a folder.
func datasetFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.Mode().IsRegular() && dataset.IsFile(e.Name()) {
			found = append(found, e.Name())
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s holds no dataset: its files are %s, each also as .csv, and with .gz", dir, strings.Join(dataset.FileNames(), ", "))
	}
	return found, nil
}

// check reads the dataset as the function will: faults that show here save an
// upload. Only the function can check references to stored records.
func (i *ImportCommand) check(ctx context.Context, c *terminal.Terminal) (*dataset.Faults, error) {
	p := terminal.Steps{Terminal: c}
	defer p.End()
	_, err := dataset.Read(ctx, os.DirFS(i.folder), dataset.Options{
		Progress: func(file string, line int) { p.Say("reading "+file, line, 0) },
	})
	faults, ok := errors.AsType[*dataset.Faults](err)
	switch {
	case ok && i.GoodPart && !faults.OfFiles():
		return nil, nil
	case ok:
		return faults, nil
	}
	return nil, err
}

// uploadsAtOnce is how many files are uploaded concurrently, since a single
// upload does not use the full bandwidth.
const uploadsAtOnce = 3

// upload uploads the files concurrently, each with a checksum, and _READY last.
func (i *ImportCommand) upload(ctx context.Context, c *terminal.Terminal, client *s3.Client, d ingest.Drop, files []string) error {
	progress := c.Progress("uploading files", len(files))
	defer progress.End()
	var mu sync.Mutex
	done := 0
	g, sending := errgroup.WithContext(ctx)
	g.SetLimit(uploadsAtOnce)
	for _, name := range files {
		g.Go(func() error {
			f, err := os.Open(filepath.Join(i.folder, name)) //nolint:gosec // of the folder that is imported
			if err != nil {
				return err
			}
			defer f.Close() //nolint:errcheck // only read
			_, err = client.PutObject(sending, &s3.PutObjectInput{Bucket: &d.Bucket, Key: aws.String(d.Key(name)), Body: f})
			mu.Lock()
			defer mu.Unlock()
			done++
			progress.At(done)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	options, err := json.Marshal(i.options())
	if err != nil {
		return err
	}
	return ingest.S3{Client: client}.Put(ctx, d.Bucket, d.Key(stack.DropReady), options)
}

// The pauses between attempts to read the report: a small dataset is loaded in a
// second or two.
const (
	firstLook = 250 * time.Millisecond
	laterLook = 2 * time.Second
)

// silence is how long nothing may be heard about a drop before a note explains
// what that may mean: even a cold function writes its progress within seconds.
const silence = time.Minute

// failedLooks is how many consecutive attempts may fail, over some half a
// minute: a short network failure should not end an hour of waiting.
const failedLooks = 15

// await waits for the report, and shows the progress.
func (i *ImportCommand) await(ctx context.Context, c *terminal.Terminal, store ingest.Objects, d ingest.Drop) (*ingest.Report, error) {
	p := terminal.Steps{Terminal: c}
	defer p.End()
	begun, noted, failed := c.Now(), false, 0
	for pause := firstLook; ; pause = min(2*pause, laterLook) {
		report, progress, err := look(ctx, store, d)
		if report != nil {
			return report, nil
		}
		if failed++; err == nil {
			failed = 0
		} else if failed >= failedLooks || ctx.Err() != nil || isRefusal(err) {
			return nil, err
		}
		switch {
		case err != nil:
			progress = &ingest.Progress{What: "asking the bucket again"}
		case progress == nil:
			progress = &ingest.Progress{What: "waiting for the function"}
			if !noted && c.Now().Sub(begun) >= silence {
				noted = true
				p.End()
				c.Sayf("note: no function has begun with it for %s: others may be before it; or %s is not the bucket of a deployment, or its function fails, which its log says", silence, d.Bucket)
			}
		}
		p.Say(progress.What, progress.Done, progress.All)
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// look reads the report, or the progress if there is no report yet.
func look(ctx context.Context, store ingest.Objects, d ingest.Drop) (*ingest.Report, *ingest.Progress, error) {
	report, err := ingest.ReadReport(ctx, store, d)
	if err != nil || report != nil {
		return report, nil, err
	}
	progress, err := ingest.ReadProgress(ctx, store, d)
	return nil, progress, err
}

// isRefusal reports whether the bucket has refused the request, and would do so
// again.
func isRefusal(err error) bool {
	answer, ok := errors.AsType[*smithyhttp.ResponseError](err)
	return ok && answer.HTTPStatusCode() >= 400 && answer.HTTPStatusCode() < 500
}

// bucketFault says what to do if the bucket cannot be used. An unreadable local
// file is not a fault of the bucket.
func bucketFault(bucket string, err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return file
	}
	if errors.Is(err, ingest.ErrNotFound) || strings.Contains(err.Error(), "NoSuchBucket") {
		return fmt.Errorf("there is no bucket %s here: check its name, --profile and --region, or name the deployment with --stack and --drop", bucket)
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return fmt.Errorf("bucket %s: %w", bucket, err)
	}
	switch api.ErrorCode() {
	case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
		region := "NAME"
		if answer, ok := errors.AsType[*smithyhttp.ResponseError](err); ok && answer.Response != nil {
			region = cmp.Or(answer.Response.Header.Get("X-Amz-Bucket-Region"), region)
		}
		return fmt.Errorf("bucket %s is in another region: choose it with --region %s: %s", bucket, region, api.ErrorMessage())
	case "AccessDenied":
		return fmt.Errorf("bucket %s may not be used: that needs s3:PutObject and s3:GetObject on %s/imports/*, and s3:ListBucket, without which S3 refuses to say that a report is not there yet: %w", bucket, bucket, err)
	case "ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "SignatureDoesNotMatch":
		return fmt.Errorf("AWS refuses the credentials (%s): sign in again, or choose another profile with --profile: %s", api.ErrorCode(), api.ErrorMessage())
	}
	return fmt.Errorf("bucket %s: %w", bucket, err)
}
