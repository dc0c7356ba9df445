// The Node.js kit of Touchline 1.0.0 in one file, with the standard library only (20 or later).
//
//     import { Client } from './touchline.mjs'
//     const api = new Client('https://api.example.org', 'tk_...', 'the secret')
//     for await (const match of api.pages('/v1/tournaments/5f1d.../matches', { status: 'finished' })) {
//       console.log(match.home.name, match.score, match.away.name)
//     }
//
// Keep the secret on a server: whoever has it can ask everything that you can.
//
// SPDX-License-Identifier: 0BSD

import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Agent as HTTPAgent, request as http } from 'node:http'
import { Agent as HTTPSAgent, request as https } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as secure } from 'node:tls'
import { gunzipSync } from 'node:zlib'

const EMPTY_BODY = createHash('sha256').update('').digest('hex')

/** A key or value of a query, decoded to bytes and encoded again. */
function encode(text) {
  const sent = Buffer.from(text)
  let encoded = ''
  for (let i = 0; i < sent.length; i++) {
    let byte = sent[i]
    if (byte === 0x25) { // %
      byte = parseInt(sent.toString('latin1', i + 1, i + 3), 16)
      i += 2
    }
    const character = String.fromCharCode(byte)
    encoded += /[A-Za-z0-9\-._~]/.test(character) ? character : '%' + byte.toString(16).toUpperCase().padStart(2, '0')
  }
  return encoded
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** The query as it is signed: each key and value encoded, the pairs sorted. */
export function canonicalQuery(query) {
  return query.split('&').filter(Boolean).map(part => {
    const at = part.indexOf('=')
    return at < 0 ? [encode(part), ''] : [encode(part.slice(0, at)), encode(part.slice(at + 1))]
  }).sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1])).map(pair => pair.join('=')).join('&')
}

/** The string that is signed: six fields, a line feed between them. */
export function canonical(method, path, query, timestamp, nonce) {
  const escaped = path.replace(/%[0-9a-f]{2}/gi, found => found.toUpperCase())
  return [method.toUpperCase(), escaped, canonicalQuery(query), timestamp, nonce, EMPTY_BODY].join('\n')
}

export function signature(secret, text) {
  return createHmac('sha256', secret).update(text).digest('hex')
}

/**
 * A refusal. Branch on status and code; quote requestId when you report it. status
 * is 0 where no whole answer came, after every attempt, and 200 where an answer is
 * not the service's, such as the page of a network that wants a login.
 */
export class TouchlineError extends Error {
  constructor(status, body, headers) {
    const error = body?.error ?? { message: "the answer is not the service's" }
    const requestId = headers['x-request-id']
    const field = error.details?.field ? `, field ${error.details.field}` : ''
    super(`${status} ${error.code}: ${error.message}${field} (request ${requestId})`)
    Object.assign(this, { status, code: error.code, details: error.details, retryAfter: error.retryAfter, requestId, headers })
  }
}

/** The program has sent as many requests this month as it may. */
export class Spent extends Error {}

/** The proxy for an address that the environment names, or undefined. */
function proxyFor(base) {
  const env = name => process.env[name] ?? process.env[name.toUpperCase()]
  const direct = (env('no_proxy') ?? '').split(/[\s,]+/).filter(Boolean)
    .some(name => name === '*' || ('.' + base.hostname).endsWith('.' + name.replace(/^\./, '')))
  const named = base.protocol === 'https:' ? env('https_proxy') : process.env.http_proxy // HTTP_PROXY may be a header of a CGI program
  return named && !direct ? new URL(named.includes('//') ? named : 'http://' + named) : undefined
}

/** Keeps connections open, and makes them through the proxy, if there is one. */
function agentFor(base, limit) {
  const tls = base.protocol === 'https:'
  const agent = new (tls ? HTTPSAgent : HTTPAgent)({ keepAlive: true })
  const proxy = proxyFor(base)
  if (!proxy) return agent
  const login = Buffer.from(decodeURIComponent(proxy.username + ':' + proxy.password)).toString('base64')
  agent.createConnection = (options, done) => {
    http({
      hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || 80,
      method: 'CONNECT',
      path: `${base.hostname}:${base.port || (tls ? 443 : 80)}`,
      headers: proxy.username ? { 'Proxy-Authorization': 'Basic ' + login } : {},
      agent: false,
      signal: AbortSignal.timeout(limit)
    }).on('connect', (answer, socket) => {
      if (answer.statusCode !== 200) done(new Error(`the proxy answers ${answer.statusCode}`), socket.destroy())
      else done(null, tls ? secure({ ...options, socket }) : socket)
    }).on('error', done).end()
  }
  return agent
}

/**
 * Calls one service with one key. With aMonth the program sends so many requests in a
 * calendar month, in UTC, and throws Spent instead of more. It counts them in the file
 * counted, which is its own.
 */
