#!/usr/bin/env python3
"""Writes vectors.json, the known answers of package signing.

It is an implementation of read-api.md, "Canonical string", that shares nothing
with the Go code: queries are read and encoded by Python's urllib, hashes are
made by Python's hashlib, and signatures by the openssl command, which Python's
hmac has to agree with. After a change of the cases below:

    python3 shared/signing/vectors/vectors.py
"""

import hashlib
import hmac
import json
import pathlib
import subprocess
from urllib.parse import quote, unquote_to_bytes


def canonical_query(sent):
    pairs = []
    for part in sent.split("&"):
        if part:
            key, _, value = part.partition("=")
            # quote leaves letters, digits and -._~ alone: those of RFC 3986.
            pairs.append(tuple(quote(unquote_to_bytes(x), safe="") for x in (key, value)))
    return "&".join(f"{key}={value}" for key, value in sorted(pairs))


def canonical_path(sent):
    out = []
    for i, part in enumerate(sent.split("%")):
        out.append(part if i == 0 else part[:2].upper() + part[2:])
    return "%".join(out)


def signature(secret, canonical):
    key, message = secret.encode(), canonical.encode()
    made = subprocess.run(
        ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:" + key.hex()],
        input=message, capture_output=True, check=True,
    ).stdout.decode().split()[-1]
    assert made == hmac.new(key, message, hashlib.sha256).hexdigest()
    return made


# The examples of read-api.md, with the answers that it gives.
EXAMPLES = {
    "a=2&a=1": "a=1&a=2",
    "a": "a=",
    "q=a%20b": "q=a%20b",
    "q=a+b": "q=a%2Bb",
    "q=a%20b&q=a+b&q=a%20b": "q=a%20b&q=a%20b&q=a%2Bb",
    "q=!*'()": "q=%21%2A%27%28%29",
    "q=~-._": "q=~-._",
    "path=a%2fb": "path=a%2Fb",
    "b=2&a=3&a=1&B=0&a=%7E": "B=0&a=1&a=3&a=~&b=2",
    "page=2&limit=10": "limit=10&page=2",
}

QUERIES = [
    # nothing, and parts that are empty
    "", "&", "&&&", "season=2025&", "&season=2025", "from=2026-02-01&&to=2026-02-28",
    # keys and values that are empty, and more than one =
    "=", "==", "=x", "x=", "x==", "x=y=z", "x=%3D", "%3D=x", "x&y&x",
    # a question mark within the query
    "?x=1", "x=?", "x=1?y=2",
    # every reserved and unreserved character, as it is and escaped
    "x=:/?#[]@", "x=!$'()*+,;=", "x=%3A%2F%3F%23%5B%5D%40", "x=%21%24%26%27%28%29%2A%2B%2C%3B%3D",
    "x=azAZ09-._~", "x=%61%7A%41%5A%30%39%2D%2E%5F%7E", "x=\"<>\\^`{|}", "x= ", "x=%20",
    # a plus is a plus
    "x=+", "x=%2B", "x=%2b", "+=+", "x=1+1&x=1%201",
    # the case of the digits, and what is escaped twice
    "x=%c3%A9", "x=%C3%a9", "x=%252F", "x=%252f", "x=%2525",
    # beyond ASCII, in UTF-8 and in bytes that are not
    "x=\u00e9", "\u00e9=x", "x=\u4e16\u754c", "x=\U0001f3c6", "x=%80", "x=%FF%00%0A%0D", "x=\t",
    # the order: upper before lower case, by encoded and not by decoded bytes,
    # by key and then by value, a prefix first, and repetitions stay
    "b=1&a=1&B=1&A=1", "a=b&a=B&a=1&a=", "ab=1&a=2&abc=0", "a=10&a=9&a=1", "x=~&x=%2F&x=z&x=Z", "a%2Fb=1&a.b=1&a-b=1&a~b=1",
    "z=1&z=1&z=1", "%7Ex=1&%7ex=2&~x=0", "\u00e9=1&e=1&z=1",
    # as a caller sends them
    "sort=-name&limit=50&page=4&includeDescendants=true&status=active",
    "to=2026-03-31T21:59:59%2B02:00&from=2026-03-01", "clubId=0123456789abcdef01234567&season=2025",
]

MALFORMED_QUERIES = ["%", "x=%", "x=%4", "x=%4&y=1", "x=%g1", "x=%1g", "x=%%41", "%zz=1", "x=1&y=%-1", "x=% 41"]
MALFORMED_PATHS = ["/v1/%", "/v1/%f", "/v1/%fg/x", "/v1/teams/%%20", "/v1/100%"]

