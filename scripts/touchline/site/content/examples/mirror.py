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
    """All that the key sees, by path, but the details of matches."""
    copy = {}

    def add(path, **parameters):
        copy[path] = list(api.pages(path, **parameters))
        return copy[path]

    organization = "/v1/organizations/" + api.get("/v1/ping")["data"]["resourceId"]
    add(organization + "/associations", includeDescendants=True)
    add(organization + "/clubs", includeDescendants=True)
    for competition in add(organization + "/competitions", includeDescendants=True):
        path = "/v1/tournaments/" + competition["id"]
        for part in ("/matches", "/teams", "/players", "/top-scorers", "/cards"):
            add(path + part)
        for part in ("/standings", "/groups", "/statistics"):
            copy[path + part] = api.get(path + part)["data"]
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
