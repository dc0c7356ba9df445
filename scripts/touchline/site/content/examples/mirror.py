import json
import os
import touchline

api = touchline.Client(
    os.environ["TOUCHLINE_BASE_URL"],
    os.environ["TOUCHLINE_KEY_ID"],
    os.environ["TOUCHLINE_SECRET"],
)
COPY = "copy.json"  # your database, in place of a file


def read():
    """What the key sees, by path, but the details of matches and friendlies of earlier seasons."""
    copy = {}

    def keep(data, path, season=None, **_):
        copy[path if season is None else "%s?season=%d" % (path, season)] = data
        return data

    def add(path, **parameters):
        return keep(list(api.pages(path, **parameters)), path, **parameters)

    def add_one(path, **parameters):
        return keep(api.get(path, **parameters)["data"], path, **parameters)

    organization = "/v1/organizations/" + api.get("/v1/ping")["data"]["resourceId"]
    add(organization + "/associations", includeDescendants=True)
    for club in add(organization + "/clubs", includeDescendants=True):
        add("/v1/teams/" + club["id"] + "/matches")  # its friendlies, too
    for team in add(organization + "/teams", includeDescendants=True):
        if team["competitionId"] is None:
            add("/v1/teams/" + team["id"] + "/matches")
            add("/v1/teams/" + team["id"] + "/players")
    for competition in add(organization + "/competitions", includeDescendants=True):
        path = "/v1/tournaments/" + competition["id"]
        seasons = add_one(path + "/groups")["seasons"]
        for season in [{}] + [{"season": s} for s in seasons if s != competition["season"]]:
            for part in ("/matches", "/teams", "/players", "/top-scorers", "/cards"):
                add(path + part, **season)
            for part in ("/standings", "/statistics"):
                add_one(path + part, **season)
    return copy


def read_one_state(rounds=5):
    """What read returns, of one state of the data, with the number of that state."""
    for _ in range(rounds):
        version, copy = api.data_version(), None
        if not version.endswith("+"):
            try:
                copy = read()
            except touchline.Error as refusal:
                if refusal.code != "notFound":  # what a list named is gone: start over
                    raise
        api.sleep(15)
        if copy is not None and api.data_version() == version:
            return {"version": version, "copy": copy}
    raise touchline.Moved("the data changed in every round")


held = {"version": None}
if os.path.exists(COPY):
    with open(COPY) as file:
        held = json.load(file)
if held["version"] != api.data_version():
    state = read_one_state()
    with open(COPY + ".new", "w") as file:
        json.dump(state, file)
    os.replace(COPY + ".new", COPY)  # all at once
