import { Client } from './touchline.mjs'

const { TOUCHLINE_BASE_URL, TOUCHLINE_KEY_ID, TOUCHLINE_SECRET } = process.env
const api = new Client(TOUCHLINE_BASE_URL, TOUCHLINE_KEY_ID, TOUCHLINE_SECRET)
const list = process.argv[2] // such as /v1/tournaments/5f1d.../matches?from=2026-09-12&to=2026-09-12
const pause = Number(process.argv[3] ?? 60) // seconds between two looks
const shown = new Map() // by the id of a match: the match and its events, as last shown

const score = match => match.status === 'upcoming' || !match.score ? '-' : `${match.score.home}:${match.score.away}`
const say = (match, text) => console.log(`${match.home.name} ${score(match)} ${match.away.name}: ${text}`)
const minute = event => event.minute + (event.extraMinute ? `+${event.extraMinute}` : '')
const describe = event => [minute(event), event.type, event.detail, event.period, event.player?.name].filter(Boolean).join(' ')

/** Says what is different from what was shown. */
function announce (match, events, before) {
  if (match.status !== before?.match.status) say(match, match.status)
  const known = new Map((before?.events ?? []).map(event => [event.id, event]))
  for (const event of events) {
    const was = known.get(event.id)
    known.delete(event.id)
    if (!was) say(match, describe(event))
    else if (describe(was) !== describe(event)) say(match, `corrected: ${describe(event)}`)
  }
  for (const gone of known.values()) say(match, `annulled: ${describe(gone)}`)
}

for (let look = 0, open = true; open; look++) {
  open = false
  for await (const match of api.pages(list)) {
    const before = shown.get(match.id)
    const live = match.status === 'live'
    open ||= live || match.status === 'upcoming'
    const changed = before ? match.status !== before.match.status || score(match) !== score(before.match) : match.status !== 'upcoming'
    let events = before?.events ?? []
    if (changed || (live && look % 5 === 0)) { // a card or a correction changes no score
      events = (await api.get(`/v1/matches/${match.id}/events`)).data.events
    }
    announce(match, events, before)
    shown.set(match.id, { match, events })
  }
  if (open) await api.sleep(pause)
}