export class Client {
  #agent
  constructor(baseUrl, keyId, secret, { attempts = 4, longestWait = 120, timeout = 30, sleep = seconds => pause(seconds * 1000), aMonth, counted = 'requests.json' } = {}) {
    Object.assign(this, { baseUrl: baseUrl.replace(/\/+$/, ''), keyId, secret, attempts, longestWait, timeout, sleep, aMonth, counted })
    this.#agent = agentFor(new URL(this.baseUrl), timeout * 1000)
    this.offset = 0 // seconds that the service's clock is ahead of ours
    this.headers = {} // of the last answer, such as x-ratelimit-remaining
  }

  /** The body of one GET, decoded. Throws a TouchlineError where it is refused. */
  async get(path, parameters = {}) {
    const [alone, given = ''] = path.split(/\?(.*)/s)
    const query = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => encodeURIComponent(key) + '=' + encodeURIComponent(value))
    const asked = [given, ...query].filter(Boolean).join('&')
    let corrected = false
    for (let attempt = 1; ; attempt++) {
      this.#count()
      const sent = Date.now() / 1000
      const { status, headers, body } = await this.#send(alone, asked, Math.floor(sent + this.offset))
        .catch(lost => ({ status: 0, headers: {}, body: { error: { message: `no answer: ${lost.message}` } } }))
      this.headers = headers
      if (status === 200 && body !== null) return body
      if (status === 401 && !corrected && this.#correct(headers, sent)) {
        corrected = true
        attempt--
        continue
      }
      const wait = retryAfter(status, headers, attempt)
      if (wait === null || wait > this.longestWait || attempt >= this.attempts) throw new TouchlineError(status, body, headers)
      await this.sleep(wait)
    }
  }

  /** Every item of a list, page after page. */
  async * pages(path, parameters = {}) {
    for (let page = 1; ; page++) {
      const body = await this.get(path, { limit: 100, ...parameters, page })
      yield * body.data
      if (!body.hasMore) return
    }
  }

  /** How many of aMonth are left. */
  left() {
    return this.aMonth - this.#sent()[1]
  }

  #sent() {
    const month = new Date(Date.now() + this.offset * 1000).toISOString().slice(0, 7)
    return [month, existsSync(this.counted) ? JSON.parse(readFileSync(this.counted, 'utf8'))[month] ?? 0 : 0]
  }

  #count() {
    if (this.aMonth === undefined) return
    const [month, sent] = this.#sent()
    if (sent >= this.aMonth) throw new Spent(`${sent} requests in ${month}, as many as this program may send`)
    writeFileSync(this.counted + '.new', JSON.stringify({ [month]: sent + 1 }))
    renameSync(this.counted + '.new', this.counted) // all at once
  }

  #send(path, query, timestamp) {
    const nonce = randomBytes(16).toString('base64url') // new for each attempt
    const text = canonical('GET', path, query, String(timestamp), nonce)
    const base = new URL(this.baseUrl)
    const options = {
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      path: base.pathname.replace(/\/$/, '') + path + (query ? '?' + query : ''), // as signed, not cleaned
      agent: this.#agent,
      signal: AbortSignal.timeout(this.timeout * 1000),
      headers: {
        'Accept-Encoding': 'gzip',
        'X-Service-Key': this.keyId,
        'X-Service-Timestamp': String(timestamp),
        'X-Service-Nonce': nonce,
        'X-Service-Signature': signature(this.secret, text)
      }
    }
    return new Promise((resolve, reject) => {
      const sent = (base.protocol === 'https:' ? https : http)(options, answer => {
        const parts = []
        answer.on('data', part => parts.push(part)).on('error', reject).on('end', () => {
          try {
            const text = Buffer.concat(parts)
            const plain = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(text) : text
            resolve({ status: answer.statusCode, headers: answer.headers, body: decode(plain) })
          } catch (cut) {
            reject(cut)
          }
        })
      })
      sent.on('error', reject).end()
    })
  }

  /** After a 401: takes the service's clock from Date; says whether ours was off. */
  #correct(headers, sent) {
    const offset = Date.parse(headers.date) / 1000 - sent
    if (Number.isNaN(offset) || Math.abs(offset - this.offset) < 60 || Math.abs(offset) > 86_400) return false // by a day at most
    this.offset = offset
    return true
  }
}

/** An object of JSON; null is a proxy's page. */
function decode(text) {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' && !Array.isArray(body) ? body : null
  } catch {
    return null
  }
}

function retryAfter(status, headers, attempt) {
  const after = headers['retry-after'] ?? (status === 429 ? '60' : undefined)
  if (after !== undefined && [429, 503].includes(status)) {
    if (/^\d+$/.test(after)) return Number(after)
    const seconds = (Date.parse(after) - Date.now()) / 1000
    return isNaN(seconds) || !after.endsWith(' GMT') ? 60 : Math.max(seconds, 0)
  }
  return [0, 500, 502, 503, 504].includes(status) ? 2 ** (attempt - 1) : null
}
