import asyncio
import sys

sys.dont_write_bytecode = True
import touchline

if sys.argv[1] == "vectors":
    for line in sys.stdin:
        method, path, query, timestamp, nonce, secret = (bytes.fromhex(f.strip("-")).decode() for f in line.split())
        text = touchline.canonical(method, path, query, timestamp, nonce)
        print(text.encode().hex(), touchline.signature(secret, text))
elif sys.argv[1] == "trouble":
    waits = []
    api = touchline.Client(*sys.argv[2:], sleep=waits.append)
    try:
        api.get("/v1/x?status=live", from_="2026-09-01")
    except touchline.Error as refusal:
        print(refusal.status, refusal.code, "field from" in str(refusal), refusal.headers["X-RateLimit-Remaining"])
    for path, items in api.mirror("/a", "/b", started_over=lambda: print("over")):
        print(path, *(item["id"] for item in items))
    print("waited", *(round(wait) for wait in waits))
elif sys.argv[1] == "ditch":
    base, key, secret, timeout, *targets = sys.argv[2:]
    waits = []
    api = touchline.Client(base, key, secret, timeout=float(timeout), sleep=waits.append)
    for target in targets:
        waits.clear()
        try:
            print(target, api.get(target)["data"]["id"], *waits)
        except touchline.Error as error:
            print(target, error.status, *waits)
else:
    base, key, secret, path = sys.argv[2:]
    waits = []
    api = touchline.Client(base, key, secret, sleep=waits.append)
    ids = [item["id"] for item in api.pages(path, limit=2)]
    print(*ids, sep="\n")

    async def walk(api):
        assert [item["id"] async for item in api.pages(path, limit=2)] == ids
        assert (await api.get(path, limit=1))["data"][0]["id"] == ids[0]

    asyncio.run(walk(touchline.AsyncClient(base, key, secret, sleep=waits.append)))
    try:
        api.get("/v1/teams/none")
    except touchline.Error as refusal:
        print(refusal.status, refusal.code)
    print("waited", *waits)
