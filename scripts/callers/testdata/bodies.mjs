// Writes bodies.ts: every example of the document and every body of the demo
// (demo.json), each as a value of the type that openapi-typescript made of its
// schema. tsc then says which is not of its type.
import { readFileSync, writeFileSync } from 'node:fs'

const read = (name) => JSON.parse(readFileSync(name, 'utf8'))
const document = read('openapi.json')
const lines = ["import type { paths } from './schema'"]
const body = (path, status, value) => lines.push(
  `export const b${lines.length}: paths[${JSON.stringify(path)}]['get']['responses'][${status}]['content']['application/json'] = ${JSON.stringify(value)}`)

for (const [path, { get }] of Object.entries(document.paths)) {
  for (const [status, response] of Object.entries(get.responses)) {
    const { content } = response.$ref ? document.components.responses[response.$ref.split('/').pop()] : response
    const { example, examples } = content['application/json']
    if (example) body(path, status, example)
    for (const { value } of Object.values(examples ?? {})) body(path, status, value)
  }
}
for (const { Path, Body } of read('demo.json')) body(Path, 200, Body)
writeFileSync('bodies.ts', lines.join('\n') + '\n')
console.log(`openapi-typescript: ${lines.length - 1} bodies`)
