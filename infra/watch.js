// Signs a ping as a partner would, and fails if the answer is anything but 200. The
// key is in a parameter of Systems Manager, as `touchline keys create --json` prints it.
const { createHash, createHmac, randomUUID } = require('node:crypto')

let key // kept from one call to the next

async function read() {
  const { SSMClient, GetParameterCommand } = require('@aws-sdk/client-ssm')
  const found = await new SSMClient().send(new GetParameterCommand({ Name: process.env.KEY_PARAMETER, WithDecryption: true }))
  const { keyId, secret } = JSON.parse(found.Parameter.Value)
  return { keyId, secret }
}

exports.check = async (get) => {
  key ??= await get()
  const path = '/v1/ping'
  const at = String(Math.floor(Date.now() / 1000))
  const nonce = randomUUID()
  const text = ['GET', path, '', at, nonce, createHash('sha256').update('').digest('hex')].join('\n')
  const answer = await fetch(process.env.BASE_URL + path, {
    signal: AbortSignal.timeout(8000),
    redirect: 'manual',
    headers: {
      'X-Service-Key': key.keyId,
      'X-Service-Timestamp': at,
      'X-Service-Nonce': nonce,
      'X-Service-Signature': createHmac('sha256', key.secret).update(text).digest('hex'),
    },
  })
  if (answer.status !== 200) {
    key = undefined // it may have been replaced
    throw new Error(`${path} was answered with ${answer.status}, request id ${answer.headers.get('x-request-id')}`)
  }
}

exports.handler = () => exports.check(read)
