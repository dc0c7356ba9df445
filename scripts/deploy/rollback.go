package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"touchline/shared/route"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// published is a function with the versions that deployments have published of it.
type published struct {
	name, revision string          // the revision is that of its alias, as it was read
	served         int             // the version that the alias names
	versions       map[int]version // by number; $LATEST is not among them
}

type version struct {
	release, data string // data are space.Reads; empty: it does not say
	variables     map[string]string
}

// release is the one that is served.
func (f published) release() string { return cmp.Or(f.versions[f.served].release, "deleted") }

// newest is the last version below another that is wanted; 0: no version.
func (f published) newest(below int, wanted func(release string) bool) (newest int) {
	for n, v := range f.versions {
		if n < below && n > newest && wanted(v.release) {
			newest = n
		}
	}
	return newest
}

// rollback has every function serve the release before the one that it serves, or
// the one that --to names. Nothing is built and no stack changes, so it takes
// seconds. It moves nothing unless every function has a version of that release.
func (c call) rollback(ctx context.Context) error {
	flags := flag.NewFlagSet("rollback", flag.ContinueOnError)
	flags.SetOutput(c.err)
	to := flags.String("to", "", "the release to go back to, or forward; default the one before")
	exchange := flags.Bool("other-tables", false, "also to a release that reads other tables, or another KMS key")
	dryRun := flags.Bool("dry-run", false, "say what would be done")
	region := flags.String("region", "", "the AWS region")
	profile := flags.String("profile", "", "the AWS profile")
	if err := flags.Parse(c.args); err != nil {
		return err
	}
	setting, err := regionSetting(c.stage)
	if err != nil {
		return err
	}
	p, err := findPlace(ctx, setting, arguments{"--region=" + *region, "--profile=" + *profile})
	if err != nil {
		return err
	}
	c.printf("rollback %s: %s\n", stack.Name(c.stage), p)
	api := lambda.NewFromConfig(p.config)
	functions, err := c.published(ctx, api)
	if err != nil {
		return err
	}
	release, err := chosen(functions, *to)
	if err != nil {
		return err
	}
	moves := map[string]int{}
	for _, f := range functions {
		version := f.newest(math.MaxInt, func(r string) bool { return r == release })
		if version == 0 {
			return fmt.Errorf("%s has no version of %s; nothing was moved", f.name, release)
		}
		moves[f.name] = version
		c.printf("  %-30s version %d (%s) -> %d (%s)\n", f.name, f.served, f.release(), version, release)
	}
	if err := c.suited(ctx, p, functions[0].versions[functions[0].served], functions[0].versions[moves[functions[0].name]], *exchange); err != nil {
		return fmt.Errorf("%w; nothing was moved", err)
	}
	if *dryRun {
		c.printf("Nothing was changed.\n")
		return nil
	}
	for n, f := range functions {
		_, err := api.UpdateAlias(ctx, &lambda.UpdateAliasInput{
			FunctionName: &f.name, Name: aws.String(stack.Live), FunctionVersion: aws.String(strconv.Itoa(moves[f.name])),
			RevisionId: &f.revision,
		})
		if err != nil {
			return fmt.Errorf("move %s (lambda:UpdateAlias): %w\n%d of %d functions have been moved; run it again with --to %s", f.name, err, n, len(functions), strings.TrimPrefix(release, stack.Release("")))
		}
	}
	c.printf("All %d functions serve %s. The next deployment of another release replaces it.\n", len(functions), release)
	return nil
}

// suited refuses a version of a function that serves requests which would find no right to
// what it reads, or data that it does not read. Of one that reads other tables, or another
// KMS key, it says so, and wants that to be meant.
func (c call) suited(ctx context.Context, p place, live, to version, exchange bool) error {
	st, err := readState(ctx, p, stack.Name(c.stage))
	if err != nil {
		return err
	}
	var others []string
	for _, x := range stack.Exchangeable() {
		is, next := live.variables[x.Variable], to.variables[x.Variable]
		c.printf("  %-30s %s -> %s\n", x.Output, is, next)
		if !st.grants(x, next) {
			return fmt.Errorf("%s reads %s, which the functions have no right to any more: deploy its commit instead, with cdk.json naming that", to.release, next)
		}
		if is != next {
			others = append(others, next)
		}
	}
	if len(others) > 0 && !exchange {
		return fmt.Errorf("%s reads %s, in place of what is served: data and keys would be those of before. If that is meant: ARGS=--other-tables", to.release, strings.Join(others, " and "))
	}
	table := to.variables[stack.VariableSportsTable]
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	switch readable, err := generation.Readable(ctx, sports(p, table), to.data); {
	case errors.Is(err, store.ErrNoTable):
		return fmt.Errorf("%s reads table %s, which is not there", to.release, table)
	case err != nil:
		return unread(table, "BatchGetItem", err)
	case !readable:
		return fmt.Errorf("%s does not read the data that table %s has: every route but ping would be refused, or answer with empty lists (infra/README.md, Another layout)", to.release, table)
	}
	return nil
}

// published reads what there is of each function.
func (c call) published(ctx context.Context, api *lambda.Client) ([]published, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	var functions []published
	for _, group := range route.Groups() {
		name := stack.FunctionName(c.stage, string(group))
		alias, err := api.GetAlias(ctx, &lambda.GetAliasInput{FunctionName: &name, Name: aws.String(stack.Live)})
		if err != nil {
			return nil, fmt.Errorf("read the alias %s of %s (lambda:GetAlias): %w", stack.Live, name, err)
		}
		f := published{name: name, revision: aws.ToString(alias.RevisionId), served: number(alias.FunctionVersion), versions: map[int]version{}}
		pages := lambda.NewListVersionsByFunctionPaginator(api, &lambda.ListVersionsByFunctionInput{FunctionName: &name})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return nil, fmt.Errorf("read the versions of %s (lambda:ListVersionsByFunction): %w", name, err)
			}
			for _, v := range page.Versions {
				if n := number(v.Version); n > 0 {
					release, data, _ := strings.Cut(aws.ToString(v.Description), stack.Reading)
					f.versions[n] = version{release, data, variables(v.Environment)}
				}
			}
		}
		functions = append(functions, f)
	}
	return functions, nil
}

// variables are those of an environment, which may be none.
func variables(e *types.EnvironmentResponse) map[string]string {
	if e == nil {
		return nil
	}
	return e.Variables
}

// number is a version's; 0: it has none.
func number(version *string) int {
	n, _ := strconv.Atoi(aws.ToString(version))
	return n
}

// chosen is the description of the release to serve. Where a rollback was broken
// off, the functions serve two: then it has to be named.
func chosen(functions []published, to string) (string, error) {
	if to != "" {
		return stack.Release(to), nil
	}
	first := functions[0]
	for _, f := range functions[1:] {
		if f.release() != first.release() {
			return "", fmt.Errorf("%s serves %s, %s %s: say which one all are to serve, --to RELEASE", first.name, first.release(), f.name, f.release())
		}
	}
	before := first.newest(first.served, func(r string) bool { return r != first.release() })
	if before == 0 {
		return "", errors.New("there is no release before the one that is served: deploy an older commit instead")
	}
	return first.versions[before].release, nil
}

// regionSetting is the setting region of a stage in cdk.json, which is read without
// the CDK: that takes longer than the rollback.
func regionSetting(stage string) (string, error) {
	var file struct {
		Context struct {
			Region string
			Stages map[string]struct{ Region string }
		}
	}
	err := decode("cdk.json", &file)
	return cmp.Or(file.Context.Stages[stage].Region, file.Context.Region), err
}
