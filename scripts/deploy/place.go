package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// place is where a deployment goes, and who deploys.
type place struct {
	config        aws.Config // with its region
	account, user string     // number of the account, ARN of the user
}

func (p place) String() string {
	return fmt.Sprintf("account %s, region %s (as %s)", p.account, p.config.Region, p.user)
}

// askLimit bounds the calls to AWS before a deployment begins.
const askLimit = 30 * time.Second

// findPlace takes the region from the stage's setting, unless that is empty,
// else from the arguments, else from the standard configuration of the SDK.
func findPlace(ctx context.Context, setting string, args arguments) (place, error) {
	given, _ := args.value("--region")
	if setting != "" && given != "" && given != setting {
		return place{}, fmt.Errorf("--region %s contradicts the stage's setting region, %s", given, setting)
	}
	profile, _ := args.value("--profile")
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	cfg, err := config.LoadDefaultConfig(ctx, config.WithSharedConfigProfile(profile))
	if err != nil {
		return place{}, fmt.Errorf("read the AWS configuration: %w", err)
	}
	for _, region := range []string{given, setting} {
		if region != "" {
			cfg.Region = region
		}
	}
	if cfg.Region == "" {
		return place{}, errors.New("no region is configured: set region for the stage in cdk.json (\"stages\"), or set AWS_REGION, or give ARGS='--region REGION'")
	}
	caller, err := sts.NewFromConfig(cfg).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return place{}, fmt.Errorf("no AWS account: sign in (aws configure, aws sso login), or choose a profile with ARGS='--profile NAME' or AWS_PROFILE, and see that AWS can be reached from here: %w", err)
	}
	return place{config: cfg, account: aws.ToString(caller.Account), user: aws.ToString(caller.Arn)}, nil
}
