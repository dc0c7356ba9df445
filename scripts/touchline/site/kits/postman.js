// The script for Postman of Touchline 1.0.0. Import openapi.json, and make this the
// pre-request script of the collection: it signs each request as it is sent.
//
// Put keyId and secret into an environment of your own, the secret as a current value
// alone: whoever has it can ask everything that you can.
//
// SPDX-License-Identifier: 0BSD

// What a query's key or value is signed as: decoded and encoded again (RFC 3986).
function encode (text) {
  return text.replace(/%[0-9A-Fa-f]{2}|[^%]+/g, (part) => {
    if (part[0] !== '%') {
      return encodeURIComponent(part).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase())
    }
    const c = String.fromCharCode(parseInt(part.slice(1), 16))
    return /[A-Za-z0-9\-._~]/.test(c) ? c : part.toUpperCase()
  })
}

function canonicalQuery (query) {
  const pairs = query.split('&').filter((part) => part !== '').map((part) => {
    const at = part.indexOf('=')
    return at < 0 ? [encode(part), ''] : [encode(part.slice(0, at)), encode(part.slice(at + 1))]
  })
  const order = (a, b) => a < b ? -1 : a > b ? 1 : 0
  pairs.sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
  return pairs.map((pair) => pair.join('=')).join('&')
}

function canonical (method, path, query, timestamp, nonce) {
  const upper = path.replace(/%[0-9A-Fa-f]{2}/g, (escape) => escape.toUpperCase())
  return [method.toUpperCase(), upper, canonicalQuery(query), timestamp, nonce, hashes.SHA256('').toString()].join('\n')
}

const hashes = require('crypto-js') // CryptoJS itself is a name of Postman's
const secret = pm.variables.get('secret')
if (!secret || !pm.variables.get('keyId')) throw new Error('Set the variables keyId and secret in an environment.')
const timestamp = String(Math.floor(Date.now() / 1000))
const nonce = hashes.lib.WordArray.random(16).toString() // new for each attempt
const text = canonical(
  pm.request.method,
  pm.variables.replaceIn(pm.request.url.getPath()),
  pm.variables.replaceIn(pm.request.url.getQueryString()),
  timestamp, nonce)
const signature = hashes.HmacSHA256(text, secret).toString()
for (const [key, value] of [
  ['X-Service-Key', pm.variables.get('keyId')],
  ['X-Service-Timestamp', timestamp],
  ['X-Service-Nonce', nonce],
  ['X-Service-Signature', signature]
]) pm.request.headers.upsert({ key, value })
