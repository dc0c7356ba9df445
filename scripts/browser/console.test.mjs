// The console in a real browser: every page, in two sizes and two colour schemes,
// and what an operator does there. `make test-browser` runs it, and keeps the
// screenshots in build/browser.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserPath, looks, watched, world } from './world.mjs'

const install = 'Chromium is missing: install it (Debian: apt-get install --no-install-recommends chromium), or name a browser of its kind with CHROMIUM'
const missing = browserPath() === undefined
if (missing && process.env.CI) throw new Error(install)
const options = { skip: missing && install }

let w, page, faults

before(async () => {
  if (missing) return
  w = await world()
  ;({ page, faults } = await watched(w))
})

after(async () => { await w?.end() })

// visit opens a path, and looks at the page.
async function visit (path, name) {
  const response = await page.goto(w.origin + path)
  assert.equal(response.status(), 200, path)
  await looks(page, name)
}

// quiet holds a test to what the page may do: nothing is said, nothing asked
// elsewhere.
function quiet () {
  assert.deepEqual(faults.splice(0), [])
  assert.equal(w.errors(), '')
}

test('the first address logs in, once', options, async () => {
  await page.goto(w.address)
  assert.equal(page.url(), w.origin + '/data')
  const cookies = await page.context().cookies()
  assert.equal(cookies.length, 1)
  assert.ok(cookies[0].httpOnly && cookies[0].sameSite === 'Strict')
  const stranger = await watched(w)
  assert.equal((await stranger.page.goto(w.origin + '/data')).status(), 403)
  assert.equal((await stranger.page.goto(w.address)).status(), 403)
  await looks(stranger.page, 'stranger')
  const { url } = await w.nextAddress()
  assert.equal((await stranger.page.goto(url)).status(), 200)
  await stranger.context.close()
  quiet()
})

// Browsers send cookies to every port of a host, where another user of the machine may
// listen.
test('a page on another port gets neither the cookie nor the path', options, async () => {
  const asked = []
  const other = createServer((request, response) => { asked.push(request); response.end('<p>other') }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const origin = `http://127.0.0.1:${other.address().port}`
  const tab = await page.context().newPage()
  for (const path of ['/', '/data', '/login']) await tab.goto(origin + path)
  await page.evaluate(to => window.open(to), origin)
  await tab.goto(w.origin + '/data')
  await tab.evaluate(to => { location.href = to }, origin + '/left')
  await tab.waitForURL('**/left')
  assert.ok(asked.length >= 5)
  for (const { url, headers } of asked) assert.ok(!headers.cookie && !headers.referer?.startsWith(new URL(w.origin).origin), `${url} ${JSON.stringify(headers)}`)
  for (const opened of page.context().pages()) if (opened !== page) await opened.close()
  other.close()
  faults.splice(0)
})

test('data', options, async () => {
  await visit('/data', 'data')
  await page.getByRole('link', { name: 'Estavia Premier League' }).click()
  const league = page.url().slice(w.origin.length).split('?')[0]
  await visit(league, 'data-table')
  await visit(`${league}?tab=order`, 'data-order')
  await page.getByRole('link', { name: 'Fixtures' }).click()
  await page.getByLabel('Round').selectOption('all')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.locator('td a:has(b.score)').first().click()
  assert.match(page.url(), /\/data\/matches\//)
  await looks(page, 'data-match')
  quiet()
})

test('keys', options, async () => {
  await visit('/keys', 'keys')
  await page.locator('tbody th a').first().click()
  await page.getByText('touchline keys rotate').waitFor()
  await looks(page, 'key')
  quiet()
})

test('loads', options, async () => {
  await visit('/loads', 'loads')
  const folder = join(w.home, 'federation')
  mkdirSync(folder)
  writeFileSync(join(folder, 'organizations.ndjson'), '{"id":"new","type":"club","nam":"FC New"}\n')
  await page.getByLabel('Or a folder').setInputFiles(folder)
  await page.getByRole('button', { name: 'Check it' }).click()
  await page.getByRole('heading', { name: /fault/ }).waitFor()
  await looks(page, 'load-faults')
  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.getByText('Drop a workbook, a folder or a .zip here').waitFor() // the script shows it
  // Dropped on the page, which a script of the page stands in for.
  const drop = (text) => page.evaluate(text => {
    const files = new DataTransfer()
    files.items.add(new File([text], 'organizations.ndjson'))
    const dropped = new Event('drop', { bubbles: true, cancelable: true })
    Object.defineProperty(dropped, 'dataTransfer', { value: { items: [], files: files.files } })
    document.querySelector('.dropzone').dispatchEvent(dropped)
  }, text)
  await drop(`{"id":"new","type":"club","name":"FC New","parentId":"${w.serve.organization}"}\n`)
  await page.getByText('organizations.ndjson').waitFor()
  await page.getByRole('button', { name: 'Check it' }).click()
  await page.getByText('FC New').first().waitFor()
  await looks(page, 'load-checked')
  await page.getByRole('button', { name: 'Apply it' }).click()
  await page.getByText('1 organization created: new').waitFor()
  await page.getByRole('link', { name: '2', exact: true }).click()
  await looks(page, 'load')
  await page.getByRole('link', { name: 'Undo it' }).click()
  await looks(page, 'load-undo')
  await page.getByRole('button', { name: 'Undo the load' }).click()
  await page.getByText('undid load 2').waitFor()
  quiet()
})

test('the keyboard alone leads to a match', options, async () => {
  await page.goto(w.origin + '/data')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content')
  await page.keyboard.press('Enter')
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement.textContent) === 'Estavia Premier League') break
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(/competitions/)
  quiet()
})

test('the pages for callers', options, async () => {
  const origin = w.serve.docs
  const pages = await watched({ browser: w.browser, origin })
  const visit = async (path, name) => {
    assert.equal((await pages.page.goto(`${origin}/${path}`)).status(), 200, path)
    if (name) await looks(pages.page, `docs-${name}`)
  }
  await visit('index.html', 'index')
  const links = await pages.page.locator('nav.side a').evaluateAll(all => all.map(a => a.getAttribute('href')))
  assert.ok(links.length > 10)
  for (const link of links) if (!/^index\./.test(link)) await visit(link, link.replace('.html', ''))

  await visit('start.html')
  await pages.page.locator('label', { hasText: 'Ruby' }).first().click()
  await pages.page.locator('[data-language=ruby] pre').first().waitFor()

  await visit('check.html')
  const canonical = await pages.page.locator('#right pre').first().textContent()
  const checked = pages.page.locator('#verdict')
  await pages.page.getByLabel('Your canonical string').fill(canonical)
  await checked.getByText('this is the string that is signed').waitFor()
  await pages.page.getByLabel('Your canonical string').fill(canonical.replace('GET', 'get'))
  await checked.getByText('the method is written in capitals').waitFor()
  await looks(pages.page, 'docs-check-wrong')

  await visit('start.html')
  assert.ok(await pages.page.locator('[data-language=ruby] pre').first().isVisible(), 'the language that was chosen before')

  const colour = () => pages.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await colour()
  for (const name of ['Auto', 'Light']) await pages.page.getByRole('button', { name, exact: true }).click()
  assert.notEqual(await colour(), light)
  await visit('signing.html')
  assert.notEqual(await colour(), light, 'dark stays chosen')
  assert.deepEqual(pages.faults, [])
  await pages.context.close()
})
