package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
)

// listed is the month of these prices. They are list prices without tax, free
// tiers, savings plans and volume discounts; the bill says so where it subtracts
// a free amount. AWS changes prices, and its pages are authoritative: --prices
// replaces those given here.
const listed = "November 2026"

// price is what a unit costs, in USD.
type price struct {
	USD  float64
	Per  float64 // units
	Unit string
	Page string // title of the page of AWS that publishes it
}

// prices are those of a region.
type prices struct {
	Gateway, Invocation, Compute, Read, Write, KMSRequest, LogIngest, DataOut price
	// A month.
	KMSKey, Alarm, Metric, Storage, Backup, LogStorage, Look price
}

const (
	pageGateway  = "Amazon API Gateway Pricing"
	pageLambda   = "AWS Lambda Pricing"
	pageDynamoDB = "Pricing for On-Demand Capacity (Amazon DynamoDB)"
	pageKMS      = "AWS Key Management Service Pricing"
	pageWatch    = "Amazon CloudWatch Pricing"
	pageSQS      = "Amazon SQS Pricing"
	pageEC2      = "Amazon EC2 On-Demand Pricing"
)

const million = 1_000_000

// usEast is us-east-1, which the pages show first. Each price is for a number of
// units: that of a KMS request is for 10,000, for example.
var usEast = prices{
	Gateway:    price{1.00, million, "requests of 512 KB", pageGateway},
	Invocation: price{0.20, million, "requests", pageLambda},
	Compute:    price{0.0000133334, 1, "GB-s (arm64)", pageLambda},
	Read:       price{0.125, million, "read units", pageDynamoDB},
	Write:      price{0.625, million, "write units", pageDynamoDB},
	KMSRequest: price{0.03, 10_000, "requests", pageKMS},
	LogIngest:  price{0.50, 1, "GB", pageWatch},
	DataOut:    price{0.09, 1, "GB", pageEC2},

	KMSKey:     price{1.00, 1, "key", pageKMS},
	Alarm:      price{0.10, 1, "alarm metrics", pageWatch},
	Metric:     price{0.30, 1, "metrics", pageWatch},
	Storage:    price{0.25, 1, "GB", pageDynamoDB},
	Backup:     price{0.20, 1, "GB", pageDynamoDB},
	LogStorage: price{0.03, 1, "GB", pageWatch},
	Look:       price{0.40, million, "requests", pageSQS},
}

// overridden replaces prices in p, in USD, by those in a JSON object such as
// {"Read": 0.1525}, whose names are the fields of prices; the units stay. The
// error names the first one that is unknown, negative or not a number.
func (p prices) overridden(file io.Reader) (prices, error) {
	given := map[string]float64{}
	if err := json.NewDecoder(file).Decode(&given); err != nil {
		return prices{}, fmt.Errorf("want an object of prices in USD, such as {\"Read\": 0.1525}: %w", err)
	}
	fields := reflect.ValueOf(&p).Elem()
	for name, usd := range given {
		field := fields.FieldByName(name)
		if !field.IsValid() {
			return prices{}, fmt.Errorf("there is no price %q: scripts/cost/prices.go has their names", name)
		}
		if usd < 0 {
			return prices{}, fmt.Errorf("price %s is %v: want 0 or more", name, usd)
		}
		field.Addr().Interface().(*price).USD = usd
	}
	return p, nil
}
