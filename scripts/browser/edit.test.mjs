// What a data officer does in the console: the results of a round, a workbook, and an
// undo, with the keyboard and on a phone.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserPath, looks, watched, world } from './world.mjs'

const missing = browserPath() === undefined
const options = { skip: missing && 'Chromium is missing: see console.test.mjs' }

let w, page, faults, league

before(async () => {
  if (missing) return
  w = await world()
  ;({ page, faults } = await watched(w))
  await page.goto(w.address)
  await page.getByRole('link', { name: 'Estavia Premier League' }).click()
  league = page.url().slice(w.origin.length).split('?')[0]
})

after(async () => { await w?.end() })

function quiet () {
  assert.deepEqual(faults.splice(0), [])
  assert.equal(w.errors(), '')
}

// focusedIn waits until a field of a match has the focus, which comes after the page.
const focusedIn = place => page.waitForFunction(place => document.activeElement.matches(place), place)

test('the results of a round, by the keyboard alone', options, async () => {
  await page.goto(w.origin + league)
  await page.getByRole('link', { name: 'Fixtures' }).click()
  await looks(page, 'fixtures')
  await page.getByRole('link', { name: 'Enter results' }).click()
  await looks(page, 'fixtures-enter')
  // The round before the current one, which is over on every day of the week.
  await page.goto(w.origin + league.replace('/data/competitions/', '/fixtures/') + '?round=14&enter=1')
  const teams = await page.locator('.entry input[aria-label]').evaluateAll(all => all.map(i => i.getAttribute('aria-label')))
  const focused = () => page.evaluate(() => [document.activeElement.getAttribute('aria-label'), document.activeElement.value, document.activeElement.getAttribute('role')])
  await page.reload() // the first score has the focus, and Tab goes from score to score
  await focusedIn('.entry input')
  const reached = []
  for (const _ of teams) {
    reached.push((await focused())[0])
    await page.keyboard.press('Tab')
  }
  assert.deepEqual(reached, teams)
  assert.equal((await focused())[0], 'State')
  await page.reload()
  await focusedIn('.entry input')
  for (const key of ['Control+a', 'x', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('alert').getByText('1 fault').waitFor()
  await focusedIn('.entry input')
  assert.deepEqual(await focused(), [teams[0], 'x', null])
  await looks(page, 'fixtures-fault')
  faults.splice(0) // Chromium notes the status 422
  for (const key of ['Control+a', '4', 'Tab', '3', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Save it' }).waitFor()
  await page.getByText('to 4:3').waitFor()
  await looks(page, 'fixtures-check')
  await page.getByRole('button', { name: 'Save it' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('saved').waitFor()
  assert.deepEqual(await focused(), [null, undefined, 'status'])
  await page.getByRole('link', { name: `${teams[0]} against ${teams[1]}: 4:3` }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  const box = await page.locator('td.away', { hasText: teams[1] }).last().boundingBox()
  assert.ok(box.x + box.width <= 390, 'the away team is cut off on a phone')
  await page.setViewportSize({ width: 1280, height: 900 })
  quiet()
})

test('a workbook, down and up again', options, async () => {
  await page.goto(w.origin + league)
  const file = join(w.home, 'league.xlsx')
  const load = async () => {
    await page.goto(w.origin + '/loads')
    await page.getByLabel('Files such as').setInputFiles(file)
    await page.getByRole('button', { name: 'Check it' }).click()
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Workbook' }).click()])
  await download.saveAs(file)
  await load()
  await page.getByText('There is nothing to change').waitFor()
  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.goto(w.origin + league.replace('/data/competitions/', '/fixtures/') + '?round=all&enter=1')
  for (const home of (await page.locator('.entry .goals input:first-child').all()).slice(0, 8)) await home.fill('99')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What moves in tables' }).waitFor()
  assert.match(await page.locator('#moves + ul li').first().textContent(), /: .+ \d+(st|nd|rd|th) to \d+(st|nd|rd|th)/)
  await looks(page, 'fixtures-moves')
  await page.getByRole('button', { name: 'Save it' }).click()
  await page.getByText('saved').waitFor()
  await load()
  await page.getByRole('heading', { name: 'What moves in tables' }).waitFor()
  await looks(page, 'workbook-checked')
  await page.getByRole('button', { name: 'Apply it' }).click()
  await page.getByText('league.xlsx: loaded').waitFor()
  await load()
  await page.getByText('There is nothing to change').waitFor()
  await page.getByRole('button', { name: 'Forget it' }).click()
  quiet()
})

test('a load of many records is undone', options, async () => {
  await page.goto(w.origin + '/loads')
  await looks(page, 'loads-many')
  await page.getByRole('row', { name: /league.xlsx/ }).getByRole('link', { name: /undo/ }).click()
  await looks(page, 'undo-many')
  await page.getByRole('button', { name: 'Undo the load' }).click()
  await page.getByText(/Load \d+ is undone/).waitFor()
  quiet()
})

test('results after extra time and by a shoot-out, by the keyboard alone', options, async () => {
  const folder = join(w.home, 'pucks')
  mkdirSync(folder)
  const file = (kind, ...records) => writeFileSync(join(folder, `${kind}.ndjson`), records.map(r => JSON.stringify(r)).join('\n') + '\n')
  const teams = ['Kladno', 'Ostrava', 'Vitkovice', 'Pilsen']
  file('competitions', { id: 'pucks', season: 2025, name: 'Puck League', organizationId: w.serve.organization, rules: { win: 3, draw: 0, extraTimeWin: 2, extraTimeLoss: 1, shootoutWin: 2, shootoutLoss: 1 } })
  file('teams', ...teams.map(name => ({ id: name, name, shortName: name.slice(0, 3), competitionId: 'pucks' })))
  file('matches', ...[0, 2].map(i => ({ id: `pucks-${i}`, competitionId: 'pucks', status: 'upcoming', round: 1, kickoffAt: `2026-03-14T1${i}:00:00Z`, homeTeamId: teams[i], awayTeamId: teams[i + 1] })))
  await page.goto(w.origin + '/loads')
  await page.getByLabel('Or a folder').setInputFiles(folder)
  await page.getByRole('button', { name: 'Check it' }).click()
  await page.getByRole('button', { name: 'Apply it' }).click()
  await page.getByText('loaded').first().waitFor()
  await page.goto(w.origin + '/data')
  await page.getByRole('link', { name: 'Puck League' }).click()
  await page.getByRole('link', { name: 'Fixtures' }).click()
  await page.getByRole('link', { name: 'Enter results' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/enter=1/)
  await focusedIn('.entry input')
  const type = async (...keys) => { for (const key of keys) await page.keyboard.press(key) }
  await type('4', 'Tab', '3', 'Tab', '3', 'Tab', '2', 'Enter')
  await page.getByRole('alert').getByText('2 faults').waitFor()
  await page.getByText('After what was it 4:3? The points depend on it.').waitFor()
  await focusedIn('.how select')
  assert.equal(await page.evaluate(() => document.activeElement.name.split('.')[0]), 'after')
  await looks(page, 'decided-fault')
  await page.locator('.how select[aria-invalid]').first().focus()
  await page.keyboard.type('ext')
  await type('Tab', 'Tab', 'Tab', 'Tab')
  await page.keyboard.type('sho')
  await type('Tab', '1', 'Tab', '0', 'Enter')
  await page.getByText('Leave the shoot-out out of the score: it follows a draw, not 3:2.').waitFor()
  await focusedIn('.entry input')
  assert.deepEqual(await page.evaluate(() => [document.activeElement.getAttribute('aria-label'), document.activeElement.value]), ['Vitkovice', '3'])
  await type('Control+a', '2', 'Enter')
  await page.getByRole('heading', { name: 'Differences' }).waitFor()
  await looks(page, 'decided-check')
  faults.splice(0) // Chromium notes the status 422
  await page.getByRole('button', { name: 'Save it' }).click()
  await page.getByText('saved').waitFor()
  await looks(page, 'decided')
  await page.getByRole('link', { name: 'Table' }).click()
  assert.deepEqual(await page.locator('.standings tbody tr').evaluateAll(all => all.map(r => r.querySelector('th').textContent + ' ' + r.lastElementChild.textContent)), ['Kladno 2', 'Vitkovice 2', 'Pilsen 1', 'Ostrava 1'])
  // A match that is postponed asks what becomes of its score.
  await page.getByRole('link', { name: 'Fixtures' }).click()
  await page.getByRole('link', { name: 'Enter results' }).click()
  await page.locator('.how').first().getByLabel('State').selectOption('postponed')
  await page.getByRole('button', { name: 'Check it' }).click()
  await page.getByText('What becomes of the score 4:3?').waitFor()
  await page.getByLabel('The score').selectOption('is taken out')
  await looks(page, 'postponed-fault')
  faults.splice(0)
  await page.getByRole('button', { name: 'Check it' }).click()
  await page.getByText('score 4:3 to none').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  quiet()
})
