import json
import os
import time
import touchline

api = touchline.Client(
    os.environ["TOUCHLINE_BASE_URL"],
    os.environ["TOUCHLINE_KEY_ID"],
    os.environ["TOUCHLINE_SECRET"],
)
COPY = "copy.json"  # your database, in place of a file
RECENT = 7  # days in which line-ups and events are still corrected
AT_MOST = 500  # matches for whose line-ups and events one run asks
PARTS = ("lineups", "events", "statistics")


def read(details, version):
    """What the key sees, by path; keeps the details of its matches in details, by id."""
    copy, matches = {}, {}

    def keep(data, path, season=None, **_):
        path = path if season is None else "%s?season=%d" % (path, season)
        copy[path] = touchline.ids_only(data)
        return path, data

    def add(path, **parameters):
        return keep(list(api.pages(path, **parameters)), path, **parameters)

    def add_one(path, **parameters):
        return keep(api.get(path, **parameters)["data"], path, **parameters)[1]

    def add_friendlies(path):
        for match in add(path)[1]:
            if match["competition"] is None:
                matches[match["id"]] = match, None

    organization = "/v1/organizations/" + api.get("/v1/ping")["data"]["resourceId"]
    add(organization + "/associations", includeDescendants=True)
    for club in add(organization + "/clubs", includeDescendants=True)[1]:
        add_friendlies("/v1/teams/" + club["id"] + "/matches")
    for team in add(organization + "/teams", includeDescendants=True)[1]:
        if team["competitionId"] is None:
            add_friendlies("/v1/teams/" + team["id"] + "/matches")
            add("/v1/teams/" + team["id"] + "/players")
    for competition in add(organization + "/competitions", includeDescendants=True)[1]:
        path = "/v1/tournaments/" + competition["id"]
        seasons = add_one(path + "/groups")["seasons"]
        for season in [{}] + [{"season": s} for s in seasons if s != competition["season"]]:
            for part in ("/teams", "/top-scorers", "/cards"):
                add(path + part, **season)
            for part in ("/standings", "/statistics"):
                add_one(path + part, **season)
            players, _ = add(path + "/players", **season)
            for match in add(path + "/matches", **season)[1]:
                matches[match["id"]] = match, players
    return copy, add_details(copy, matches, details, version)


def add_details(copy, matches, details, version):
    """Asks for the details that are missing or may be old, and says whether that was all."""
    for gone in set(details) - set(matches):
        del details[gone]
    recent = time.strftime("%Y-%m-%d", time.gmtime(time.time() - RECENT * 86400))
    asked, whole = 0, True
    for match, players in sorted(matches.values(), key=lambda pair: pair[0]["kickoffAt"], reverse=True):
        was = details.get(match["id"])
        nobody = not names(copy, match, players)  # such as in a children's league
        same = was and was["match"] == match and (nobody or not was["nobody"])
        if same and (was["version"] == version or match["kickoffAt"] < recent):
            was["players"] = players  # the path has another season when a new one begins
        elif match["status"] in ("upcoming", "postponed"):
            details.pop(match["id"], None)
        elif asked == AT_MOST:
            whole = False  # the next run asks for more
        else:
            asked += 1
            details[match["id"]] = {"match": match, "players": players, "version": version, "nobody": nobody}
            for part in PARTS:
                body = api.get("/v1/matches/" + match["id"] + "/" + part)["data"]
                details[match["id"]][part] = touchline.ids_only(body)
    return whole


def names(copy, match, players):
    """Who may be named in a match, by id: the players of its season, or of a friendly's teams."""
    if players:
        return {person["id"]: person for person in copy[players]}
    teams = match["home"]["id"], match["away"]["id"]
    lists = [persons for path, persons in copy.items() if "/players" in path]
    return {p["id"]: p for persons in lists for p in persons if p["teamId"] in teams}


def show(state, match_id, part):
    """The line-ups or events of a match with the names that its players have now."""
    held = state["details"][match_id]
    return touchline.named(held[part], names(state["copy"], held["match"], held["players"]))


def read_one_state(details, rounds=5):
    """What read returns, of one state of the data, with the number of that state."""
    for _ in range(rounds):
        version, copy = api.data_version(), None
        if not version.endswith("+"):
            try:
                copy, whole = read(details, version)
            except touchline.Error as refusal:
                if refusal.code != "notFound":  # what a list named is gone: start over
                    raise
        api.sleep(15)
        if copy is not None and api.data_version() == version:
            return {"version": version if whole else None, "copy": copy, "details": details}
    raise touchline.Moved("the data changed in every round")


state = {"version": None, "details": {}}
if os.path.exists(COPY):
    with open(COPY) as file:
        state = json.load(file)
if state["version"] != api.data_version():
    state = read_one_state(state["details"])
    with open(COPY + ".new", "w") as file:
        json.dump(state, file)
    os.replace(COPY + ".new", COPY)  # all at once
