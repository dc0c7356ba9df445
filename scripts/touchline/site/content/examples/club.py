import json
import os
import sys

import touchline

A_MONTH = 6500  # requests that this program may send: its share of the organization's 10,000
HELD = "club.json"  # what your site shows


def renew(api, club):
    """Asks for what a club's site shows where the data have changed."""
    held = {"version": None}
    if os.path.exists(HELD):
        with open(HELD) as file:
            held = json.load(file)
    organization = "/v1/organizations/" + api.get("/v1/ping")["data"]["resourceId"]
    version = api.headers.get("X-Service-Data-Version", "+")
    if version == held["version"]:
        return
    held = {"version": None if "+" in version else version, "entries": []}
    held["matches"] = list(api.pages("/v1/teams/" + club + "/matches"))
    for team in api.pages(organization + "/teams", includeDescendants=True, clubId=club):
        entry = {"team": team, "squad": list(api.pages("/v1/teams/" + team["id"] + "/players"))}
        if team["competitionId"] is not None:  # else it plays friendlies
            path = "/v1/tournaments/" + team["competitionId"]
            entry["standings"] = api.get(path + "/standings")["data"]
            entry["scorers"] = api.get(path + "/top-scorers", limit=10)["data"]
        held["entries"].append(entry)
    with open(HELD + ".new", "w") as file:
        json.dump(held, file)
    os.replace(HELD + ".new", HELD)  # all at once


if __name__ == "__main__":
    client = touchline.Client(
        os.environ["TOUCHLINE_BASE_URL"],
        os.environ["TOUCHLINE_KEY_ID"],
        os.environ["TOUCHLINE_SECRET"],
        a_month=A_MONTH,
        counted="club.count.json",
    )
    renew(client, sys.argv[1])
