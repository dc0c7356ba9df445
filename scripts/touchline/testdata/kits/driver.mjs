import { createInterface } from 'node:readline'
import { Client, TouchlineError, canonical, signature } from './touchline.mjs'

if (process.argv[2] === 'vectors') {
  for await (const line of createInterface({ input: process.stdin })) {
    const [method, path, query, timestamp, nonce, secret] = line.split(' ').map(f => Buffer.from(f === '-' ? '' : f, 'hex').toString())
    const text = canonical(method, path, query, timestamp, nonce)
    console.log(Buffer.from(text).toString('hex') + ' ' + signature(secret, text))
  }
} else {
  const [base, key, secret, path] = process.argv.slice(3)
  const waits = []
  const api = new Client(base, key, secret, { sleep: async seconds => { waits.push(seconds) } })
  for await (const item of api.pages(path, { limit: 2 })) console.log(item.id)
  try {
    await api.get('/v1/teams/none')
  } catch (refusal) {
    if (!(refusal instanceof TouchlineError)) throw refusal
    console.log(refusal.status + ' ' + refusal.code)
  }
  console.log(['waited', ...waits].join(' '))
}
