. ./touchline.sh
# text HEX: sets REPLY to what it stands for.
text() {
	local i byte
	REPLY=''
	[ "$1" != - ] || return 0
	for ((i = 0; i < ${#1}; i += 2)); do
		printf -v byte "\\x${1:i:2}"
		REPLY+=$byte
	done
}
if [ "$1" = vectors ]; then
	while read -r -a line; do
		fields=()
		for hex in "${line[@]}"; do
			text "$hex"
			fields+=("$REPLY")
		done
		made=$(touchline_canonical "${fields[@]:0:5}")
		printf '%s %s\n' "$(printf %s "$made" | od -An -v -tx1 | tr -d ' \n')" "$(printf %s "$made" | touchline_signature "${fields[5]}")"
	done
elif [ "$1" = trouble ]; then
	export TOUCHLINE_BASE_URL=$2 TOUCHLINE_KEY_ID=$3 TOUCHLINE_SECRET=$4
	sleep() { :; }
	refused=$(TOUCHLINE_HEADERS=headers touchline_get '/v1/x?status=live&from=2026-09-01' 2>&1 >/dev/null) && exit 1
	case $refused in *badRequest*'"field":"from"'*) echo "400 badRequest true $(sed -n 's/^X-Ratelimit-Remaining: //p' headers)" ;; esac
	echo waited
elif [ "$1" = ditch ]; then
	export TOUCHLINE_BASE_URL=$2 TOUCHLINE_KEY_ID=$3 TOUCHLINE_SECRET=$4 TOUCHLINE_TIMEOUT=$5 TOUCHLINE_HEADERS=headers
	sleep() { printf ' %s' "$1" >>waits; }
	for target in "${@:6}"; do
		: >waits
		if got=$(touchline_get "$target" 2>said); then
			got=$(printf %s "$got" | sed 's/.*"id":"\([a-z]*\)".*/\1/')
		else
			got=$(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' headers)
		fi
		echo "$target ${got:-0}$(cat waits)"
	done
else
	export TOUCHLINE_BASE_URL=$2 TOUCHLINE_KEY_ID=$3 TOUCHLINE_SECRET=$4
	sleep() { waits="$waits $1"; }
	touchline_pages "$5" | grep -o '"data":.*' | grep -o '"id":"[0-9a-f]*"' | cut -d'"' -f4
	refused=$(touchline_get /v1/teams/none 2>&1 >/dev/null) || printf '404 %s\n' "$(printf %s "$refused" | grep -o 'notFound')"
	echo waited
fi
