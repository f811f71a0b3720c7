// The page that the simulation writes of a run. It is one file, and is opened without a server.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { dist, launch, open, shoot } from './site.js'

const target = path.resolve(dist, '..')
const modules = path.resolve(target, '../../evidence/simulation/target')
const jar = fs.readdirSync(modules).find((file) => /^holdfast-simulation-.*\d(-SNAPSHOT)?\.jar$/.test(file))
const good = path.join(target, 'timeline.html')
const bad = path.join(target, 'timeline-violation.html')
const DATA = /(<script type="application\/json" id="data">)(.*)(<\/script>)/

let browser
before(async () => {
  execFileSync('java', ['-jar', path.join(modules, jar), '--nodes', '3', '--seed', '5', '--timeline', good])
  // Correct code breaks no promise, so the test adds a violation to the data of the run.
  fs.writeFileSync(bad, fs.readFileSync(good, 'utf8').replace(DATA, (all, begin, json, end) => {
    const data = JSON.parse(json)
    const middle = data.events[Math.floor(data.events.length * 0.7)]
    data.violations = [{ atMillis: middle.atMillis, property: 'EXCLUSION', text: 'client-1 holds <lock-1>, and so does client-2' }]
    return begin + JSON.stringify(data).replaceAll('<', '\\u003c') + end
  }))
  browser = await launch()
})
after(() => browser?.close())

async function openFile(file, options = {}) {
  const page = await open(browser, options)
  await page.goto(pathToFileURL(file).href)
  await page.locator('#picture svg').waitFor()
  return page
}

const range = (page) => page.locator('#range').innerText()
const rows = (page) => page.locator('#picture text.lane').allTextContents()

test('a run without a violation begins at its beginning', async () => {
  const page = await openFile(good)
  assert.match(await range(page), /^0\.0\d\d s to 3\.0\d\d s$/)
  assert.equal(await page.locator('#picture line.violation').count(), 0)
  assert.ok(await page.locator('#picture rect.lease').count() > 0)
  assert.deepEqual(page.complaints, [])
})

for (const [name, options] of [
  ['desktop-light', { colorScheme: 'light' }],
  ['desktop-dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }],
]) {
  test(`the first violation is in view in the picture and in the list, ${name}`, async () => {
    const page = await openFile(bad, options)
    assert.equal(await page.locator('#picture line.violation').count(), 1)
    const isInView = await page.evaluate(() => {
      const list = document.getElementById('events').getBoundingClientRect()
      const row = document.querySelector('#events tr.violation').getBoundingClientRect()
      return row.top >= list.top && row.bottom <= list.bottom
    })
    assert.ok(isInView)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true)
    await shoot(page, `timeline-${name}`)
    await page.locator('#plan summary').click()
    await shoot(page, `timeline-${name}-plan`)
    assert.deepEqual(page.complaints, [])
  })
}

test('zoom and move change the range, and a violation is found again', async () => {
  const page = await openFile(bad)
  const first = await range(page)
  await page.keyboard.press('+')
  const closer = await range(page)
  assert.notEqual(closer, first)
  await page.keyboard.press('ArrowLeft')
  assert.notEqual(await range(page), closer)
  await page.locator('#all').click()
  assert.notEqual(await range(page), first)
  await page.locator('#first').click()
  assert.equal(await range(page), first)
})

test('filters leave out other clients, nodes and locks', async () => {
  const page = await openFile(bad)
  await page.locator('#client').selectOption('client-1')
  await page.locator('#node').selectOption('node-2')
  const lanes = await rows(page)
  assert.ok(lanes.includes('client-1') && lanes.includes('node-2'), lanes.join())
  assert.ok(!lanes.some((lane) => /client-2|node-1|node-3/.test(lane)), lanes.join())
  const listed = await page.locator('#events tr:not(.violation) td:nth-child(2)').allInnerTexts()
  assert.ok(listed.every((lane) => ['', 'client-1', 'node-2', 'client-1 → node-2'].includes(lane)))
  const lock = await page.locator('#lock option').nth(1).innerText()
  await page.locator('#lock').selectOption(lock)
  assert.deepEqual([...new Set(await page.locator('#picture text.lock').allTextContents())], [lock])
})

test('the plan is a table without durations of Java', async () => {
  const page = await openFile(good)
  await page.locator('#plan summary').click()
  const plan = await page.locator('#plan-tables').innerText()
  assert.match(plan, /seed\s+5/)
  assert.doesNotMatch(plan, /PT|8766/)
})
