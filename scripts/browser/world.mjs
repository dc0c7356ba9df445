// What a test of the console in a browser needs: a serve with the demo, a console
// beside it, and Chromium.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'

const root = join(import.meta.dirname, '..', '..')
const touchline = join(root, 'build', 'touchline')

// shots is where screenshots are kept.
const shots = join(root, 'build', 'browser')

// browserPath is CHROMIUM, else the first of the usual names on PATH; undefined:
// null without one.
export function browserPath () {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome']
  for (const name of names) {
    for (const folder of name.includes('/') ? [''] : process.env.PATH.split(delimiter)) {
      const path = folder ? join(folder, name) : name
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch { /* the next */ }
    }
  }
}

// start runs a command until end, and gives the first line that it prints, as
// JSON, and those to come.
async function start (args, env) {
  const child = spawn(touchline, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', text => { errors += text })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`touchline ${args[0]} ended: ${errors}`)
    return JSON.parse(value)
  }
  const end = () => new Promise(resolve => { child.on('close', resolve); child.kill('SIGTERM') })
  return { first: await next(), next, end, errors: () => errors }
}

// world is a console beside a serve with the demo, and a browser that is not logged in.
export async function world () {
  mkdirSync(shots, { recursive: true })
  const home = mkdtempSync(join(tmpdir(), 'touchline-browser-'))
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, 'config'), TZ: 'UTC' }
  const serve = await start(['serve', '--demo', '--json', '--quiet', '--addr=127.0.0.1:0', `--data-dir=${join(home, 'data')}`], env)
  const console = await start(['console', '--json', `--data-dir=${serve.first.data}`], env)
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  })
  return {
    home, env, serve: serve.first, address: console.first.url, origin: console.first.url.split('/login')[0], nextAddress: console.next,
    errors: console.errors,
    browser,
    async end () {
      await browser.close()
      await console.end()
      await serve.end()
      rmSync(home, { recursive: true, force: true })
    }
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// watched is a page of a browser on which nothing may go wrong: whatever its
// console says, and whatever it asks of another origin, is noted in faults.
export async function watched (world, options = {}) {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const faults = []
  page.on('console', message => { if (['error', 'warning'].includes(message.type())) faults.push(`${page.url()}: ${message.text()}`) })
  page.on('pageerror', error => faults.push(`${page.url()}: ${error}`))
  context.on('request', request => {
    if (!request.url().startsWith(world.origin + '/')) faults.push(`${page.url()} asked for ${request.url()}`)
  })
  return { page, context, faults }
}

// accessible asks axe about the page as it is now: all its rules, or those named. The
// reference's blocks of code are left out, thousands of words: they are made as those of
// the guides.
async function accessible (page, ...rules) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe)
  const { violations } = await page.evaluate(rules => window.axe.run({ exclude: [['.operation pre']] }, { runOnly: rules.length ? rules : undefined, resultTypes: ['violations'] }), rules)
  assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.html).slice(0, 3).join(' ')}`), [], page.url())
}

// looks takes the page's picture in a wide window with light colours and a narrow
// one with dark ones, or with SHOTS=all in both of each, and asks axe. Nothing may
// be wider than the window. Of a very long page it takes what the window shows.
export async function looks (page, name) {
  const all = process.env.SHOTS === 'all'
  for (const [width, colorScheme] of [[1440, 'light'], all && [1440, 'dark'], all && [390, 'light'], [390, 'dark']].filter(Boolean)) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (width === 390) await accessible(page)
    else await accessible(page, 'color-contrast')
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    assert.equal(over, 0, `${name} at ${width} is ${over} wider than the window`)
    await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: height < 8000 })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
