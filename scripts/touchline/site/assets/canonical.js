'use strict'

// The canonical string of a request, and what is wrong with one that somebody
// made.
const Canonical = (() => {
  const fields = ['METHOD', 'PATH', 'SORTED_ENCODED_QUERY', 'TIMESTAMP', 'NONCE', 'BODY_HASH']
  const [METHOD, PATH, QUERY, TIMESTAMP, NONCE, BODY] = fields.keys()
  const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const utf8 = new TextEncoder()

  // byBytes compares as UTF-8 does: JavaScript's own order is that of UTF-16.
  const byBytes = (a, b) => {
    const x = utf8.encode(a), y = utf8.encode(b)
    for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return x[i] - y[i]
    return x.length - y.length
  }

  function encode (text) {
    const bytes = []
    const raw = utf8.encode(text)
    for (let i = 0; i < raw.length; i++) {
      if (raw[i] === 0x25) { bytes.push(parseInt(String.fromCharCode(raw[i + 1], raw[i + 2]), 16)); i += 2 } else bytes.push(raw[i])
    }
    return bytes.map((b) => {
      const c = String.fromCharCode(b)
      return /[A-Za-z0-9\-._~]/.test(c) ? c : '%' + b.toString(16).toUpperCase().padStart(2, '0')
    }).join('')
  }

  // ofQuery and ofPath are null where a percent sign has no two hex digits.
  const malformed = (text) => /%(?![0-9A-Fa-f]{2})/.test(text)
  function ofQuery (query) {
    if (malformed(query)) return null
    const pairs = query.split('&').filter((part) => part !== '').map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [encode(part), ''] : [encode(part.slice(0, at)), encode(part.slice(at + 1))]
    })
    pairs.sort((a, b) => byBytes(a[0], b[0]) || byBytes(a[1], b[1]))
    return pairs.map(([key, value]) => key + '=' + value).join('&')
  }
  const ofPath = (path) => malformed(path) ? null : path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())

  // of is the canonical string of a message {method, path, query, timestamp, nonce}.
  function of (m) {
    const path = ofPath(m.path), query = ofQuery(m.query)
    if (path === null || query === null) return null
    return [m.method.toUpperCase(), path, query, m.timestamp, m.nonce, emptyHash].join('\n')
  }

  const split = (target) => {
    const at = target.indexOf('?')
    return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
  }

  // read takes a string apart that may be joined wrongly.
  function read (text) {
    const faults = []
    if (text.includes('\r\n')) {
      faults.push('the lines end with CR LF: join the fields by a line feed alone')
      text = text.replaceAll('\r\n', '\n')
    }
    if (!text.includes('\n') && text.includes('\\n')) {
      faults.push("the fields are joined by a backslash and an n: the line feed was not made (use printf or $'\\n' in a shell)")
      text = text.replaceAll('\\n', '\n')
    }
    const trimmed = text.replace(/\n+$/, '')
    if (trimmed.length < text.length) {
      faults.push('there is a line feed at the end: the body hash ends the string')
      text = trimmed
    }
    const got = text.split('\n')
    if (got.length !== fields.length) {
      faults.push(`it has ${got.length} ${got.length === 1 ? 'field' : 'fields'}, not ${fields.length}: an empty query is an empty line, and the body hash is always there`)
    }
    return { field: (i) => got[i] ?? '', faults }
  }

  const sortedPairs = (query) => query.split('&').sort(byBytes).join('&')

  // mistake names the usual mistake that makes got of what should be want.
  function mistake (i, got, want, m) {
    const usual = {
      [METHOD]: [
        [want.toLowerCase(), 'the method is written in capitals'],
        [{ HEAD: 'GET', GET: 'HEAD' }[want] ?? '', 'sign the method that is sent']
      ],
      [PATH]: [
        [want.startsWith('/v1') ? want.slice(3) : want, 'the path begins at /v1'],
        [want + '/', 'the slash at the end is not in the path that is sent'],
        [m.path, 'the hex digits of percent-escapes are upper-case'],
        [m.path + '?' + m.query, 'the query is a field of its own']
      ],
      [QUERY]: [
        ['', 'the query is signed, too'],
        [m.query, 'the query is not signed as it is sent: encode each key and value, then sort the pairs'],
        ['?' + m.query, 'the question mark is not part of the query'],
        ['?' + want, 'the question mark is not part of the query'],
        [want.replaceAll('%20', '+'), 'a space is written %20, a plus %2B']
      ],
      [BODY]: [
        ['', 'the hash of an empty body is written out'],
        [want.toUpperCase(), 'the hash is written in lower case']
      ]
    }
    for (const [of, says] of usual[i] ?? []) if (of === got && got !== want) return says
    if (i === PATH && got.includes('://')) return 'scheme and host are not signed'
    if (i === QUERY && sortedPairs(got) === sortedPairs(want)) return 'the pairs are sorted by key, then by value, in the order of bytes: capitals first'
    if (i === QUERY && got.toLowerCase() === want.toLowerCase()) return 'the hex digits of percent-escapes are upper-case'
    return ''
  }

  // check compares a canonical string with that of a request. Where timestamp or
  // nonce are empty they are those of the string. It gives lines {word, field,
  // got, want, hint}, or null where the target has a malformed escape.
  function check (text, { method, target, timestamp, nonce }) {
    const [path, query] = split(target)
    const given = read(text)
    const m = { method, path, query, timestamp: timestamp || given.field(TIMESTAMP), nonce: nonce || given.field(NONCE) }
    const right = of(m)
    if (right === null) return null
    if (text === right) return [{ word: 'right', says: 'this is the string that is signed' }]
    const lines = given.faults.map((says) => ({ word: 'wrong', says }))
    right.split('\n').forEach((want, i) => {
      const got = given.field(i)
      if (got === want) lines.push({ word: 'right', field: fields[i], got })
      else lines.push({ word: 'wrong', field: fields[i], got, want, hint: mistake(i, got, want, m) })
    })
    return lines
  }

  return { fields, of, ofQuery, split, check }
})()
if (typeof module === 'object') module.exports = Canonical
