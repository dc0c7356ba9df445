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
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/files"
	"touchline/shared/ingest"
	"touchline/shared/stack"
)

// byBucket reports whether the function of a deployment loads the dataset.
func (i *ImportCommand) byBucket() bool { return i.Bucket != "" || i.Drop }

// bucket is where the dataset is uploaded to.
func (i *ImportCommand) bucket(ctx context.Context, c *terminal.Terminal) (string, ingest.S3, error) {
	switch {
	case i.Drop && i.Stack == "":
		return "", ingest.S3{}, terminal.Usagef("--drop goes into the bucket of a deployment: name it with --stack, or name the bucket with --bucket")
	case strings.Contains(i.Bucket, "/"):
		return "", ingest.S3{}, terminal.Usagef("--bucket %q: want the name of the bucket alone, such as %s", i.Bucket, stack.Name("dev-ingest"))
	case i.Diff, i.Endpoint != "":
		return "", ingest.S3{}, terminal.Usagef("--bucket and --drop have a function load the dataset, which knows its own DynamoDB and reports no --diff: leave --diff and --dynamodb-endpoint out")
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
	d := ingest.Drop{Bucket: bucket, Folder: fmt.Sprintf("imports/%s-%s", c.Now().UTC().Format("20060102T150405Z"), strings.ToLower(rand.Text()[:8]))}
	if err := i.upload(ctx, c, store.Client, d, files); err != nil {
		return bucketFault(bucket, err)
	}
	at := d.String() + "/" + stack.DropReport
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
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.Mode().IsRegular() && files.IsFile(e.Name()) {
			found = append(found, e.Name())
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s holds no dataset: its files are %s, each also as .csv, and with .gz", dir, strings.Join(files.Names(), ", "))
	}
	return found, nil
}

// upload uploads the files, each with a checksum, and _READY last.
func (i *ImportCommand) upload(ctx context.Context, c *terminal.Terminal, client *s3.Client, d ingest.Drop, files []string) error {
	p := c.Steps()
	defer p.End()
	for n, name := range files {
		p.Say("uploading files", n, len(files))
		f, err := os.Open(filepath.Join(i.folder, name)) //nolint:gosec // of the folder that is imported
		if err != nil {
			return err
		}
		_, err = client.PutObject(ctx, &s3.PutObjectInput{Bucket: &d.Bucket, Key: aws.String(d.Key(name)), Body: f})
		if err := cmp.Or(err, f.Close()); err != nil {
			return err
		}
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

// failedLooks is how many consecutive attempts may fail, over some half a
// minute: a short network failure should not end an hour of waiting.
const failedLooks = 15

// await waits for the report.
func (i *ImportCommand) await(ctx context.Context, c *terminal.Terminal, store ingest.Objects, d ingest.Drop) (*ingest.Report, error) {
	p := c.Steps()
	defer p.End()
	failed := 0
	for pause := firstLook; ; pause = min(2*pause, laterLook) {
		report, err := ingest.ReadReport(ctx, store, d)
		if report != nil {
			return report, nil
		}
		if failed++; err == nil {
			failed = 0
		} else if failed >= failedLooks || ctx.Err() != nil || isRefusal(err) {
			return nil, err
		}
		what := "waiting for the function"
		if err != nil {
			what = "asking the bucket again"
		}
		p.Say(what, 0, 0)
		if err := terminal.Pause(ctx, pause); err != nil {
			return nil, err
		}
	}
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
	api, _ := errors.AsType[smithy.APIError](err)
	switch {
	case errors.Is(err, ingest.ErrNotFound), api != nil && api.ErrorCode() == "NoSuchBucket":
		return fmt.Errorf("there is no bucket %s here: check its name, --profile and --region, or name the deployment with --stack and --drop", bucket)
	case api != nil && slices.Contains([]string{"PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException"}, api.ErrorCode()):
		return fmt.Errorf("bucket %s is in another region: choose it with --region: %s", bucket, api.ErrorMessage())
	}
	return fmt.Errorf("bucket %s: %w", bucket, err)
}
