import { randomUUID } from 'node:crypto'
import { canonical, signature } from './touchline.mjs'

const { TOUCHLINE_KEY_ID: key, TOUCHLINE_SECRET: secret } = process.env

/** The request with the headers that sign it. */
export function signed (request) {
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice(pathname.indexOf('/v1/')) // without that of the base URL
  const [time, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()]
  const text = canonical(request.method, path, search.slice(1), time, nonce)
  const headers = { key, timestamp: time, nonce, signature: signature(secret, text) }
  for (const [name, value] of Object.entries(headers)) request.headers.set('X-Service-' + name, value)
  return request
}
