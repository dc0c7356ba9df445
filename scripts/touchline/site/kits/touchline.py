"""The Python kit of Touchline 1.0.0 in one file, with the standard library only (3.9 or later).

    import touchline
    api = touchline.Client("https://api.example.org", "tk_...", "the secret")
    for match in api.pages("/v1/tournaments/5f1d.../matches", status="finished"):
        print(match["home"]["name"], match["score"], match["away"]["name"])

AsyncClient is the same for asyncio: `await api.get(...)`, `async for match in api.pages(...)`.
A parameter that is a word of Python is written with an underscore: from_="2026-09-01".
Keep the secret on a server: whoever has it can ask everything that you can.

SPDX-License-Identifier: 0BSD
"""

import asyncio
import base64
import contextlib
import email.utils
import gzip
import hashlib
import hmac
import http.client
import json
import os
import re
import socket
import threading
import time
import urllib.parse
import urllib.request
import zlib

EMPTY_BODY = hashlib.sha256(b"").hexdigest()


def canonical_query(query):
    """The query as it is signed: each key and value encoded, the pairs sorted."""
    pairs = []
    for part in query.split("&"):
        if part:
            key, _, value = part.partition("=")
            pairs.append((_encode(key), _encode(value)))
    return "&".join(key + "=" + value for key, value in sorted(pairs))


def _encode(text):
    return urllib.parse.quote(urllib.parse.unquote_to_bytes(text), safe="-._~")


def canonical(method, path, query, timestamp, nonce):
    """The string that is signed: six fields, a line feed between them."""
    path = re.sub("%[0-9a-fA-F]{2}", lambda found: found.group().upper(), path)
    return "\n".join([method.upper(), path, canonical_query(query), timestamp, nonce, EMPTY_BODY])


def signature(secret, text):
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


class Error(Exception):
    """A refusal. Branch on status and code; quote request_id when you report it.

    status is 0 where no whole answer came, after every attempt, and 200 where an
    answer is not the service's, such as the page of a network that wants a login.
    """

    def __init__(self, status, body, headers):
        error = body.get("error") if isinstance(body, dict) else None
        error = error if isinstance(error, dict) else {"message": "the answer is not the service's"}
        self.status, self.code, self.headers = status, error.get("code"), headers
        self.details, self.retry_after = error.get("details"), error.get("retryAfter")
        self.request_id = headers.get("X-Request-Id")
        field = (self.details or {}).get("field")
        super().__init__("%d %s: %s%s (request %s)" % (
            status, self.code, error.get("message"), ", field " + field if field else "", self.request_id))


class Moved(Exception):
    """The data changed in every round of a mirror."""


class Spent(Exception):
    """The program has sent as many requests this month as it may."""


PERSONS = ("player", "assist", "playerIn", "playerOut")


def ids_only(body):
    """A body as it may be kept: persons are their ids, and coaches, who have none, are left out.

    Names are in lists of players alone, from which named takes them.
    """
    return _persons(body, lambda person: {"id": person["id"]})


def only(body, known):
    """What ids_only made, without the persons who are not in known.

    Of a line-up their entries go. One that named nobody when it was asked for stays.
    """
    if isinstance(body, list):
        return [only(part, known) for part in body if not _unknown(part, known)]
    if not isinstance(body, dict):
        return body
    return {name: None if name in PERSONS and value and value["id"] not in known else only(value, known)
            for name, value in body.items()}


def _unknown(part, known):
    entry = isinstance(part, dict) and "captain" in part  # of a line-up
    return entry and part["player"] is not None and part["player"]["id"] not in known


def named(body, players):
    """What ids_only made, with the persons of players, by id. Who is not there is null."""
    shown = ("id", "name", "number", "position", "photo")
    known = {one["id"]: {field: one[field] for field in shown} for one in players.values()}
    return _persons(body, lambda person: known.get(person["id"]))


def _persons(body, change):
    if isinstance(body, list):
        return [_persons(part, change) for part in body]
    if not isinstance(body, dict):
        return body
    changed = {}
    for name, value in body.items():
        if name in PERSONS:
            changed[name] = value and change(value)
        else:
            changed[name] = None if name == "coach" else _persons(value, change)
    return changed


