import collections
import json
import os
import time

import touchline

A_MONTH = 9000  # requests that this program may send: its share of the organization's month
AT_MOST = 500  # matches for whose line-ups and events one run asks
RECENT = 7  # days in which line-ups and events are still corrected
COPY = "copy.json"  # your database, in place of a file
PARTS = ("lineups", "events", "statistics")
RANKINGS = {"/top-scorers": ("goals", "assists", "appearances"), "/cards": ("yellow", "secondYellow", "red")}

api = touchline.Client(
    os.environ["TOUCHLINE_BASE_URL"],
    os.environ["TOUCHLINE_KEY_ID"],
    os.environ["TOUCHLINE_SECRET"],
    a_month=A_MONTH,
    counted="mirror.count.json",
)


def read(was, details, version):
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
    return copy, add_details(was, copy, matches, details, version)


def add_details(was, copy, matches, details, version):
    """Asks for the details that are missing or may be old, and says whether that was all."""
    known = persons(copy)
    for gone in set(details) - set(matches):
        del details[gone]
    new = set(known) - set(persons(was))
    for held in details.values():  # what no list of players has goes, before anything else
        for part in PARTS:
            fewer = touchline.only(held[part], known)
            held["fewer"] = held["fewer"] or fewer != held[part]
            held[part] = fewer
    recent = time.strftime("%Y-%m-%d", time.gmtime(time.time() - RECENT * 86400))
    order = sorted(matches.values(), key=lambda pair: pair[0]["kickoffAt"], reverse=True)
    first, then = [], set()
    for match, players in order:
        held = details.get(match["id"])
        nobody = not names(copy, match, players)  # such as in a children's league
        if match["status"] in ("upcoming", "postponed"):
            details.pop(match["id"], None)
        elif not held or held["match"] != match or held["nobody"] and not nobody or held["fewer"] and new:
            first.append((match, players))
        else:
            held["players"] = players  # the path has another season when a new one begins
            held["nobody"] = nobody
            if held["version"] != version and match["kickoffAt"] >= recent:
                first.append((match, players))
    changes = ask(first[:AT_MOST], copy, details, version)
    teams = unexplained(was, copy, known, changes)  # something was corrected in a match of long ago
    for person in shown_again(was, copy):
        then |= {match["id"] for match in api.pages("/v1/players/" + person + "/matches")}
    others = set(details) - {match["id"] for match, _ in first}
    more = first[AT_MOST:] + [(match, players) for match, players in order if match["id"] in others and (
        match["id"] in then or teams & {match["home"]["id"], match["away"]["id"]})]
    left = max(AT_MOST - len(first), 0)
    ask(more[:left], copy, details, version)
    for match, _ in more[left:]:  # the next run asks for these
        if match["id"] in details:
            details[match["id"]]["match"] = None
    return len(more) <= left


def ask(some, copy, details, version):
    """Asks for the details of matches, and says how that changes what they add to rankings."""
    changes = collections.defaultdict(collections.Counter)  # by the path of the players
    for match, players in some:
        changes[players].subtract(tally(details.get(match["id"])))
        held = {"match": match, "players": players, "version": version, "fewer": False,
                "nobody": not names(copy, match, players)}
        for part in PARTS:
            held[part] = touchline.ids_only(api.get("/v1/matches/" + match["id"] + "/" + part)["data"])
        details[match["id"]] = held
        changes[players].update(tally(held))
    return changes


def tally(held):
    """What a match adds to the rows of rankings, by person and field."""
    sums = collections.Counter()
    if held is None:
        return sums
    for event in held["events"]["events"]:
        field = {"goal": "goals", "card": event["detail"]}.get(event["type"])
        if event["player"] and field and event["detail"] != "ownGoal":
            sums[event["player"]["id"], field] += 1
        if event["assist"]:
            sums[event["assist"]["id"], "assists"] += 1
    for side in ("home", "away"):
        for entry in held["lineups"][side]["starting"] + held["lineups"][side]["bench"]:
            if entry["player"] and entry["minuteIn"] is not None:
                sums[entry["player"]["id"], "appearances"] += 1
    return sums


def persons(copy):
    """Who may be named, by id: whoever is in any list of players."""
    return {p["id"]: p for path, people in copy.items() if "/players" in path for p in people}


def names(copy, match, players):
    """Who may be named in a match: the players of its season, or of a friendly's teams."""
    if players:
        return copy[players]
    teams = match["home"]["id"], match["away"]["id"]
    return [p for p in persons(copy).values() if p["teamId"] in teams]


def unexplained(was, copy, known, changes):
    """The teams of whom a row of a ranking has changed by other than what was asked for."""
    teams = set()
    for path in copy:
        for list_, fields in RANKINGS.items():
            groups = path.partition(list_)[0] + "/groups"
            if list_ in path and path in was and was[groups] == copy[groups]:  # else another season has begun
                explained = changes[path.replace(list_, "/players")]
                before, now = ({row["player"]["id"]: row for row in rows[path]} for rows in (was, copy))
                for person in set(known) & (before.keys() | now.keys()):
                    row, old = now.get(person, {}), before.get(person, {})
                    if any(row.get(f, 0) - old.get(f, 0) != explained[person, f] for f in fields):
                        teams.add((row or old)["team"]["id"])
    return teams


def shown_again(was, copy):
    """Who is in a list of players that was there without them, and had others."""
    before, again = persons(was), set()
    for path, people in copy.items():
        if "/players" in path and was.get(path):
            again |= {p["id"] for p in people} - set(before)
    return again


def show(state, match_id, part):
    """The line-ups or events of a match with the names that its players have now."""
    return touchline.named(state["details"][match_id][part], persons(state["copy"]))


def read_one_state(state, rounds=5):
    """What read returns, of one state of the data, with the number of that state."""
    details = state["details"]
    for _ in range(rounds):
        version, copy = api.data_version(), None
        if not version.endswith("+"):
            try:
                copy, whole = read(state["copy"], details, version)
            except touchline.Error as refusal:
                if refusal.code != "notFound":  # what a list named is gone: start over
                    raise
        api.sleep(15)
        if copy is not None and api.data_version() == version:
            return {"version": version if whole else None, "copy": copy, "details": details}
    raise touchline.Moved("the data changed in every round")


state = {"version": None, "copy": {}, "details": {}}
if os.path.exists(COPY):
    with open(COPY) as file:
        state = json.load(file)
if state["version"] != api.data_version():
    state = read_one_state(state)
    with open(COPY + ".new", "w") as file:
        json.dump(state, file)
    os.replace(COPY + ".new", COPY)  # all at once
