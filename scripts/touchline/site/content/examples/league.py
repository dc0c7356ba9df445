import os
import touchline

api = touchline.Client(
    os.environ["TOUCHLINE_BASE_URL"],
    os.environ["TOUCHLINE_KEY_ID"],
    os.environ["TOUCHLINE_SECRET"],
)

organization = api.get("/v1/ping")["data"]["resourceId"]
competitions = "/v1/organizations/" + organization + "/competitions"
first = {"includeDescendants": True, "status": "active", "limit": 1}
competition = api.get(competitions, **first)["data"][0]
path = "/v1/tournaments/" + competition["id"]

print(competition["name"], competition["season"])
for row in api.get(path + "/standings")["data"]["standings"]:
    print("%3d. %-24s %3d points" % (row["rank"], row["team"]["name"], row["points"]))

print("\nNext matches")
for match in api.get(path + "/matches", status="upcoming", limit=5)["data"]:
    print(match["kickoffAt"], match["home"]["name"], "-", match["away"]["name"])

print("\nTop scorers")
for entry in api.get(path + "/top-scorers", limit=5)["data"]:
    print("%3d. %-24s %3d" % (entry["rank"], entry["player"]["name"], entry["value"]))
