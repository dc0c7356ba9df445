// A federation of a sport that the catalogue does not have: from nothing to a season with
// a table and three corrections, in the console alone and with the keyboard alone.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { browserPath, looks, tabTo, watched, world } from './world.mjs'

const missing = browserPath() === undefined
const options = { skip: missing && 'Chromium is missing: see console.test.mjs' }

let w, page, faults

before(async () => {
  if (missing) return
  w = await world({ demo: false })
  ;({ page, faults } = await watched(w))
  await page.goto(w.address)
})

after(async () => { await w?.end() })

// press goes to a button or a link, and presses Enter.
async function press (name) {
  await tabTo(page, name)
  await enter()
}

async function enter () {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')])
}

// type fills in fields, in the order in which Tab reaches them.
async function type (fields) {
  for (const [label, text] of Object.entries(fields)) {
    await tabTo(page, label)
    for (const [i, part] of text.split('→').entries()) { // of a time: its day and its hour
      if (i) await page.keyboard.press('ArrowRight')
      await page.keyboard.type(part)
    }
  }
}

// fill fills in the last fields of a form, and sends it.
async function fill (fields) {
  await type(fields)
  await enter()
}

async function fitsAPhone () {
  await page.setViewportSize({ width: 390, height: 844 })
  assert.deepEqual(await page.locator('.scroll, .tabs ul').evaluateAll(all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)), [], 'cut off on a phone')
  await page.setViewportSize({ width: 1280, height: 900 })
}

// save confirms what is proposed.
async function save (why) {
  await page.getByRole('heading', { name: 'Differences' }).waitFor()
  if (why) await fill({ Why: why })
  else await press('Save it')
  await page.getByRole('status').getByText('saved').waitFor()
}

test('a season of floorball, by the keyboard alone', options, async () => {
  await looks(page, 'new-empty')
  await press('Make a federation')
  await looks(page, 'new-federation')
  await fill({ 'Your own key': 'ff', Name: 'Floorball Federation' })
  await save()
  await page.getByRole('heading', { name: 'Floorball Federation' }).waitFor()
  await press('Add a competition')
  await looks(page, 'new-competition')
  await type({ 'Your own key': 'cup', Name: 'Premier Floorball', Season: '2026', 'Time zone': 'Europe/Prague' })
  await tabTo(page, 'Rules: the sport, its periods, points and table')
  await page.keyboard.press('Enter')
  await fill({ Sport: 'floorball', 'Periods of a match': '3', 'Minutes of a period': '20' })
  await save()
  for (const name of ['Kladno', 'Ostrava', 'Vitkovice', 'Pilsen']) {
    await press('Add a team')
    await fill({ 'Your own key': name.toLowerCase(), Name: name, 'Short name': name.slice(0, 3).toUpperCase() })
    await save()
  }
  await press('Teams')
  await looks(page, 'new-teams')
  const fixture = async (home, away) => {
    await press('Add a match')
    await fill({ 'Your own key': `${home}-${away}`, Home: home, Away: away, 'Kick-off': '03142026→0300PM', Round: '1' })
    await save()
  }
  await fixture('Kladno', 'Ostrava')
  await fixture('Vitkovice', 'Pilsen')
  await press('Enter results')
  await fill({ Kladno: '3', Ostrava: '3', Vitkovice: '5', Pilsen: '6' })
  await looks(page, 'new-results')
  await save()
  await press('Table')
  const order = () => page.locator('.standings tbody th').allTextContents()
  assert.deepEqual(await order(), ['Pilsen', 'Kladno', 'Ostrava', 'Vitkovice'])

  // Three corrections: a result, points deducted, a team that has withdrawn.
  await press('Fixtures')
  await press('Enter results')
  await fill({ Kladno: '5' })
  await page.getByText('Kladno 2nd to 1st').waitFor()
  await save('the referee wrote')
  await press('Table')
  await press('Kladno')
  await press('Edit or deduct points')
  await fill({ 'Points to begin with': '-2' })
  await save('played with a stranger')
  await press('Withdraw it from the season')
  await fill({ Team: 'Vitkovice', 'Its matches': 'count nowhere', 'From the day on': '03012026' })
  await save('bankrupt')
  await page.goto(w.origin + '/data')
  await press('Premier Floorball')
  assert.deepEqual(await order(), ['Kladno', 'Pilsen', 'Ostrava', 'Vitkovice'])
  await press('Why this order?')
  await fitsAPhone()
  await page.goto(w.origin + '/loads')
  await fitsAPhone()
  assert.deepEqual((await page.getByRole('row').filter({ has: page.locator('td') }).locator('td:nth-child(6)').allTextContents()).slice(0, 3), ['bankrupt', 'played with a stranger', 'the referee wrote'])
  await press('undo … load 10')
  await fill({ Why: 'they play on' })
  await page.getByText('Load 10 is undone').waitFor()
  assert.deepEqual(faults.splice(0), [])
  assert.equal(w.errors(), '')
})
