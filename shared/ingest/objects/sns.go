package objects

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/shared/awsjson"
)

// SNS is the Topic of SNS.
type SNS struct {
	service *awsjson.Service
	topic   string // ARN
}

// NewSNS makes a client for the topic with an ARN, at endpoint if that is not empty.
// The error says that the ARN is malformed.
func NewSNS(config aws.Config, endpoint, topic string) (*SNS, error) {
	p := strings.Split(topic, ":")
	if len(p) != 6 || p[2] != "sns" {
		return nil, fmt.Errorf("%q is not the ARN of a topic", topic)
	}
	config.Region = p[3]
	return &SNS{&awsjson.Service{Name: "sns", Version: "2010-03-31", Config: config, Endpoint: endpoint}, topic}, nil
}

// Publish implements ingest.Topic.
func (s *SNS) Publish(ctx context.Context, message []byte) error {
	return s.service.Query(ctx, "Publish", url.Values{"TopicArn": {s.topic}, "Message": {string(message)}})
}
