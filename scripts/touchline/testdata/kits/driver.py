import sys

sys.dont_write_bytecode = True
import touchline

if sys.argv[1] == "vectors":
    for line in sys.stdin:
        method, path, query, timestamp, nonce, secret = (bytes.fromhex(f.strip("-")).decode() for f in line.split())
        text = touchline.canonical(method, path, query, timestamp, nonce)
        print(text.encode().hex(), touchline.signature(secret, text))
else:
    base, key, secret, path = sys.argv[2:]
    waits = []
    api = touchline.Client(base, key, secret, sleep=waits.append)
    for item in api.pages(path, limit=2):
        print(item["id"])
    try:
        api.get("/v1/teams/none")
    except touchline.Error as refusal:
        print(refusal.status, refusal.code)
    print("waited", *waits)
