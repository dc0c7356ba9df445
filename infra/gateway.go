package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsroute53"
	"github.com/aws/jsii-runtime-go"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/route"
	"touchline/shared/stack"
)

// gateway is the HTTP API.
type gateway struct {
	api     awsapigatewayv2.CfnApi
	baseURL string // without a trailing slash
	logs    awslogs.CfnLogGroup
	// throttled counts the requests that it turned away with 429. API Gateway has no
	// metric of that: they are lines of its log in which no function was asked.
	throttled metric
}

// frontDoor makes the HTTP API with its routes. It has no CORS configuration:
// with one, the gateway would respond to OPTIONS instead of the functions.
func (s *stage) frontDoor(routes []gatewayRoute) gateway {
	api := awsapigatewayv2.NewCfnApi(s.Stack, new("Api"), &awsapigatewayv2.CfnApiProps{
		Name:         new(stack.Name(s.settings.Stage)),
		Description:  jsii.Sprintf("Touchline, stage %s", s.settings.Stage),
		ProtocolType: new("HTTP"),
		// A stage with a domain has no other address.
		DisableExecuteApiEndpoint: s.settings.Domain != "",
	})
	targets := map[route.Group]*string{}
	for _, group := range route.Groups() {
		targets[group] = s.integration(api, s.functions[group])
	}
	var unknown awsapigatewayv2.CfnRoute
	for _, r := range routes {
		made := awsapigatewayv2.NewCfnRoute(s.Stack, new(routeID(r.key)), &awsapigatewayv2.CfnRouteProps{
			ApiId: api.Ref(), RouteKey: &r.key, AuthorizationType: new("NONE"), Target: targets[r.group],
		})
		suppress(made, suppression{rule: "AwsSolutions-APIG4", reason: "Requests are signed: the functions check the signature (HMAC), the nonce and the key themselves, for every answer has the service's own headers and body"})
		if r.key == elsewhere {
			unknown = made
		}
	}
	logs := s.gatewayLogs()
	gatewayStage := s.gatewayStage(api, logs)
	gatewayStage.AddResourceDependency(unknown, nil) // a stage limits only routes that are there
	throttled := metric{namespace: accesslog.Namespace, name: "GatewayThrottled-" + s.settings.Stage, statistic: "Sum"}
	awslogs.NewCfnMetricFilter(s.Stack, new("ApiThrottled"), &awslogs.CfnMetricFilterProps{
		LogGroupName: logs.Ref(), FilterPattern: new(`{ $.status = "429" && $.integrationStatus = "-" }`),
		MetricTransformations: &[]any{&awslogs.CfnMetricFilter_MetricTransformationProperty{
			MetricNamespace: &throttled.namespace, MetricName: &throttled.name, MetricValue: new("1"),
		}},
	})
	g := gateway{api: api, baseURL: *api.AttrApiEndpoint(), logs: logs, throttled: throttled}
	if s.settings.Domain != "" {
		g.baseURL = "https://" + s.settings.Domain
		s.domain(api, gatewayStage)
	}
	return g
}

var notOfAnID = regexp.MustCompile(`[^A-Za-z0-9]+`)

// routeID is the name of a route in the stack: RouteV1TeamsProxy.
func routeID(key string) string { return "Route" + camel(strings.TrimPrefix(key, "ANY")) }

