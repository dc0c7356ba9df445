package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettingsComeFromTheRunThenTheStageThenTheDefault(t *testing.T) {
	got, err := readSettings(map[string]any{
		"stage": "prod", "memory": "1024", "defaultPhoto": "https://img.example/nobody.png", "@aws-cdk/core:x": true, "aws:cdk:y": "z", "cli-telemetry": false,
		"stages": map[string]any{
			"prod": map[string]any{"memory": 512.0, "logDays": 90.0, "terminationProtection": true},
			"dev":  map[string]any{"logDays": 1.0},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := settings{
		Stage: "prod", Memory: 1024, ThrottleRate: 200, LogDays: 90, FailureLimit: 20,
		DefaultPhoto: "https://img.example/nobody.png", TerminationProtection: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFaultySettingsAreNamedWithWhatIsWanted(t *testing.T) {
	for name, tt := range map[string]struct {
		context map[string]any
		want    []string
	}{
		"a stage in capitals":         {map[string]any{"stage": "Prod"}, []string{`stage is "Prod": want a lower-case letter`}},
		"a stage of another's name":   {map[string]any{"stage": "github"}, []string{`stage is "github": want`}},
		"a stage of the roles' name":  {map[string]any{"stage": "github-prod"}, []string{`stage is "github-prod": want`}},
		"a stage without its picture": {map[string]any{"stage": "prod"}, []string{"defaultPhoto is not set", "stages.prod"}},
		"a boundary by its name":      {map[string]any{"permissionsBoundary": "bounds"}, []string{"permissionsBoundary is"}},
		"a zone for its region":       {map[string]any{"region": "eu-central-1a"}, []string{"region is"}},
		"a certificate of another region": {map[string]any{"region": "eu-west-1", "domain": "api.club.example",
			"certificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/0a-1b"}, []string{"certificateArn is of region us-east-1", "eu-west-1"}},
		"a key of another region": {map[string]any{"region": "eu-west-1",
			"secretsKey": "arn:aws:kms:eu-central-1:123456789012:key/0a-1b"}, []string{"secretsKey is of region eu-central-1"}},
		"a budget without an email":   {map[string]any{"monthlyBudget": "10"}, []string{"monthlyBudget needs alarmEmail"}},
		"a stage of 22 letters":       {map[string]any{"stage": strings.Repeat("a", 22)}, []string{"stage is"}},
		"too little memory":           {map[string]any{"memory": "127"}, []string{`memory is "127": want a whole number from 128 to 10240`}},
		"a part of a megabyte":        {map[string]any{"memory": 256.5}, []string{"memory is 256.5"}},
		"a number that is text":       {map[string]any{"throttleRate": "many"}, []string{`throttleRate is "many"`}},
		"a retention that is not had": {map[string]any{"logDays": "2"}, []string{"logDays is 2: want one of [1 3 5"}},
		"a picture that is no URL":    {map[string]any{"defaultPhoto": "nobody.png"}, []string{"defaultPhoto is"}},
		"an address with a name":      {map[string]any{"alarmEmail": "Ann <ann@club.example>"}, []string{"alarmEmail is"}},
		"a domain without its certificate": {map[string]any{"domain": "api.club.example"},
			[]string{"domain needs certificateArn"}},
		"a certificate without its domain": {map[string]any{"certificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/0a-1b"},
			[]string{"give domain"}},
		"a table's ARN for its name": {map[string]any{"keysTable": "arn:aws:dynamodb:eu-west-1:123456789012:table/keys"}, []string{"keysTable is"}},
		"a table of two letters":     {map[string]any{"sportsTable": "ab"}, []string{"sportsTable is"}},
		"a key's alias for its ARN":  {map[string]any{"secretsKey": "alias/touchline-dev"}, []string{"secretsKey is"}},
		"a zone without a domain":    {map[string]any{"hostedZoneId": "Z1"}, []string{"give domain"}},
		"not a certificate":          {map[string]any{"certificateArn": "arn:aws:iam::123456789012:server-certificate/x"}, []string{"certificateArn is"}},
		"a flag that is neither":     {map[string]any{"local": "yes"}, []string{`local is "yes": want true or false`}},
		"protected and disposable":   {map[string]any{"disposable": true, "terminationProtection": "true"}, []string{"exclude each other"}},
		"a name that is no setting":  {map[string]any{"memry": "512"}, []string{"memry is no setting: want one of alarmEmail, "}},
		"an unknown setting":         {map[string]any{"stages": map[string]any{"dev": map[string]any{"memry": 1}}}, []string{"memry is no setting of a stage"}},
		"a stage of another name":    {map[string]any{"stages": map[string]any{"dev": map[string]any{"stage": "prod"}}}, []string{"stage is no setting of a stage"}},
		"stages that are a list":     {map[string]any{"stages": []any{}}, []string{"stages in cdk.json is no object"}},
		"several at once": {map[string]any{"memory": "1", "region": "here", "nonsense": 1},
			[]string{"memory is", "region is", "nonsense is no setting"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readSettings(tt.context)
			if err == nil {
				t.Fatal("taken")
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in %q", part, err)
				}
			}
		})
	}
}

func TestProdThatNobodyWatchesIsWarnedOf(t *testing.T) {
	for name, tt := range map[string]struct {
		settings settings
		want     []string
	}{
		"prod without an email":  {settings{Stage: "prod", TerminationProtection: true, MonthlyBudget: 9}, []string{"nobody is notified of alarms"}},
		"prod without a budget":  {settings{Stage: "prod", TerminationProtection: true, AlarmEmail: "a@club.example"}, []string{"nobody is told what the account costs"}},
		"prod that nobody tends": {settings{Stage: "prod", TerminationProtection: true, Unattended: true}, nil},
		"prod as it should be":   {settings{Stage: "prod", TerminationProtection: true, AlarmEmail: "a@club.example", MonthlyBudget: 9}, nil},
		"prod that can be lost":  {settings{Stage: "prod", AlarmEmail: "a@club.example", MonthlyBudget: 9}, []string{"not protected"}},
		"dev":                    {settings{Stage: "dev"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := tt.settings.warnings()
			if len(got) != len(tt.want) {
				t.Fatalf("%q", got)
			}
			for i, part := range tt.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("%q is not in %q", part, got[i])
				}
			}
		})
	}
}
