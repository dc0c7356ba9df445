<?php
// The PHP kit of Touchline 1.0.0 in one file, with PHP 8.1 or later only (and its extensions openssl, for https, and zlib).
//
//     require 'touchline.php';
//     $api = new Touchline\Client('https://api.example.org', 'tk_...', 'the secret');
//     foreach ($api->pages('/v1/tournaments/5f1d.../matches', ['status' => 'finished']) as $match) {
//         echo $match['home']['name'], "\n";
//     }
//
// Keep the secret on a server: whoever has it can ask everything that you can.
//
// SPDX-License-Identifier: 0BSD

declare(strict_types=1);

namespace Touchline;

const EMPTY_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The query as it is signed: each key and value encoded, the pairs sorted. */
function canonicalQuery(string $query): string
{
    $pairs = [];
    foreach (explode('&', $query) as $part) {
        if ($part !== '') {
            [$key, $value] = explode('=', $part, 2) + [1 => ''];
            $pairs[] = [rawurlencode(rawurldecode($key)), rawurlencode(rawurldecode($value))];
        }
    }
    usort($pairs, fn (array $a, array $b): int => strcmp($a[0], $b[0]) ?: strcmp($a[1], $b[1]));
    return implode('&', array_map(fn (array $pair): string => implode('=', $pair), $pairs));
}

/** The string that is signed: six fields, a line feed between them. */
function canonical(string $method, string $path, string $query, string $timestamp, string $nonce): string
{
    $path = preg_replace_callback('/%[0-9a-f]{2}/i', fn (array $found): string => strtoupper($found[0]), $path);
    return implode("\n", [strtoupper($method), $path, canonicalQuery($query), $timestamp, $nonce, EMPTY_BODY]);
}

function signature(string $secret, string $text): string
{
    return hash_hmac('sha256', $text, $secret);
}

/**
 * A refusal. Branch on status and errorCode; quote requestId when you report it.
 * status is 0 where no whole answer came, after every attempt, and 200 where an
 * answer is not the service's, such as the page of a network that wants a login.
 */
final class Error extends \RuntimeException
{
    public readonly ?string $errorCode;
    public readonly ?array $details;
    public readonly ?string $requestId;

    public function __construct(public readonly int $status, ?array $body, public readonly array $headers)
    {
        $this->errorCode = $body['error']['code'] ?? null;
        $this->details = $body['error']['details'] ?? null;
        $this->requestId = $headers['x-request-id'] ?? null;
        $field = isset($this->details['field']) ? ', field ' . $this->details['field'] : '';
        parent::__construct(sprintf('%d %s: %s%s (request %s)', $status, $this->errorCode, $body['error']['message'] ?? "the answer is not the service's", $field, $this->requestId));
    }
}

/** One attempt brought no whole answer. */
final class Lost extends \RuntimeException
{
}

final class Client
{
    /** Of the last answer, by names in lower case, such as x-ratelimit-remaining. */
    public array $headers = [];

    private int $offset = 0; // seconds that the service's clock is ahead of ours, in this process
    private readonly int $longestWait;

