<?php

require __DIR__ . '/touchline.php';

if ($argv[1] === 'vectors') {
    while (($line = fgets(STDIN)) !== false) {
        [$method, $path, $query, $timestamp, $nonce, $secret] = array_map(fn ($f) => hex2bin(trim($f, "-\n")), explode(' ', $line));
        $text = Touchline\canonical($method, $path, $query, $timestamp, $nonce);
        echo bin2hex($text), ' ', Touchline\signature($secret, $text), "\n";
    }
    exit;
}
$waits = [];
$api = new Touchline\Client($argv[2], $argv[3], $argv[4], timeout: $argv[1] === 'ditch' ? (float) $argv[5] : 30, sleep: function (int $seconds) use (&$waits) {
    $waits[] = $seconds;
});
if ($argv[1] === 'trouble') {
    try {
        $api->get('/v1/x?status=live', ['from' => '2026-09-01']);
    } catch (Touchline\Error $refusal) {
        $field = str_contains($refusal->getMessage(), 'field from') ? 'true' : 'false';
        echo $refusal->status, ' ', $refusal->errorCode, ' ', $field, ' ', $refusal->headers['x-ratelimit-remaining'], "\n";
    }
    echo implode(' ', ['waited', ...$waits]), "\n";
    exit;
}
if ($argv[1] === 'ditch') {
    foreach (array_slice($argv, 6) as $target) {
        $waits = [];
        try {
            $got = $api->get($target)['data']['id'];
        } catch (Touchline\Error $error) {
            $got = $error->status;
        }
        echo implode(' ', [$target, $got, ...$waits]), "\n";
    }
    exit;
}
foreach ($api->pages($argv[5], ['limit' => 2]) as $item) {
    echo $item['id'], "\n";
}
try {
    $api->get('/v1/teams/none');
} catch (Touchline\Error $refusal) {
    echo $refusal->status, ' ', $refusal->errorCode, "\n";
}
echo implode(' ', ['waited', ...$waits]), "\n";
