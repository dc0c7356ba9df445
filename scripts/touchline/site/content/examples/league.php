<?php
require 'touchline.php';

$api = new Touchline\Client(
    getenv('TOUCHLINE_BASE_URL'),
    getenv('TOUCHLINE_KEY_ID'),
    getenv('TOUCHLINE_SECRET'),
);

$organization = $api->get('/v1/ping')['data']['resourceId'];
$competitions = "/v1/organizations/$organization/competitions";
$first = ['includeDescendants' => 'true', 'status' => 'active', 'limit' => 1];
$competition = $api->get($competitions, $first)['data'][0];
$path = '/v1/tournaments/' . $competition['id'];

echo $competition['name'], ' ', $competition['season'], "\n";
foreach ($api->get("$path/standings")['data']['standings'] as $row) {
    printf("%d. %s: %d points\n", $row['rank'], $row['team']['name'], $row['points']);
}

echo "\nNext matches\n";
foreach ($api->get("$path/matches", ['status' => 'upcoming', 'limit' => 5])['data'] as $match) {
    echo $match['kickoffAt'], ' ', $match['home']['name'], ' - ', $match['away']['name'], "\n";
}

echo "\nTop scorers\n";
foreach ($api->get("$path/top-scorers", ['limit' => 5])['data'] as $entry) {
    printf("%d. %s: %d\n", $entry['rank'], $entry['player']['name'], $entry['value']);
}