    /**
     * $longestWait is in seconds. By default a program waits up to two minutes, and a
     * page of a web server not at all: a visitor would wait with it, and hold a worker.
     */
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $keyId,
        private readonly string $secret,
        private readonly int $attempts = 4,
        ?int $longestWait = null,
        private readonly float $timeout = 30, // seconds, for each attempt as a whole
        private readonly ?\Closure $sleep = null,
    ) {
        $this->longestWait = $longestWait ?? (PHP_SAPI === 'cli' ? 120 : 0);
    }

    /** The body of one GET, decoded. Throws Error where it is refused. */
    public function get(string $path, array $parameters = []): array
    {
        $parameters = array_map(fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $parameters);
        [$path, $given] = explode('?', $path, 2) + [1 => ''];
        $query = trim($given . '&' . http_build_query($parameters, '', '&', PHP_QUERY_RFC3986), '&');
        $corrected = false;
        for ($attempt = 1; ; $attempt++) {
            $sent = time();
            try {
                [$status, $headers, $body] = $this->send($path, $query, (string) ($sent + $this->offset));
            } catch (Lost $lost) {
                [$status, $headers, $body] = [0, [], ['error' => ['message' => 'no answer: ' . $lost->getMessage()]]];
            }
            $this->headers = $headers;
            if ($status === 200 && $body !== null) {
                return $body;
            }
            if ($status === 401 && !$corrected && $this->correct($headers, $sent)) {
                $corrected = true;
                $attempt--;
                continue;
            }
            $wait = match (true) {
                $status === 429, $status === 503 && isset($headers['retry-after']) => $this->retryAfter($headers['retry-after'] ?? '60'),
                in_array($status, [0, 500, 502, 503, 504], true) => 2 ** ($attempt - 1),
                default => null,
            };
            if ($wait === null || $wait > $this->longestWait || $attempt >= $this->attempts) {
                throw new Error($status, $body, $headers);
            }
            $this->pause($wait);
        }
    }

    /** Every item of a list, page after page. */
    public function pages(string $path, array $parameters = []): \Generator
    {
        for ($page = 1; ; $page++) {
            $body = $this->get($path, ['page' => $page] + $parameters + ['limit' => 100]);
            foreach ($body['data'] as $item) {
                yield $item;
            }
            if (!$body['hasMore']) {
                return;
            }
        }
    }

    private function pause(int $seconds): void
    {
        $this->sleep === null ? sleep($seconds) : ($this->sleep)($seconds);
    }

    /** Seconds, given as such or as a date. */
    private function retryAfter(string $after): int
    {
        $date = str_ends_with($after, ' GMT') ? strtotime($after) : false;
        return ctype_digit($after) ? (int) $after : max(($date ?: time() + 60) - time(), 0);
    }

    private function send(string $path, string $query, string $timestamp): array
    {
        $nonce = bin2hex(random_bytes(16)); // new for each attempt
        if (preg_match('/[\x00-\x20]/', $path . $query)) {
            throw new \InvalidArgumentException("not encoded: $path?$query");
        }
        $url = parse_url(rtrim($this->baseUrl, '/'));
        $answer = $this->exchange($url, implode("\r\n", [
            'GET ' . ($url['path'] ?? '') . $path . ($query === '' ? '' : '?' . $query) . ' HTTP/1.1',
            'Host: ' . $url['host'] . (isset($url['port']) ? ':' . $url['port'] : ''),
            'Connection: close',
            'Accept-Encoding: gzip',
            'X-Service-Key: ' . $this->keyId,
            'X-Service-Timestamp: ' . $timestamp,
            'X-Service-Nonce: ' . $nonce,
            'X-Service-Signature: ' . signature($this->secret, canonical('GET', $path, $query, $timestamp, $nonce)),
        ]) . "\r\n\r\n");
        if (!preg_match('~^(?:HTTP/\S+ 1\d\d.*?\r\n\r\n)*HTTP/\S+ (\d{3})(.*?)\r\n\r\n(.*)$~s', $answer, $found)) {
            throw new Lost('the connection was lost');
        }
        $headers = [];
        foreach (explode("\r\n", $found[2]) as $line) {
            if (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }
        $body = json_decode(self::decode($headers, $found[3]), true);
        return [(int) $found[1], $headers, is_array($body) && !array_is_list($body) ? $body : null];
    }

    /** The text of a body as it was sent. Throws where a part is missing. */
    private static function decode(array $headers, string $sent): string
    {
        $text = $sent;
        if (strtolower($headers['transfer-encoding'] ?? '') === 'chunked') {
            for ($text = '', $at = 0, $size = -1; $size !== 0; $at += $size + 2) {
                if (!preg_match('/\G([0-9a-f]+)[^\n]*\n/i', $sent, $found, 0, min($at, strlen($sent)))) {
                    throw new Lost('the answer is cut');
                }
                $at += strlen($found[0]);
                $size = (int) hexdec($found[1]);
                $text .= substr($sent, $at, $size);
            }
        } elseif (strlen($text) < (int) ($headers['content-length'] ?? 0)) {
            throw new Lost('the answer is cut');
        }
        if (($headers['content-encoding'] ?? '') === 'gzip' && ($text = @gzdecode($text)) === false) {
            throw new Lost('the answer is cut');
        }
        return $text;
    }

    /** Sends a request, and returns all that comes until the connection ends. */
    private function exchange(array $url, string $request): string
    {
        $until = microtime(true) + $this->timeout;
        $tls = $url['scheme'] === 'https';
        $to = $url['host'] . ':' . ($url['port'] ?? ($tls ? 443 : 80));
        $proxy = self::proxy($tls, $url['host']);
        $stream = @stream_socket_client('tcp://' . ($proxy === null ? $to : $proxy['host'] . ':' . ($proxy['port'] ?? 80)), $code, $message, $this->timeout,
            STREAM_CLIENT_CONNECT, stream_context_create(['ssl' => ['peer_name' => trim($url['host'], '[]')]]));
        if ($stream === false) {
            throw new Lost($message);
        }
        stream_set_timeout($stream, (int) ceil($this->timeout));
        if ($proxy !== null) {
            $login = isset($proxy['user']) ? 'Proxy-Authorization: Basic ' . base64_encode(rawurldecode($proxy['user'] . ':' . ($proxy['pass'] ?? ''))) . "\r\n" : '';
            fwrite($stream, "CONNECT $to HTTP/1.1\r\nHost: $to\r\n$login\r\n");
            if (!preg_match('~^HTTP/\S+ 200~', $said = $this->read($stream, $until, "\r\n\r\n"))) {
                throw new Lost('the proxy answers ' . strtok($said, "\r\n"));
            }
        }
        if ($tls && !@stream_socket_enable_crypto($stream, true, STREAM_CRYPTO_METHOD_TLS_CLIENT)) {
            throw new Lost(error_get_last()['message'] ?? 'no TLS');
        }
        @fwrite($stream, $request);
        return $this->read($stream, $until, null);
    }

    /** Reads until the connection ends, or what was read has the end. */
    private function read($stream, float $until, ?string $end): string
    {
        stream_set_blocking($stream, false);
        for ($text = ''; !feof($stream) && ($end === null || !str_contains($text, $end)); $text .= $part) {
            $part = (string) @fread($stream, 65536);
            $left = max($until - microtime(true), 0);
            [$ready, $none] = [[$stream], null];
            if ($part === '' && !stream_select($ready, $none, $none, (int) $left, (int) (fmod($left, 1) * 1e6))) {
                throw new Lost("none within $this->timeout seconds");
            }
        }
        stream_set_blocking($stream, true);
        return $text;
    }

    /** The proxy for a host that the environment names, or null. */
    private static function proxy(bool $tls, string $host): ?array
    {
        // HTTP_PROXY in capitals may be a header of the request that a CGI program answers.
        $named = $tls ? (getenv('https_proxy') ?: getenv('HTTPS_PROXY')) : getenv('http_proxy');
        foreach (preg_split('/[\s,]+/', getenv('no_proxy') ?: getenv('NO_PROXY') ?: '', -1, PREG_SPLIT_NO_EMPTY) as $name) {
            if ($name === '*' || str_ends_with('.' . $host, '.' . ltrim($name, '.'))) {
                return null;
            }
        }
        return $named ? parse_url(str_contains($named, '//') ? $named : 'http://' . $named) : null;
    }

    /** After a 401: takes the service's clock from Date; says whether ours was off. */
    private function correct(array $headers, int $sent): bool
    {
        $date = strtotime($headers['date'] ?? '');
        if ($date === false || abs($date - $sent - $this->offset) < 60 || abs($date - $sent) > 86400) { // by a day at most
            return false;
        }
        $this->offset = $date - $sent;
        return true;
    }
}
