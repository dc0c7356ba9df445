import json
import os
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import touchline

A_MONTH = 7000  # requests that this program may send: its share of the organization's 10,000
HELD = "today.json"  # what your site shows


def day(timezone, now):
    """A competition's day: from six hours ago at least, to its end, each with its own offset."""
    here = now.astimezone(ZoneInfo(timezone))
    midnight = datetime.combine(here.date(), time(0, 0), here.tzinfo)
    start = min(midnight, now - timedelta(hours=6))  # a match may run past midnight
    end = datetime.combine(here.date(), time(23, 59), here.tzinfo)
    return {"from_": start.isoformat(timespec="minutes"), "to": end.isoformat(timespec="minutes")}


def today(api, now):
    """Renews what is shown where the data have changed, or a day has begun."""
    held = {"version": None, "ends": {}}
    if os.path.exists(HELD):
        with open(HELD) as file:
            held = json.load(file)
    organization = "/v1/organizations/" + api.get("/v1/ping")["data"]["resourceId"]
    version = api.headers.get("X-Service-Data-Version", "+")
    if version == held["version"] and all(day(zone, now)["to"] == end for zone, end in held["ends"].items()):
        return
    held = {"version": None if "+" in version else version, "ends": {}, "matches": []}
    for league in api.pages(organization + "/competitions", includeDescendants=True, status="active"):
        times = day(league["timezone"], now)
        held["ends"][league["timezone"]] = times["to"]
        held["matches"] += api.pages("/v1/tournaments/" + league["id"] + "/matches", **times)
    with open(HELD + ".new", "w") as file:
        json.dump(held, file)
    os.replace(HELD + ".new", HELD)  # all at once


if __name__ == "__main__":
    client = touchline.Client(
        os.environ["TOUCHLINE_BASE_URL"],
        os.environ["TOUCHLINE_KEY_ID"],
        os.environ["TOUCHLINE_SECRET"],
        a_month=A_MONTH,
        counted="today.count.json",
    )
    today(client, datetime.now(ZoneInfo("UTC")))
