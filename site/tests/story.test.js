import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { dist, open, server, shoot } from './site.js'

const story = JSON.parse(fs.readFileSync(path.resolve(dist, '../story.json'), 'utf8'))
const last = story.steps.length

async function openStory(options = {}) {
  const page = await open(options)
  await page.goto(server.url + '/protocol')
  await page.locator('.story .sentence').waitFor()
  return page
}

const step = (page) => page.locator('.story .sentence b').innerText()

test('the reader steps to the end and back, and every sentence is that of the run', async () => {
  const page = await openStory({ reducedMotion: 'reduce' })
  for (let i = 1; i <= last; i++) {
    assert.ok((await step(page)).startsWith(`Step ${i} of ${last},`))
    assert.ok((await page.locator('.story .sentence').innerText()).endsWith(story.steps[i - 1].text))
    assert.equal(await page.locator('.story .wires line').count(), story.steps[i - 1].messages.length)
    if (i < last) {
      await page.locator('.story .next').click()
    }
  }
  assert.ok(await page.locator('.story .next').isDisabled())
  for (let i = last; i > 1; i--) {
    await page.locator('.story .previous').click()
  }
  assert.ok(await page.locator('.story .previous').isDisabled())
  assert.deepEqual(page.complaints, [])
})

test('the keyboard steps, plays and stops', async () => {
  const page = await openStory()
  await page.locator('.story').focus()
  await page.keyboard.press('ArrowRight')
  assert.match(await step(page), /^Step 2 /)
  await page.keyboard.press('End')
  assert.match(await step(page), new RegExp(`^Step ${last} `))
  await page.keyboard.press('Home')
  assert.match(await step(page), /^Step 1 /)
  await page.keyboard.press(' ')
  assert.match(await page.locator('.story .play').innerText(), /Pause/)
  assert.match(await step(page), /^Step 2 /)
  await page.keyboard.press('ArrowLeft')
  assert.match(await page.locator('.story .play').innerText(), /Play/)
})

test('it plays to its end by itself', async () => {
  const page = await open()
  await page.clock.install()
  await page.goto(server.url + '/protocol')
  await page.locator('.story .play').click()
  for (let i = 0; i <= last; i++) {
    await page.clock.runFor(5_000)
  }
  assert.match(await step(page), new RegExp(`^Step ${last} `))
  assert.match(await page.locator('.story .play').innerText(), /Play/)
})

for (const [name, options] of [
  ['desktop-light', { colorScheme: 'light' }],
  ['desktop-dark', { colorScheme: 'dark' }],
  ['phone-light', { colorScheme: 'light', viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }],
  ['phone-dark', { colorScheme: 'dark', viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }],
]) {
  test(`nothing in the picture is wider than its box, ${name}`, async () => {
    const page = await openStory({ reducedMotion: 'reduce', ...options })
    for (let i = 1; i <= last; i++) {
      const wide = await page.evaluate(() => [...document.querySelectorAll('.story .node, .story .actor, .story .node *, .story .actor *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
        .map((one) => one.className + ': ' + one.textContent))
      assert.deepEqual(wide, [], `step ${i}`)
      if ([3, 7, 10, 16].includes(i)) {
        await page.locator('.story').evaluate((story) => story.scrollIntoView({ block: 'start' }))
        await shoot(page, `story-${name}-${i}`)
      }
      if (i < last) {
        await page.locator('.story .next').click()
      }
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true)
  })
}
