// The console in a real browser: every page, in two sizes and two colour schemes,
// and what an operator does there. `make test-browser` runs it, and keeps the
// screenshots in build/browser.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { accessible, browserPath, looks, watched, world } from './world.mjs'

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

test('data', options, async () => {
  await visit('/data', 'data')
  await page.getByRole('link', { name: 'Estavia Premier League' }).click()
  const league = new URL(page.url()).pathname
  await visit(league, 'data-table')
  for (const tab of ['matches', 'scorers', 'cards', 'teams', 'numbers']) await visit(`${league}?tab=${tab}`, `data-${tab}`)
  await visit(`${league}?tab=cards&of=team`, 'data-cards-teams')
  await page.goto(`${w.origin}${league}?tab=matches`)
  await page.getByLabel('State').selectOption('finished')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.locator('td a:has(b.score)').first().click()
  assert.match(page.url(), /\/data\/matches\//)
  await looks(page, 'data-match')
  await page.locator('.board a').first().click()
  await looks(page, 'data-team')
  await page.getByRole('link', { name: 'Numbers' }).click()
  await looks(page, 'data-team-numbers')
  await page.getByRole('link', { name: 'Squad' }).click()
  await page.locator('tbody a').first().click()
  await looks(page, 'data-player')
  await page.locator('.asked summary').first().click()
  await accessible(page)
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
