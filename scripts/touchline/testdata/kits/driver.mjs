import { createInterface } from 'node:readline'
import { Client, TouchlineError, canonical, signature } from './touchline.mjs'

if (process.argv[2] === 'vectors') {
  for await (const line of createInterface({ input: process.stdin })) {
    const [method, path, query, timestamp, nonce, secret] = line.split(' ').map(f => Buffer.from(f === '-' ? '' : f, 'hex').toString())
    const text = canonical(method, path, query, timestamp, nonce)
    console.log(Buffer.from(text).toString('hex') + ' ' + signature(secret, text))
  }
} else if (process.argv[2] === 'trouble') {
  const waits = []
  const api = new Client(...process.argv.slice(3), { sleep: async seconds => { waits.push(Math.round(seconds)) } })
  await api.get('/v1/x?status=live', { from: '2026-09-01' })
    .catch(e => console.log(e.status, e.code, e.message.includes('field from'), e.headers['x-ratelimit-remaining']))
  console.log('waited', ...waits)
} else if (process.argv[2] === 'ditch') {
  const [base, key, secret, timeout, ...targets] = process.argv.slice(3)
  const waits = []
  const api = new Client(base, key, secret, { timeout: Number(timeout), sleep: async seconds => { waits.push(seconds) } })
  for (const target of targets) {
    const got = await api.get(target).then(body => body.data.id, error => { if (error instanceof TouchlineError) return error.status; throw error })
    console.log(target, got, ...waits.splice(0))
  }
  process.exit() // the connections are kept
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
