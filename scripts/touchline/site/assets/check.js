'use strict'

const form = document.getElementById('checker')
const verdict = document.getElementById('verdict')
const right = document.getElementById('right')
const secret = document.getElementById('secret').textContent
form.hidden = false
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', show)

const hex = (bytes) => [...new Uint8Array(bytes)].map((b) => b.toString(16).padStart(2, '0')).join('')
const bytesOf = (text) => new TextEncoder().encode(text)

// sign gives the SHA-256 and the signature of a text; null where this browser has
// no Web Crypto here, as on a page that came over plain HTTP from elsewhere.
async function sign (text) {
  if (!globalThis.crypto?.subtle) return null
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return {
    sha256: hex(await crypto.subtle.digest('SHA-256', bytesOf(text))),
    signature: hex(await crypto.subtle.sign('HMAC', key, bytesOf(text)))
  }
}

// element is one with children, which are elements or text.
function element (name, className, ...children) {
  const e = document.createElement(name)
  if (className) e.className = className
  e.append(...children)
  return e
}

const shown = (text) => text === '' ? '(empty)' : JSON.stringify(text)

function lineOf (l) {
  const says = element('div', '')
  if (l.says) says.append(element('p', '', l.says))
  if (l.field) says.append(element('p', 'field', l.field), element('p', '', element('code', '', shown(l.got))))
  if (l.want !== undefined) says.append(element('p', '', 'should be ', element('code', '', shown(l.want))))
  if (l.hint) says.append(element('p', '', l.hint))
  return element('li', l.word, element('span', 'word', l.word), says)
}

// written is what was typed, with line ends that were written out where they are
// meant: a string of one line with \n in it is left for the check to name, \r\n in
// a string of several lines is made one.
const written = (text) => text.includes('\\r\\n') ? text.replaceAll(/\\r\\n\n?/g, '\r\n') : text

let latest = 0
async function show () {
  const turn = ++latest
  const value = Object.fromEntries(new FormData(form))
  const [path, query] = Canonical.split(value.target)
  const canonical = Canonical.of({ method: value.method, path, query, timestamp: value.timestamp, nonce: value.nonce })
  if (canonical === null) {
    verdict.replaceChildren(element('ul', '', lineOf({ word: 'wrong', says: 'Path and query: a % must be followed by two hex digits' })))
    right.replaceChildren()
    return
  }
  const signed = await sign(canonical)
  if (turn !== latest) return
  const lines = value.canonical === '' ? [] : Canonical.check(written(value.canonical), value)
  const given = value.signature.trim()
  if (given !== '' && signed) {
    if (given === signed.signature) lines.push({ word: 'right', says: 'this is the signature with the example\'s secret' })
    else if (given.toLowerCase() === signed.signature) lines.push({ word: 'wrong', says: 'the signature is written in lower case' })
    else lines.push({ word: 'wrong', says: 'this is not the signature of the right string with the example\'s secret' })
  }
  if (lines.length) verdict.replaceChildren(element('ul', '', ...lines.map(lineOf)))
  else verdict.replaceChildren(element('p', '', 'Paste your canonical string or your signature above.'))
  const values = [['Canonical string', canonical]]
  if (signed) values.push(['SHA-256 of the canonical string', signed.sha256], ['Signature', signed.signature])
  else values.push(['Signature', 'This browser computes hashes only on pages that come over HTTPS, from this machine or from a disk. Open the page in one of these ways.'])
  right.replaceChildren(...values.flatMap(([name, text]) => [element('dt', '', name), element('dd', '', element('pre', '', text))]))
}
show()
