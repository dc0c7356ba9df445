import secrets
import time

import httpx
import touchline


class Signed(httpx.Auth):
    def __init__(self, key_id, secret):
        self.key_id, self.secret = key_id, secret

    def auth_flow(self, request):
        path, _, query = request.url.raw_path.decode().partition("?")
        path = path[path.index("/v1/"):]  # without that of the base URL
        now, nonce = str(int(time.time())), secrets.token_urlsafe(16)
        text = touchline.canonical(request.method, path, query, now, nonce)
        request.headers["X-Service-Key"] = self.key_id
        request.headers["X-Service-Timestamp"] = now
        request.headers["X-Service-Nonce"] = nonce
        request.headers["X-Service-Signature"] = touchline.signature(self.secret, text)
        yield request
