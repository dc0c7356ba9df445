package logs

import "touchline/shared/signing"

// mistakeText says which of the usual mistakes was made in signing, and what is
// right; both are empty for other mistakes.
func mistakeText(m signing.Mistake) (what, todo string) {
	switch m {
	case signing.QueryUnsorted:
		return "the query was signed in the order sent", "Sort the pairs by encoded key, then by encoded value, before they are joined."
	case signing.QueryAsSent:
		return "the query was signed as it was sent", "Decode each key and value, encode them again (RFC 3986: only A-Z a-z 0-9 - . _ ~ stay), and sort the pairs."
	case signing.QueryFormEncoded:
		return "the query was encoded as forms are, where + is a space", "Write a space as %20 and a + as %2B; a + in the query that is sent is a plus. Use an encoder for RFC 3986, such as rawurlencode or quote."
	case signing.QueryWithMark:
		return "the query was signed with the question mark", "Sign what follows the question mark."
	case signing.QueryOmitted:
		return "the query was not signed", "Put the sorted query in the third line of the string."
	case signing.QueryInPath:
		return "the query was signed within the path", "Sign the path up to the question mark, and the sorted query in a line of its own."
	case signing.VersionOmitted:
		return "the path was signed without /v1", "Sign the path from /v1, as it is sent."
	case signing.FullURL:
		return "the whole URL was signed in place of the path", "Sign the path from /v1, without scheme and host, and the query in a line of its own."
	case signing.MethodLowerCase:
		return "the method was signed in lower case", "Sign GET or HEAD, in capitals."
	case signing.MethodOfAnother:
		return "another method was signed than was sent", "Sign HEAD for HEAD and GET for GET. Some clients send HEAD by themselves, to look before they fetch."
	case signing.LineFeedAtEnd:
		return "a line feed was signed after the body hash", "End the string with the body hash. In a shell print it with printf %s, since echo adds a line feed."
	case signing.LineFeedMissing:
		return "a line feed was missing between the fields", "Join all six fields by a line feed, an empty query too: then two line feeds follow each other."
	case signing.CarriageReturns:
		return "the fields were joined by CR LF", "Join them by a line feed alone (\\n, byte 0A)."
	case signing.BackslashN:
		return "the fields were joined by a backslash and an n", "Make a real line feed: \"\\n\" in double quotes in PHP and Ruby, $'\\n' in a shell."
	case signing.BodyHashEmpty:
		return "the body hash was left out or empty", "Sign the SHA-256 of no bytes, e3b0c442…, in the last line, since no request has a body."
	case signing.SecretWithSpace:
		return "the secret was used with a line end or a space after it", "Cut white space off where the secret is read; most editors end a file with a line feed."
	case signing.SecretTrimmed:
		return "the secret was used without the - or _ at one of its ends", "Copy the whole secret; a double click does not select a - at its end."
	case signing.SecretDecoded:
		return "the secret was decoded from base64 before it was used", "Key the HMAC with the secret's characters as they are shown."
	case signing.KeyIDAsSecret:
		return "the key's id was used in place of the secret", "Key the HMAC with the secret; the id belongs in X-Service-Key."
	}
	return "", ""
}
