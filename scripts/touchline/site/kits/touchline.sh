#!/usr/bin/env bash
# The shell kit of Touchline 1.0.0 in one file, with bash 4, openssl and curl.
#
#     export TOUCHLINE_BASE_URL=https://api.example.org TOUCHLINE_KEY_ID=tk_... TOUCHLINE_SECRET=...
#     ./touchline.sh get '/v1/tournaments/5f1d.../standings'
#     ./touchline.sh pages '/v1/tournaments/5f1d.../matches?status=finished'   # a page a line
#
# Source it to use its functions. With TOUCHLINE_HEADERS set to a file, that has the
# headers of the last answer; TOUCHLINE_TIMEOUT is how many seconds an attempt may take
# as a whole (30). Keep the secret on a server, and out of the history of
# your shell: it is read from the environment.
#
# SPDX-License-Identifier: 0BSD

export LC_ALL=C # sorting and lengths are of bytes

touchline_empty=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

# touchline_encode TEXT: sets REPLY to a key or value of a query, decoded and
# encoded again.
touchline_encode() {
	local text=$1 out='' c i code hex
	for ((i = 0; i < ${#text}; i++)); do
		c=${text:i:1}
		if [ "$c" = % ]; then
			code=$((16#${text:i+1:2}))
			i=$((i + 2))
		else
			printf -v code %d "'$c"
			code=$((code & 255))
		fi
		if ((code >= 48 && code <= 57 || code >= 65 && code <= 90 || code >= 97 && code <= 122 || code == 45 || code == 46 || code == 95 || code == 126)); then
			printf -v hex %x "$code"
			printf -v c "\\x$hex"
		else
			printf -v c %%%02X "$code"
		fi
		out+=$c
	done
	REPLY=$out
}

# touchline_query QUERY: the query as it is signed.
touchline_query() {
	local part parts=() key value
	IFS='&' read -r -d '' -a parts < <(printf '%s\0' "$1")
	for part in "${parts[@]}"; do
		[ -n "$part" ] || continue
		key=${part%%=*} value=''
		[ "$key" = "$part" ] || value=${part#*=}
		# A tab sorts before everything that an encoded key or value holds.
		touchline_encode "$key"
		key=$REPLY
		touchline_encode "$value"
		printf '%s\t%s\n' "$key" "$REPLY"
	done | sort | tr '\t' '=' | paste -sd '&' -
}

# touchline_canonical METHOD PATH QUERY TIMESTAMP NONCE: the string that is signed.
touchline_canonical() {
	local path=$2
	case $path in *%*) path=$(printf %s "$path" | sed 's/%[0-9a-fA-F][0-9a-fA-F]/\U&/g') ;; esac
	printf '%s\n%s\n%s\n%s\n%s\n%s' "${1^^}" "$path" "$(touchline_query "$3")" "$4" "$5" "$touchline_empty"
}

# touchline_signature SECRET: the signature of standard input, HMAC-SHA256 made of
# two hashes, so that the secret is no argument of openssl.
touchline_signature() {
	local hex byte i part inner='' outer=''
	hex=$(printf %s "$1" | od -An -v -tx1 | tr -d ' \n')
	((${#hex} <= 128)) || hex=$(printf %s "$1" | openssl dgst -sha256 | sed 's/^.*= *//')
	for ((i = 0; i < 64; i++)); do
		part=${hex:2*i:2} byte=$((16#${part:-0}))
		printf -v part '\\x%02x' $((byte ^ 0x36))
		inner+=$part
		printf -v part '\\x%02x' $((byte ^ 0x5c))
		outer+=$part
	done
	# shellcheck disable=SC2059 # the pads are escapes of ours
	{
		printf "$outer"
		{ printf "$inner"; cat; } | openssl dgst -sha256 -binary
	} | openssl dgst -sha256 | sed 's/^.*= *//'
}

# touchline_get PATH[?QUERY]: prints the body of one GET. 1: refused, and the body
# says why; or no whole answer came, or one that is no JSON.
touchline_get() {
	local target=$1 path query='' attempt timestamp nonce signed head body status wait offset=0 corrected='' date
	local base=$TOUCHLINE_BASE_URL
	while [ "$base" != "${base%/}" ]; do base=${base%/}; done
	path=${target%%\?*}
	[ "$path" = "$target" ] || query=${target#*\?}
	for attempt in 1 2 3 4; do
		timestamp=$(($(date +%s) + offset))
		nonce=$(openssl rand -hex 16) # new for each attempt
		signed=$(touchline_canonical GET "$path" "$query" "$timestamp" "$nonce" | touchline_signature "$TOUCHLINE_SECRET")
		head=$(mktemp)
		body=$(curl -sS --path-as-is --globoff --compressed --suppress-connect-headers --max-time "${TOUCHLINE_TIMEOUT:-30}" -D "$head" \
			-H "X-Service-Key: $TOUCHLINE_KEY_ID" -H "X-Service-Timestamp: $timestamp" -H "X-Service-Nonce: $nonce" -H "X-Service-Signature: $signed" \
			"$base$target") || { body='touchline: no answer' && : >"$head"; }
		[ -z "${TOUCHLINE_HEADERS:-}" ] || tr -d '\r' <"$head" >"$TOUCHLINE_HEADERS"
		status=$(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' "$head")
		date=$(tr -d '\r' <"$head" | sed -n 's/^[Dd]ate: //p')
		wait=$(tr -d '\r' <"$head" | sed -n 's/^[Rr]etry-[Aa]fter: //p')
		[ -n "$body" ] || ! grep -qi '^content-length: 0' "$head" || body=nothing
		rm -f "$head"
		case $status in
		200)
			case $body in
			'{'*'}') printf '%s\n' "$body" && return 0 ;;
			'' | '{'*) body='touchline: the answer is cut' wait=$((1 << (attempt - 1))) && [ -z "${TOUCHLINE_HEADERS:-}" ] || : >"$TOUCHLINE_HEADERS" ;;
			*) body='touchline: the answer is no JSON' && break ;;
			esac ;;
		401)
			# The clock of the service, where ours is off.
			[[ $date == *GMT ]] && date=$(date -d "$date" +%s 2>/dev/null) || break
			[ -z "$corrected" ] && ((date - timestamp > 60 || timestamp - date > 60)) || break
			offset=$((date - timestamp + offset)) corrected=1
			((offset <= 86400 && offset >= -86400)) || break # by a day at most
			continue ;;
		429 | 503)
			[ "$status" = 429 ] && wait=${wait:-60}
			case ${wait:=$((1 << (attempt - 1)))} in
			*[!0-9]*)
				if [[ $wait == *GMT ]] && date=$(date -d "$wait" +%s 2>/dev/null); then
					wait=$((date - $(date +%s))) && ((wait > 0)) || wait=0
				else
					wait=60
				fi ;;
			esac ;;
		'' | 500 | 502 | 504) wait=$((1 << (attempt - 1))) ;;
		*) break ;;
		esac
		((wait <= 120 && attempt < 4)) || break
		sleep "$wait"
	done
	printf '%s\n' "$body" >&2
	return 1
}

# touchline_pages PATH[?QUERY]: prints each page of a list in a line of its own.
touchline_pages() {
	local page body join='?'
	case $1 in *\?*) join='&' ;; esac
	for ((page = 1; ; page++)); do
		body=$(touchline_get "$1${join}limit=100&page=$page") || return
		printf '%s\n' "$body"
		case $body in *'"hasMore":true'*) ;; *) return 0 ;; esac
	done
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	case ${1:-} in
	get | pages) "touchline_$1" "${@:2}" ;;
	*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
	esac
fi
