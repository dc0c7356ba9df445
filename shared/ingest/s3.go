package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// S3 is the Objects of S3.
type S3 struct{ Client *s3.Client }

// NewS3 makes a client for S3, or for an S3-compatible store at endpoint, if not
// empty, with buckets in the path.
func NewS3(config aws.Config, endpoint string) S3 {
	return S3{s3.NewFromConfig(config, func(o *s3.Options) {
		if endpoint != "" {
			o.BaseEndpoint, o.UsePathStyle = aws.String(endpoint), true
		}
		// The checksum of a response is verified if S3 has one of the whole
		// object. Objects that were uploaded in parts have none, which is no
		// reason for a warning.
		o.DisableLogOutputChecksumValidationSkipped = true
	})}
}

// List implements Objects.
func (s S3) List(ctx context.Context, bucket, folder string, limit int) (keys []string, err error) {
	pages := s3.NewListObjectsV2Paginator(s.Client, &s3.ListObjectsV2Input{
		Bucket: &bucket, Prefix: aws.String(folder + "/"), Delimiter: aws.String("/"),
	})
	for pages.HasMorePages() && len(keys) <= limit {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, failed("list", bucket, folder, err)
		}
		for _, o := range page.Contents {
			keys = append(keys, aws.ToString(o.Key))
		}
	}
	return keys[:min(len(keys), limit+1)], nil
}

// Get implements Objects.
func (s S3) Get(ctx context.Context, bucket, key string) (*Content, error) {
	out, err := s.Client.GetObject(ctx, &s3.GetObjectInput{Bucket: &bucket, Key: &key})
	if err != nil {
		return nil, failed("read", bucket, key, err)
	}
	return &Content{ReadCloser: out.Body, Version: Version{
		ETag:     strings.Trim(aws.ToString(out.ETag), `"`),
		Modified: aws.ToTime(out.LastModified).UTC().Truncate(time.Second),
	}}, nil
}

// Put implements Objects.
func (s S3) Put(ctx context.Context, bucket, key string, body []byte) error {
	_, err := s.Client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &bucket, Key: &key, Body: bytes.NewReader(body), ContentType: aws.String("application/json"),
	})
	return failed("write", bucket, key, err)
}

// failed adds the object to an error of S3, which answers 404 for an object or a bucket that
// is not there; nil stays nil.
func failed(what, bucket, key string, err error) error {
	if err == nil {
		return nil
	}
	if response, ok := errors.AsType[*smithyhttp.ResponseError](err); ok && response.HTTPStatusCode() == http.StatusNotFound {
		err = ErrNotFound
	}
	return fmt.Errorf("%s s3://%s/%s: %w", what, bucket, key, err)
}
