<?php
// Touchline in one file, with PHP 8.1 or later only (and its openssl extension, for https).
//
//     require 'touchline.php';
//     $api = new Touchline\Client('https://api.example.org', 'tk_...', 'the secret');
//     foreach ($api->pages('/v1/tournaments/5f1d.../matches', ['status' => 'finished']) as $match) {
//         echo $match['home']['name'], "\n";
//     }
//
// Keep the secret on a server: whoever has it can ask everything that you can.

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

/** A refusal. Branch on status and errorCode; quote requestId when you report it. */
final class Error extends \RuntimeException
{
    public readonly ?string $errorCode;
    public readonly ?array $details;

    public function __construct(public readonly int $status, ?array $body, public readonly ?string $requestId)
    {
        $this->errorCode = $body['error']['code'] ?? null;
        $this->details = $body['error']['details'] ?? null;
        parent::__construct(sprintf('%d %s: %s (request %s)', $status, $this->errorCode, $body['error']['message'] ?? '', $requestId));
    }
}

final class Client
{
    private int $offset = 0; // seconds that the service's clock is ahead of ours

    public function __construct(
        private readonly string $baseUrl,
        private readonly string $keyId,
        private readonly string $secret,
        private readonly int $attempts = 4,
        private readonly int $longestWait = 120,
        private readonly ?\Closure $sleep = null,
    ) {
    }

    /** The body of one GET, decoded. Throws Error where it is refused. */
    public function get(string $path, array $parameters = []): array
    {
        $parameters = array_map(fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $parameters);
        $query = http_build_query($parameters, '', '&', PHP_QUERY_RFC3986);
        $corrected = false;
        for ($attempt = 1; ; $attempt++) {
            $sent = time();
            [$status, $headers, $body] = $this->send($path, $query, (string) ($sent + $this->offset));
            if ($status === 200) {
                return $body;
            }
            if ($status === 401 && !$corrected && $this->correct($headers, $sent)) {
                $corrected = true;
                continue;
            }
            $wait = match (true) {
                $status === 429 => (int) ($headers['retry-after'] ?? 60),
                in_array($status, [500, 502, 503, 504], true) => 2 ** ($attempt - 1),
                default => null,
            };
            if ($wait === null || $wait > $this->longestWait || $attempt >= $this->attempts) {
                throw new Error($status, $body, $headers['x-request-id'] ?? null);
            }
            $this->sleep === null ? sleep($wait) : ($this->sleep)($wait);
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

    private function send(string $path, string $query, string $timestamp): array
    {
        $nonce = bin2hex(random_bytes(16)); // new for each attempt
        $handle = @fopen(rtrim($this->baseUrl, '/') . $path . ($query === '' ? '' : '?' . $query), 'r', false, stream_context_create(['http' => [
            'header' => [
                'X-Service-Key: ' . $this->keyId,
                'X-Service-Timestamp: ' . $timestamp,
                'X-Service-Nonce: ' . $nonce,
                'X-Service-Signature: ' . signature($this->secret, canonical('GET', $path, $query, $timestamp, $nonce)),
            ],
            'timeout' => 30,
            'ignore_errors' => true, // the body of a refusal says why
            'follow_location' => 0, // the signature is for one path
        ]]));
        if ($handle === false) {
            throw new \RuntimeException(error_get_last()['message'] ?? 'no response');
        }
        $text = stream_get_contents($handle);
        $lines = stream_get_meta_data($handle)['wrapper_data'];
        fclose($handle);
        $headers = [];
        foreach ($lines as $line) {
            if (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }
        $body = json_decode($text, true);
        return [(int) explode(' ', $lines[0])[1], $headers, is_array($body) ? $body : null];
    }

    /** After a 401: takes the service's clock from Date; says whether ours was off. */
    private function correct(array $headers, int $sent): bool
    {
        $date = strtotime($headers['date'] ?? '');
        if ($date === false || abs($date - $sent - $this->offset) < 60) {
            return false;
        }
        $this->offset = $date - $sent;
        return true;
    }
}