// camel joins words: V1TeamsProxy.
func camel(words string) string {
	var id string
	for _, word := range notOfAnID.Split(words, -1) {
		if word != "" {
			id += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return id
}

// integration leads to a function, and lets only this API call it. It returns
// the target for routes.
func (s *stage) integration(api awsapigatewayv2.CfnApi, f function) *string {
	id := strings.ToUpper(f.name[:1]) + f.name[1:]
	made := awsapigatewayv2.NewCfnIntegration(s.Stack, new(id+"Integration"), &awsapigatewayv2.CfnIntegrationProps{
		ApiId: api.Ref(), IntegrationType: new("AWS_PROXY"), IntegrationUri: f.invoked,
		PayloadFormatVersion: new("2.0"),
	})
	awslambda.NewCfnPermission(s.Stack, new(id+"Permission"), &awslambda.CfnPermissionProps{
		Action: new("lambda:InvokeFunction"), FunctionName: f.invoked, Principal: new("apigateway.amazonaws.com"),
		SourceArn: s.Stack.FormatArn(&awscdk.ArnComponents{
			Service: new("execute-api"), Resource: api.Ref(), ResourceName: new("*/*"),
		}),
	})
	return awscdk.Fn_Join(new("/"), &[]*string{new("integrations"), made.Ref()})
}

// accessLog is the format of a line in the gateway's log. There one finds requests
// that did not reach a function, and those whose response did not come back. It
// contains no path, query, header or address, since those belong to the caller;
// and no time, which CloudWatch stores with the line. requestId is also in the
// function's line, as gatewayRequestId.
func accessLog() string {
	line := map[string]string{}
	for _, name := range []string{
		"requestId", "routeKey", "status", "responseLength", "responseLatency",
		"integrationStatus", "integrationLatency", "integrationErrorMessage",
	} {
		line[name] = "$context." + name
	}
	line["errorType"] = "$context.error.responseType"
	line["error"] = "$context.error.message"
	raw, err := json.Marshal(line)
	if err != nil {
		panic(err) // of strings
	}
	return string(raw)
}

// gatewayLogs makes the log group of the gateway. Below /aws/vendedlogs/ the right to
// write to a log group does not count towards the size of the one policy that all log
// groups of an account share.
func (s *stage) gatewayLogs() awslogs.CfnLogGroup {
	logs := awslogs.NewCfnLogGroup(s.Stack, new("ApiLogs"), &awslogs.CfnLogGroupProps{
		LogGroupName:    jsii.Sprintf("/aws/vendedlogs/touchline/%s/access", s.settings.Stage),
		RetentionInDays: jsii.Number(s.settings.LogDays),
	})
	drop(logs)
	return logs
}

// mostAtOnce is how many requests API Gateway lets through at once, of an account in a
// region.
const mostAtOnce = 5000

// unknownShare is the part of throttleRate that unknown paths have to themselves: a tenth.
const unknownShare = 10

func (s *stage) gatewayStage(api awsapigatewayv2.CfnApi, logs awslogs.CfnLogGroup) awsapigatewayv2.CfnStage {
	return awsapigatewayv2.NewCfnStage(s.Stack, new("ApiStage"), &awsapigatewayv2.CfnStageProps{
		ApiId: api.Ref(), StageName: new("$default"), AutoDeploy: true,
		AccessLogSettings: &awsapigatewayv2.CfnStage_AccessLogSettingsProperty{
			DestinationArn: logs.AttrArn(), Format: new(accessLog()),
		},
		DefaultRouteSettings: &awsapigatewayv2.CfnStage_RouteSettingsProperty{
			ThrottlingRateLimit: jsii.Number(s.settings.ThrottleRate), ThrottlingBurstLimit: jsii.Number(min(2*s.settings.ThrottleRate, mostAtOnce)),
		},
		// Whoever looks for paths that do not exist takes nothing away from those who
		// ask for one that does.
		RouteSettings: map[string]any{elsewhere: map[string]any{
			"ThrottlingRateLimit": max(s.settings.ThrottleRate/unknownShare, 1), "ThrottlingBurstLimit": max(s.settings.ThrottleRate/unknownShare, 1),
		}},
	})
}

// domain gives the API a name of its own.
func (s *stage) domain(api awsapigatewayv2.CfnApi, of awsapigatewayv2.CfnStage) {
	name := awsapigatewayv2.NewCfnDomainName(s.Stack, new("Domain"), &awsapigatewayv2.CfnDomainNameProps{
		DomainName: &s.settings.Domain,
		DomainNameConfigurations: &[]any{&awsapigatewayv2.CfnDomainName_DomainNameConfigurationProperty{
			CertificateArn: &s.settings.CertificateARN, EndpointType: new("REGIONAL"), SecurityPolicy: new("TLS_1_2"),
		}},
	})
	awsapigatewayv2.NewCfnApiMapping(s.Stack, new("DomainMapping"), &awsapigatewayv2.CfnApiMappingProps{
		ApiId: api.Ref(), DomainName: name.Ref(), Stage: of.Ref(),
	})
	if s.settings.HostedZoneID == "" {
		s.output(stack.OutputDomainTarget, *name.AttrRegionalDomainName(), "What a CNAME record of the domain has to point to")
		return
	}
	awsroute53.NewCfnRecordSet(s.Stack, new("DomainRecord"), &awsroute53.CfnRecordSetProps{
		HostedZoneId: &s.settings.HostedZoneID, Name: &s.settings.Domain, Type: new("A"),
		AliasTarget: &awsroute53.CfnRecordSet_AliasTargetProperty{
			DnsName: name.AttrRegionalDomainName(), HostedZoneId: name.AttrRegionalHostedZoneId(),
		},
	})
}

// gatewayRoute is a route of the gateway: ANY, for the functions answer every
// method themselves.
type gatewayRoute struct {
	key   string // as the gateway writes it, "ANY /v1/teams/{proxy+}"
	group route.Group
}

// elsewhere is the gateway's route for every path that no other has. They are
// unknown to every function; ping says so.
const elsewhere = "$default"

// routes are the gateway's: one for each first word of the route table, with
// everything below it where that has an id.
func routes() []gatewayRoute {
	var list []gatewayRoute
	seen := map[string]bool{}
	for operation := range groups.Table(endpoints.Deps{}).All() {
		head, _, below := strings.Cut(strings.TrimPrefix(operation.Path, route.Prefix), "/")
		heads := []string{head}
		if head == "{alias}" {
			heads = nil
			for _, alias := range route.Aliases() {
				heads = append(heads, string(alias))
			}
		}
		for _, head := range heads {
			key := "ANY " + route.Prefix + head
			if below {
				key += "/{proxy+}"
			}
			if !seen[key] {
				seen[key] = true
				list = append(list, gatewayRoute{key, operation.Group})
			}
		}
	}
	slices.SortFunc(list, func(a, b gatewayRoute) int { return strings.Compare(a.key, b.key) })
	return append(list, gatewayRoute{elsewhere, route.GroupPing})
}

// keysOf are the routes that a group's function serves.
func keysOf(group route.Group) []string {
	var keys []string
	for _, r := range routes() {
		if r.group == group {
			keys = append(keys, strings.TrimPrefix(r.key, "ANY "))
		}
	}
	return keys
}
