import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { repository } from '../.vitepress/pages.js'
import { dist, fileOf, open, pages, server, shoot, visit } from './site.js'

// site/build --without-api leaves the Javadoc out, and says so in a file.
const withoutApi = fs.existsSync(path.resolve(dist, '../without-api'))

/** What each page has: its links, and the places that a link may lead to. */
async function crawl() {
  const found = new Map()
  const page = await open()
  for (const address of pages()) {
    await visit(page, address)
    found.set(address, await page.evaluate(() => ({
      links: [...document.querySelectorAll('a[href]')].map((a) => a.href),
      ids: [...document.querySelectorAll('[id]')].map((one) => one.id),
      title: document.title,
    })))
  }
  return { found, complaints: page.complaints }
}

test('every page loads without an error and without a request to another server, and every internal link works', async () => {
  const { found, complaints } = await crawl()
  assert.ok(found.size > 25, `${found.size} pages`)
  assert.deepEqual(complaints, [])
  const broken = []
  for (const [address, { links }] of found) {
    for (const link of links.filter((one) => new URL(one).origin === server.origin)) {
      const { pathname, hash } = new URL(link)
      if (withoutApi && pathname.startsWith('/api/holdfast-')) {
        continue
      }
      const file = fileOf(pathname)
      const page = [...found.keys()].find((one) => fileOf(one) === file)
      if (!file || (hash && page && !found.get(page).ids.includes(decodeURIComponent(hash.slice(1))))) {
        broken.push(`${address}: ${link}`)
      }
    }
  }
  assert.deepEqual(broken, [])
})

test('titles are distinct', async () => {
  const { found } = await crawl()
  const titles = [...found.values()].map((page) => page.title)
  assert.equal(new Set(titles).size, titles.length, titles.join(', '))
})

for (const colorScheme of ['light', 'dark']) {
  test(`no page scrolls sideways on a phone, ${colorScheme}`, async () => {
    const page = await open({ viewport: { width: 375, height: 740 }, colorScheme, isMobile: true, hasTouch: true })
    const wide = []
    for (const address of pages()) {
      await visit(page, address)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 375) {
        wide.push(`${address} ${width}`)
      }
    }
    assert.deepEqual(wide, [])
    assert.equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), colorScheme === 'dark')
  })
}

test('search finds a page, by the keyboard, from the start page', async () => {
  const page = await open()
  await visit(page, '/')
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('quarantine of a node')
  await page.locator('#localsearch-list a').first().waitFor()
  await shoot(page, 'search')
  await page.keyboard.press('Enter')
  await page.waitForURL(/architecture|operations|concepts/)
  await page.locator('main', { hasText: /quarantine/i }).waitFor()
  assert.deepEqual(page.complaints, [])
})

test('search finds what is only in a table of the command', async () => {
  const page = await open()
  await page.goto(server.url + '/')
  await page.locator('.VPNavBarSearch button').first().click()
  await page.locator('#localsearch-input').fill('hold-at-least')
  await page.locator('#localsearch-list a[href*="command"]').first().waitFor()
})

test('the API leads to the Javadoc of each published module', { skip: withoutApi }, async () => {
  const page = await open()
  await page.goto(server.url + '/')
  await page.locator('.VPNavBarMenu a[href*="/api/"]').click()
  const modules = fs.readdirSync(path.join(dist, 'api')).filter((name) => name.startsWith('holdfast-'))
  await page.locator('main a', { hasText: 'holdfast-core' }).waitFor()
  const listed = await page.locator('main a[href*="/api/holdfast-"]').allInnerTexts()
  assert.deepEqual(listed.sort(), modules.sort())
  await page.locator('main a', { hasText: 'holdfast-core' }).click()
  await page.locator('text=io.holdfast.core').first().waitFor()
  assert.match(page.url(), /api\/holdfast-core/)
})

test('a phone has the menu with all pages', async () => {
  const page = await open({ viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true })
  await page.goto(server.url + '/locks')
  await page.locator('.VPLocalNav button.menu').click()
  const link = page.locator('.VPSidebar a[href$="/fencing.html"]:not([href*="decisions"])')
  await link.click()
  await page.waitForURL(/fencing/)
})

test('the menu shows fifteen entries at most; evidence and decisions are folded', async () => {
  const page = await open()
  for (const address of pages()) {
    await page.goto(server.url + address, { waitUntil: 'load' })
    const menu = page.locator('.VPSidebar')
    if (!await menu.count()) {
      continue
    }
    await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__)
    const entries = await menu.locator('a:visible').count()
    assert.ok(entries > 0 && entries <= 15, `${address}: ${entries} entries`)
    for (const folded of ['Evidence', 'Decisions'].filter((one) => !address.startsWith(`/${one.toLowerCase()}/`))) {
      await menu.locator('.VPSidebarItem.level-0.collapsed', { has: page.locator('h2', { hasText: folded }) }).waitFor()
    }
  }
})

test('llms.txt lists every page with a title, a line and its address', async () => {
  const text = await (await fetch(server.url + '/llms.txt')).text()
  const entries = [...text.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)].map(([, , address, line]) => ({ address, line }))
  assert.deepEqual(entries.filter(({ line }) => line.length < 15 || line.length > 300), [])
  assert.deepEqual(entries.map(({ address }) => fileOf(address)).sort(), pages().map((page) => path.join(dist, page)).sort())
})

test('the site has the icon of the console', async () => {
  const page = await open()
  await page.goto(server.url + '/')
  const own = fs.readFileSync(path.join(repository, 'console/src/main/resources/io/holdfast/console/page/icon.svg'), 'utf8')
  for (const [selector, attribute] of [['link[rel=icon]', 'href'], ['.VPNavBarTitle img.logo', 'src']]) {
    const address = await page.locator(selector).getAttribute(attribute)
    assert.equal(await (await fetch(server.origin + address)).text(), own)
  }
  assert.deepEqual(page.complaints, [])
})

test('all charts of the benchmarks are shown', async () => {
  const drawn = fs.readdirSync(path.join(repository, 'docs/evidence/charts')).filter((name) => name.endsWith('.svg'))
  const page = await open()
  await page.goto(server.url + '/evidence/benchmarks')
  const charts = await page.locator('.vp-doc img').all()
  assert.equal(charts.length, drawn.length)
  for (const chart of charts) {
    await chart.scrollIntoViewIfNeeded()
    await page.waitForFunction((image) => image.complete && image.naturalWidth > 300, await chart.elementHandle())
  }
})
