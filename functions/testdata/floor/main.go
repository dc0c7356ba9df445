// Command floor is a Lambda function that makes the two writes of a request by hand and
// returns a constant: what a request costs with nothing of ours in it.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

func main() { lambda.Start(serve) }

const player = `{"id":"64b7f0c2a1d3e4f5a6b7c8d9","name":"A Player","number":9,"position":"forward"}`

var (
	signer      = v4.NewSigner()
	credentials = aws.Credentials{AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY")}
	client      = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2, DisableCompression: true}}
	length, _   = strconv.Atoi(os.Getenv("LENGTH")) // of the body, some bytes more or less
	body        = `{"data":[` + strings.Repeat(player+`,`, length/len(player)) + `null]}`
	headers     = map[string]string{"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"}
)

func serve(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	name := e.Headers["x-service-nonce"]
	nonce := `{"TableName":"nonces","Item":{"pk":{"S":"floor#` + name + `"},"expiresAt":{"N":"9999999999"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnConsumedCapacity":"TOTAL"}`
	const quota = `{"TableName":"quotas","Key":{"pk":{"S":"floor"}},"UpdateExpression":"ADD used :one","ExpressionAttributeValues":{":one":{"N":"1"}},"ReturnValues":"UPDATED_NEW","ReturnConsumedCapacity":"TOTAL"}`
	for operation, text := range map[string]string{"PutItem": nonce, "UpdateItem": quota} {
		if err := call(ctx, operation, text); err != nil {
			return events.APIGatewayV2HTTPResponse{}, err
		}
	}
	return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusOK, Headers: headers, Body: body}, nil
}

func call(ctx context.Context, operation, text string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"), bytes.NewReader([]byte(text)))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	sum := sha256.Sum256([]byte(text))
	if err := signer.SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "dynamodb", "eu-central-1", time.Now()); err != nil {
		return err
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if said, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s, %w", operation, said, err)
	}
	return nil
}
