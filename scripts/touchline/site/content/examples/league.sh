#!/usr/bin/env bash
set -euo pipefail
. ./touchline.sh

organization=$(touchline_get /v1/ping | grep -o '"resourceId":"[^"]*' | cut -d'"' -f4)
query='includeDescendants=true&status=active&limit=1'
competition=$(touchline_get "/v1/organizations/$organization/competitions?$query" |
	grep -o '"id":"[^"]*' | sed -n '1s/.*"//p')
path=/v1/tournaments/$competition

# With jq you read the fields that you want out of these.
printf 'Table\n' && touchline_get "$path/standings"
printf '\nNext matches\n' && touchline_get "$path/matches?status=upcoming&limit=5"
printf '\nTop scorers\n' && touchline_get "$path/top-scorers?limit=5"
