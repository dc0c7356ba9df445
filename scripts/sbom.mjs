// Writes the SBOM (CycloneDX) of a program of ours, which is read from what
// `go version -m -json PROGRAM` says: the modules that were linked into it.
import { readFileSync } from 'node:fs'

const [version] = process.argv.slice(2)
const { GoVersion, Deps = [] } = JSON.parse(readFileSync(0, 'utf8'))
const library = ({ Path, Version, Sum }) => ({
  type: 'library',
  name: Path,
  version: Version,
  purl: `pkg:golang/${Path}@${Version}`,
  ...Sum && { hashes: [{ alg: 'SHA-256', content: Buffer.from(Sum.replace('h1:', ''), 'base64').toString('hex') }] } // as in go.sum
})
console.log(JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: 'touchline', version } },
  components: [library({ Path: 'std', Version: GoVersion.replace('go', '') }), ...Deps.map(one => library(one.Replace ?? one))]
}, null, 1))
