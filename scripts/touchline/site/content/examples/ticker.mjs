import { Client } from './touchline.mjs'

const { TOUCHLINE_BASE_URL, TOUCHLINE_KEY_ID, TOUCHLINE_SECRET } = process.env
const aMonth = 3000 // requests that this program may send: its share of the organization's 10,000
const api = new Client(TOUCHLINE_BASE_URL, TOUCHLINE_KEY_ID, TOUCHLINE_SECRET, { aMonth, counted: 'ticker.count.json' })
console.error(`${api.left()} requests are left this month`)

const path = '/v1/tournaments/' + process.argv[2]
const timeZone = (await api.get(path)).data.competition.timezone
const day = process.argv[3] ?? new Intl.DateTimeFormat('sv', { timeZone }).format(new Date()) // today there, as 2026-09-12
const pause = 60 // seconds between two looks at a live match
const hour = 3600
const begins = `${day}T00:00` + offset(`${day}T00:00`)
const to = `${day}T23:59` + offset(`${day}T23:59`)
const recently = new Date(Date.now() - 6 * hour * 1000).toISOString() // a match may run past midnight
const from = !process.argv[3] && Date.parse(recently) < Date.parse(begins) ? recently : begins
const shown = new Map() // by the id of a match: the match and its events, as last shown

const score = match => match.status === 'upcoming' || !match.score ? '-' : `${match.score.home}:${match.score.away}`
const say = (match, text) => console.log(`${match.home.name} ${score(match)} ${match.away.name}: ${text}`)
const minute = event => event.minute + (event.extraMinute ? `+${event.extraMinute}` : '')
const persons = event => [event.player, event.assist, event.playerIn, event.playerOut].map(person => person?.name)
const describe = event => [minute(event), event.type, event.detail, event.period, ...persons(event), event.team?.name].filter(Boolean).join(' ')

/** The offset of the competition's time zone at a local time: on the day of a clock change the day's ends differ. */
function offset (local) {
  const at = instant => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(instant).find(part => part.type === 'timeZoneName').value.slice(3) || '+00:00'
  return at(new Date(local + at(new Date(local + 'Z'))))
}

/** Says what is different from what was shown. */
function announce (match, events, before) {
  if (match.status !== before?.match.status) say(match, match.status)
  const old = [...(before?.events ?? [])]
  const take = same => old.splice(old.findIndex(same), 1)[0]
  const fresh = events.filter(event => { // an event is known by what it says: its id may be another's by now
    const same = was => describe(was) === describe(event)
    return !(old.some(same) && take(same))
  })
  for (const event of fresh) {
    const same = was => was.id === event.id
    if (old.some(same) && take(same)) say(match, `corrected: ${describe(event)}`)
    else say(match, describe(event))
  }
  for (const gone of old) say(match, `annulled: ${describe(gone)}`)
}

/** The seconds until the next look, Infinity where nothing is to come. */
function wait (matches) {
  const waits = matches.map(({ status, kickoffAt, kickoffTimeOpen }) => {
    const since = (Date.now() - Date.parse(kickoffTimeOpen ? to : kickoffAt)) / 1000
    if (status === 'live') return since < 6 * hour ? pause : Infinity
    if (status !== 'upcoming') return Infinity
    if (since < 0) return kickoffTimeOpen ? hour / 2 : Math.min(Math.max(-since, 1), 3 * hour)
    return since < 3 * hour && !kickoffTimeOpen ? Math.max(pause, since / 10) : Infinity // it may never be entered
  })
  return Math.min(Infinity, ...waits)
}

/** Looks once, says what is new, and returns the matches. */
async function see (look) {
  const matches = []
  for await (const match of api.pages(path + '/matches', { from, to })) {
    matches.push(match)
    const before = shown.get(match.id)
    const live = match.status === 'live'
    const changed = before ? match.status !== before.match.status || score(match) !== score(before.match) : match.status !== 'upcoming'
    let events = before?.events ?? []
    if (changed || (live && look % 5 === 0)) { // a card or a correction changes no score
      events = (await api.get(`/v1/matches/${match.id}/events`)).data.events
    }
    announce(match, events, before)
    shown.set(match.id, { match, events })
  }
  return matches
}

for (let look = 0, next = 0; next < Infinity; look++) {
  if (look > 0) await api.sleep(next)
  try {
    next = wait(await see(look))
  } catch (refusal) { // what is on the screen stays
    if (![0, 429, 500, 502, 503, 504].includes(refusal.status) || refusal.code === 'quotaExceeded') throw refusal
    next = 5 * pause
  }
}
