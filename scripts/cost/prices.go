package main

// listed is the day on which the prices were looked up. They are list prices
// without tax, free tiers, savings plans and volume discounts; where a free
// amount is meant, the bill says so.
const listed = "2026-11-20"

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
	// By the month.
	KMSKey, Alarm, Metric, Storage, Backup, LogStorage price
	// Of the servers that the bill is compared with.
	Server, Database, DatabaseStorage, Balancer, BalancerGB, Address price
}

const (
	pageGateway  = "Amazon API Gateway Pricing"
	pageLambda   = "AWS Lambda Pricing"
	pageDynamoDB = "Pricing for On-Demand Capacity (Amazon DynamoDB)"
	pageKMS      = "AWS Key Management Service Pricing"
	pageWatch    = "Amazon CloudWatch Pricing"
	pageEC2      = "Amazon EC2 On-Demand Pricing"
	pageRDS      = "Amazon RDS for PostgreSQL Pricing"
	pageBalancer = "Elastic Load Balancing Pricing"
	pageVPC      = "Amazon VPC Pricing"
)

const million = 1_000_000

// usEast is us-east-1, which the pages show first.
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

	Server:          price{0.0168, 1, "hours of t4g.small", pageEC2},
	Database:        price{0.065, 1, "hours of db.t4g.small, Multi-AZ", pageRDS},
	DatabaseStorage: price{0.23, 1, "GB of gp3, Multi-AZ", pageRDS},
	Balancer:        price{0.0225, 1, "hours", pageBalancer},
	BalancerGB:      price{0.008, 1, "GB (one LCU-hour each)", pageBalancer},
	Address:         price{0.005, 1, "hours of a public IPv4 address", pageVPC},
}

// euCentral is eu-central-1: usEast but for what costs more there.
var euCentral = func() prices {
	p := usEast
	p.Gateway.USD = 1.20
	p.Read.USD, p.Write.USD = 0.1525, 0.7625
	p.Storage.USD, p.Backup.USD = 0.306, 0.2448
	p.LogIngest.USD, p.LogStorage.USD = 0.63, 0.0324
	p.Server.USD, p.Database.USD, p.DatabaseStorage.USD = 0.0192, 0.074, 0.274
	p.Balancer.USD = 0.027
	return p
}()

// pricesOf are those of a region; ok is false where they were not looked up.
func pricesOf(region string) (p prices, ok bool) {
	switch region {
	case "us-east-1":
		return usEast, true
	case "eu-central-1":
		return euCentral, true
	}
	return prices{}, false
}
