import { Client } from './touchline.mjs'

const { TOUCHLINE_BASE_URL, TOUCHLINE_KEY_ID, TOUCHLINE_SECRET } = process.env
const api = new Client(TOUCHLINE_BASE_URL, TOUCHLINE_KEY_ID, TOUCHLINE_SECRET)

const organization = (await api.get('/v1/ping')).data.resourceId
const competitions = `/v1/organizations/${organization}/competitions`
const first = { includeDescendants: true, status: 'active', limit: 1 }
const competition = (await api.get(competitions, first)).data[0]
const path = `/v1/tournaments/${competition.id}`

console.log(competition.name, competition.season)
for (const row of (await api.get(`${path}/standings`)).data.standings) {
  console.log(`${row.rank}. ${row.team.name}: ${row.points} points`)
}

console.log('\nNext matches')
for (const match of (await api.get(`${path}/matches`, { status: 'upcoming', limit: 5 })).data) {
  console.log(match.kickoffAt, match.home.name, '-', match.away.name)
}

console.log('\nTop scorers')
for (const entry of (await api.get(`${path}/top-scorers`, { limit: 5 })).data) {
  console.log(`${entry.rank}. ${entry.player.name}: ${entry.value}`)
}
