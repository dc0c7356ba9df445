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
$api = new Touchline\Client($argv[2], $argv[3], $argv[4], sleep: function (int $seconds) use (&$waits) {
    $waits[] = $seconds;
});
foreach ($api->pages($argv[5], ['limit' => 2]) as $item) {
    echo $item['id'], "\n";
}
try {
    $api->get('/v1/teams/none');
} catch (Touchline\Error $refusal) {
    echo $refusal->status, ' ', $refusal->errorCode, "\n";
}
echo implode(' ', ['waited', ...$waits]), "\n";
