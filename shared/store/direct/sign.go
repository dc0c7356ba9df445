package direct

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

const (
	algorithm  = "AWS4-HMAC-SHA256"
	dateFormat = "20060102T150405Z"
	dayLength  = len("20060102")
	identity   = "identity"
)

// signed is what the signature of a request covers. The rest is the same for all.
type signed struct {
	host, target string
	body         []byte
	at           time.Time // UTC
}

// signer makes signatures of version 4 (Authorization). A key derived from a
// secret holds for a day, so it is kept.
type signer struct {
	region  string
	derived atomic.Pointer[derivedKey]
}

type derivedKey struct {
	secret, day string
	key         []byte
}

// authorization is the header of that name.
func (s *signer) authorization(credentials aws.Credentials, request signed) string {
	date := request.at.Format(dateFormat)
	names := "accept-encoding;content-length;content-type;host;x-amz-date;x-amz-target"
	token := ""
	if credentials.SessionToken != "" {
		names = "accept-encoding;content-length;content-type;host;x-amz-date;x-amz-security-token;x-amz-target"
		token = "x-amz-security-token:" + credentials.SessionToken + "\n"
	}
	canonical := "POST\n/\n\n" +
		"accept-encoding:" + identity + "\n" +
		"content-length:" + strconv.Itoa(len(request.body)) + "\n" +
		"content-type:" + contentType + "\n" +
		"host:" + request.host + "\n" +
		"x-amz-date:" + date + "\n" + token +
		"x-amz-target:" + request.target + "\n\n" +
		names + "\n" + hexSum(request.body)
	scope := date[:dayLength] + "/" + s.region + "/dynamodb/aws4_request"
	toSign := algorithm + "\n" + date + "\n" + scope + "\n" + hexSum([]byte(canonical))
	signature := mac(s.key(credentials.SecretAccessKey, date[:dayLength]), toSign)
	return algorithm + " Credential=" + credentials.AccessKeyID + "/" + scope +
		", SignedHeaders=" + names + ", Signature=" + hex.EncodeToString(signature)
}

// key derives the key of a day.
func (s *signer) key(secret, day string) []byte {
	if d := s.derived.Load(); d != nil && d.day == day && d.secret == secret {
		return d.key
	}
	key := []byte("AWS4" + secret)
	for _, part := range []string{day, s.region, "dynamodb", "aws4_request"} {
		key = mac(key, part)
	}
	s.derived.Store(&derivedKey{secret, day, key})
	return key
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hexSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