class Client:
    """Calls one service with one key. timeout is in seconds, for each attempt as a whole.

    With a_month the program sends so many requests in a calendar month, in UTC, and raises
    Spent instead of more. It counts them in the file counted, which is its own.
    """

    def __init__(self, base_url, key_id, secret, attempts=4, longest_wait=120, timeout=30, sleep=time.sleep,
                 a_month=None, counted="requests.json"):
        self.base_url, self.key_id, self.secret = base_url.rstrip("/"), key_id, secret
        self.attempts, self.longest_wait, self.timeout, self.sleep = attempts, longest_wait, timeout, sleep
        self.a_month, self.counted = a_month, counted
        self.offset = 0  # seconds that the service's clock is ahead of ours
        self.headers = {}  # of the last answer, such as X-RateLimit-Remaining
        self._idle = []  # connections, each with when it was used

    def get(self, path, **parameters):
        """The body of one GET, decoded. Raises Error where it is refused."""
        values = {k.rstrip("_"): str(v).lower() if isinstance(v, bool) else v for k, v in parameters.items() if v is not None}
        path, _, query = path.partition("?")
        query = "&".join(filter(None, [query, urllib.parse.urlencode(values, quote_via=urllib.parse.quote)]))
        corrected, attempt = False, 0
        while True:
            attempt += 1
            self._count()
            sent = time.time()
            try:
                status, self.headers, body = self._send(path, query, int(sent + self.offset))
            except (OSError, EOFError, zlib.error, http.client.HTTPException) as lost:
                status, self.headers, body = 0, {}, {"error": {"message": "no answer: %s" % lost}}
            if status == 200 and isinstance(body, dict):
                return body
            if status == 401 and not corrected and self._correct(self.headers, sent):
                corrected, attempt = True, attempt - 1
                continue
            wait = self._wait(status, self.headers, attempt)
            if wait is None or wait > self.longest_wait or attempt >= self.attempts:
                raise Error(status, body, self.headers)
            self.sleep(wait)

    def pages(self, path, limit=100, **parameters):
        """Every item of a list, page after page."""
        page = 1
        while True:
            body = self.get(path, page=page, limit=limit, **parameters)
            yield from body["data"]
            if not body["hasMore"]:
                return
            page += 1

    def mirror(self, *paths, rounds=5, started_over=None):
        """The items of lists in one state of the data: yields (path, items) for each path.

        They are as ids_only makes them: only lists of players have names.
        Where the data change meanwhile it starts over, and calls started_over; after
        all rounds it raises Moved.
        """
        for turn in range(rounds):
            if turn and started_over:
                started_over()
            lists = self._state(paths)
            if lists is not None:
                yield from lists.items()
                return
        raise Moved("the data changed in every round")

    def _state(self, paths):
        """One round of mirror; None: the data changed."""
        version, lists = self.data_version(), {}
        same = not version.endswith("+")
        for path in paths:
            lists[path], page, more = [], 1, True
            while same and more:
                body = self.get(path, page=page, limit=100)
                lists[path] += ids_only(body["data"])
                page, more, same = page + 1, body["hasMore"], self.headers.get("X-Service-Data-Version") == version
        self.sleep(15)  # until every worker shows what a load has changed
        return lists if same and self.data_version() == version else None

    def data_version(self):
        """The number of the data's state; a + follows it while a load is written."""
        self.get("/v1/ping")
        version = self.headers.get("X-Service-Data-Version")
        if version is None:
            raise Error(200, {"error": {"message": "the service does not say which state its data have"}}, self.headers)
        return version

    def left(self):
        """How many of a_month are left."""
        return self.a_month - self._sent()[1]

    def _sent(self):
        month = time.strftime("%Y-%m", time.gmtime(time.time() + self.offset))
        if not os.path.exists(self.counted):
            return month, 0
        with open(self.counted) as file:
            return month, json.load(file).get(month, 0)

    def _count(self):
        if self.a_month is None:
            return
        month, sent = self._sent()
        if sent >= self.a_month:
            raise Spent("%d requests in %s, as many as this program may send" % (sent, month))
        with open(self.counted + ".new", "w") as file:
            json.dump({month: sent + 1}, file)
        os.replace(self.counted + ".new", self.counted)  # all at once

    def _send(self, path, query, timestamp):
        nonce = base64.urlsafe_b64encode(os.urandom(16)).rstrip(b"=").decode()  # new for each attempt
        text = canonical("GET", path, query, str(timestamp), nonce)
        headers = {
            "X-Service-Key": self.key_id,
            "X-Service-Timestamp": str(timestamp),
            "X-Service-Nonce": nonce,
            "X-Service-Signature": signature(self.secret, text),
            "Accept-Encoding": "gzip",
        }
        connection, ended = self._connection(), threading.Event()

        def end():
            ended.set()
            with contextlib.suppress(AttributeError, OSError):  # it has no socket yet, or no more
                connection.sock.shutdown(socket.SHUT_RDWR)

        limit = threading.Timer(self.timeout, end)
        limit.daemon = True
        limit.start()
        try:
            prefix = urllib.parse.urlsplit(self.base_url).path
            connection.request("GET", prefix + path + ("?" + query if query else ""), headers=headers)
            answer = connection.getresponse()
            text = answer.read()
            cut = answer.status == 200 and not text and answer.headers.get("Content-Length") != "0"
            if ended.is_set() or cut:
                raise OSError("none within %s seconds" % self.timeout if ended.is_set() else "it is cut")
            if answer.headers.get("Content-Encoding") == "gzip":
                text = gzip.decompress(text)
        except BaseException:
            connection.close()
            raise
        finally:
            limit.cancel()
        self._idle.append((time.monotonic(), connection))
        try:
            return answer.status, answer.headers, json.loads(text)
        except ValueError:
            return answer.status, answer.headers, None

    def _connection(self):
        """A connection that was used less than 15 seconds ago, or a new one.

        It goes through the proxy of the environment, or of the system.
        """
        while self._idle:
            used, connection = self._idle.pop()
            if time.monotonic() - used < 15:
                return connection
            connection.close()
        base = urllib.parse.urlsplit(self.base_url)
        kind = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
        via = None if urllib.request.proxy_bypass(base.hostname) else urllib.request.getproxies().get(base.scheme)
        if not via:
            return kind(base.hostname, base.port, timeout=self.timeout)
        proxy = urllib.parse.urlsplit(via if "//" in via else "//" + via)
        login = {}
        if proxy.username:
            pair = urllib.parse.unquote("%s:%s" % (proxy.username, proxy.password or ""))
            login["Proxy-Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        connection = kind(proxy.hostname, proxy.port or 80, timeout=self.timeout)
        connection.set_tunnel(base.hostname, base.port, login)
        return connection

    def _correct(self, headers, sent):
        """After a 401: takes the service's clock from Date; says whether ours was off."""
        try:
            offset = email.utils.parsedate_to_datetime(headers["Date"]).timestamp() - sent
        except (TypeError, ValueError):
            return False
        if abs(offset - self.offset) < 60 or abs(offset) > 86400:  # by a day at most
            return False
        self.offset = offset
        return True

    @staticmethod
    def _wait(status, headers, attempt):
        after = headers.get("Retry-After", "60" if status == 429 else None)
        if after is not None and status in (429, 503):
            if after.isdigit():
                return int(after)
            try:
                return max(email.utils.parsedate_to_datetime(after).timestamp() - time.time(), 0)
            except (TypeError, ValueError):
                return 60
        return 2 ** (attempt - 1) if status in (0, 500, 502, 503, 504) else None


class AsyncClient:
    """Client for asyncio, with the same arguments: each request waits in a thread of its own.

    client.headers are those of whichever answer came last.
    """

    def __init__(self, *args, **options):
        self.client = Client(*args, **options)

    async def get(self, path, **parameters):
        return await asyncio.to_thread(self.client.get, path, **parameters)

    async def pages(self, path, **parameters):
        items, end = self.client.pages(path, **parameters), object()
        while (item := await asyncio.to_thread(next, items, end)) is not end:
            yield item

    async def mirror(self, *paths, **options):
        return await asyncio.to_thread(lambda: list(self.client.mirror(*paths, **options)))
