package functions

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"touchline/shared/route"
)

// bootstraps is a folder with every function, named as its group.
type bootstraps string

// build compiles every function that serves requests.
func build(t testing.TB) bootstraps {
	t.Helper()
	return bootstraps(compile(t, folders()...))
}

// folders are those of the functions that serve requests.
func folders() []string {
	var list []string
	for _, g := range route.Groups() {
		list = append(list, string(g))
	}
	return list
}

// of is the path of a function's bootstrap.
func (b bootstraps) of(g route.Group) string { return filepath.Join(string(b), string(g)) }

// dependencies are the packages that a function is made of.
func dependencies(t *testing.T, g route.Group) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", tags, "./"+string(g)).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// notOfAFunction are packages that no function may carry: the command's, the
// local server's, the loader's, the tests', and of the SDK its configuration, whose
// sign-on services double the time of a start, and what package awsjson is for.
var notOfAFunction = regexp.MustCompile(`^(` + strings.Join([]string{
	`github\.com/alecthomas/kong`, `github\.com/getkin/kin-openapi`,
	`github\.com/go-json-experiment/json`,
	`github\.com/aws/(aws-cdk-go|constructs-go|jsii-runtime-go)`,
	`github\.com/aws/aws-sdk-go-v2/(config|feature/ec2/imds)`,
	`github\.com/aws/aws-sdk-go-v2/service/(sso|ssooidc|sts|signin|kms|s3)`,
	`golang\.org/x/text`, `golang\.org/x/term`, `pgregory\.net/rapid`, `net/rpc`, `html/template`, `text/template`, `testing`,
	`touchline/shared/(dataset|loader|engine|local|standings|openapi|demo)`,
}, "|") + `)(/|$)`)

func TestFunctionsCarryNothingTheyDoNotNeed(t *testing.T) {
	for _, g := range route.Groups() {
		deps := dependencies(t, g)
		if len(deps) < 100 {
			t.Fatalf("%s: only %d packages: %q", g, len(deps), deps)
		}
		for _, d := range deps {
			if notOfAFunction.MatchString(d) {
				t.Errorf("%s carries %s", g, d)
			}
		}
	}
}