ID = "5ca1ab1e0ddba11c0ffee000"
SECRETS = [
    "s3cr3t-Example_0001",  # the README's
    "Zm9vYmFy-not_decoded_0123456789abcdefghijkl",  # shaped like ours: base64url, 43 characters
    "h\u00e4ngematte \u26bd pass phrase",  # UTF-8 beyond ASCII, with spaces
    "k" * 64,  # as long as a block of SHA-256
    "longer than a block of SHA-256, so that HMAC hashes the key first: 0123456789",
]
REQUESTS = [
    ("GET", "/v1/ping", "1700000000", "c"),  # the README's
    ("HEAD", "/v1/ping", "1700000000", "c"),
    ("GET", "/v1/ping?", "1", "n.o_n~c-e"),
    ("GET", "/v1/ping?=", "0", "0"),
    ("GET", "/v1/ping?now", "007", "A" * 128),
    ("GET", f"/v1/federations/{ID}", "1790000000", "fed-1"),
    ("HEAD", f"/v1/federations/{ID}", "1790000000", "fed-1"),
    ("GET", f"/v1/organizations/{ID}/tree?includeDescendants=true&depth=3", "1790000001", "tree.1"),
    ("GET", f"/v1/clubs/{ID}/players?page=2&limit=10&clubId={ID}", "1790000002", "p~2"),
    ("GET", f"/v1/tournaments/{ID}/matches?to=2026-05-31&from=2026-05-01&status=finished", "1790000003", "_m_"),
    ("GET", f"/v1/tournaments/{ID}/top-scorers?type=assists&season=2025", "1790000004", "-"),
    ("GET", f"/v1/matches/{ID}/", "1790000005", "slash"),
    ("GET", f"/v1//matches/{ID}", "1790000006", "slash"),
    ("GET", "/v1/teams/a%2fb", "1790000007", "escape"),
    ("HEAD", "/v1/teams/a%2Fb", "1790000007", "escape"),
    ("GET", "/v1/teams/%c3%a9%2f%7e?%c3%a9=%2f%7e", "1790000008", "escape"),
    ("GET", "/v1/%41%62c%252f", "1790000009", "twice"),
    ("GET", "/v1/../v1/./ping", "1790000010", "dots"),
    ("GET", "/v1/a+b;c=d,e@f:g!$&'()*?a+b=c+d", "1790000011", "reserved"),
    ("GET", "/v1/ping?q=1?r=2", "1790000012", "question"),
    ("GET", "/v1/ping?b=2&a=3&a=1&B=0&a=%7E", "1790000013", "order"),
    ("GET", "/v1/ping?q=%e2%9a%bd&q=+&q=%20", "1790000014", "utf-8"),
    ("POST", "/v1/ping", "1790000015", "method"),
    ("get", "/v1/ping", "999999999999", "lower"),
    ("HEAD", f"/v1/clubs/{ID}/teams?status=active&sort=-name", "1790000016", "head"),
    # the documentation's second example, with the secret of the first
    ("GET", f"/v1/tournaments/{ID}/matches?to=2026-05-31T23%3a59&from=2026-05-01&status=finished", "1790000017", "n0nce-2"),
]


def request(i, method, target, timestamp, nonce):
    path, _, query = target.partition("?")
    body = hashlib.sha256(b"").hexdigest()
    canonical = "\n".join([method.upper(), canonical_path(path), canonical_query(query), timestamp, nonce, body])
    secret = SECRETS[0] if i < 2 else SECRETS[i % len(SECRETS)]
    return {
        "secret": secret, "method": method, "target": target, "timestamp": timestamp, "nonce": nonce,
        "canonical": canonical, "signature": signature(secret, canonical),
    }


def main():
    for sent, canonical in EXAMPLES.items():
        assert canonical_query(sent) == canonical, sent
    document = {
        "about": "Made by vectors.py, not by the code that they test.",
        "canonicalQuery": [{"sent": q, "canonical": canonical_query(q)} for q in [*EXAMPLES, *QUERIES]],
        "malformedQuery": MALFORMED_QUERIES,
        "malformedPath": MALFORMED_PATHS,
        "requests": [request(i, *r) for i, r in enumerate(REQUESTS)],
    }
    text = json.dumps(document, indent=1) + "\n"
    pathlib.Path(__file__).with_name("vectors.json").write_text(text)


if __name__ == "__main__":
    main()
