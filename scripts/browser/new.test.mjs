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
  await page.keyboard.press('Enter')
}

// fill fills in the fields of a form, in the order in which Tab reaches them.
async function fill (fields) {
  for (const [label, text] of Object.entries(fields)) {
    await tabTo(page, label)
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
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
  await fill({
    'Your own key': 'cup', Name: 'Premier Floorball', 'Time zone': 'Europe/Prague', Sport: 'floorball',
    'Periods of a match': '3', 'Minutes of a period': '20', Season: '2026'
  })
  await save()
  for (const name of ['Kladno', 'Ostrava', 'Vitkovice', 'Pilsen']) {
    await press('Add a team')
    await fill({ 'Your own key': name.toLowerCase(), Name: name, 'Short name': name.slice(0, 3).toUpperCase() })
    await save()
    await page.goto(w.origin + '/data')
    await press('Premier Floorball')
    await page.waitForURL(/competitions/)
  }
  await looks(page, 'new-teams')
  const fixture = async (home, away) => {
    await press('Add a match')
    await fill({ 'Your own key': `${home}-${away}`, Home: home, Away: away, 'Kick-off': '03142026\t0300PM', Round: '1' })
    await save()
    await page.goto(w.origin + '/data')
    await press('Premier Floorball')
    await page.waitForURL(/competitions/)
  }
  await fixture('Kladno', 'Ostrava')
  await fixture('Vitkovice', 'Pilsen')
  await press('Fixtures')
  await press('Enter results')
  await fill({ Kladno: '3', Ostrava: '3', Vitkovice: '5', Pilsen: '6' })
  await looks(page, 'new-results')
  await save()
  assert.deepEqual(faults.splice(0), [])
  assert.equal(w.errors(), '')
})
