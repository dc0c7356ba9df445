. ./touchline.sh
text() { [ "$1" = - ] || printf "$(printf %s "$1" | sed 's/../\\x&/g')"; }
if [ "$1" = vectors ]; then
	while read -r method path query timestamp nonce secret; do
		made=$(touchline_canonical "$(text "$method")" "$(text "$path")" "$(text "$query")" "$(text "$timestamp")" "$(text "$nonce")")
		printf '%s %s\n' "$(printf %s "$made" | od -An -v -tx1 | tr -d ' \n')" "$(printf %s "$made" | touchline_signature "$(text "$secret")")"
	done
else
	export TOUCHLINE_BASE_URL=$2 TOUCHLINE_KEY_ID=$3 TOUCHLINE_SECRET=$4
	sleep() { waits="$waits $1"; }
	touchline_pages "$5" | grep -o '"data":.*' | grep -o '"id":"[0-9a-f]*"' | cut -d'"' -f4
	refused=$(touchline_get /v1/teams/none 2>&1 >/dev/null) || printf '404 %s\n' "$(printf %s "$refused" | grep -o 'notFound')"
	echo waited
fi
