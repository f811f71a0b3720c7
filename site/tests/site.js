// A plain web server for the built site and a browser, which the tests of a file share, and what the browser complains of.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after, before } from 'node:test'
import zlib from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

export const dist = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../target/site')
const base = process.env.HOLDFAST_SITE_BASE ?? '/'
export const shots = path.resolve(dist, '../screenshots')

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.woff2': 'font/woff2', '.png': 'image/png', '.txt': 'text/plain' }

/** What a web server compresses. */
const COMPRESSED = ['.html', '.js', '.css', '.svg', '.json', '.txt']

/** All pages that VitePress has made, as paths. The Javadoc has its own. */
export function pages() {
  return fs.readdirSync(dist, { recursive: true })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.html') && file !== '404.html' && !/^api\/holdfast-/.test(file))
    .sort()
    .map((file) => '/' + file)
}

export function fileOf(pathname) {
  if (!pathname.startsWith(base)) {
    return undefined
  }
  const file = path.join(dist, decodeURIComponent(pathname.slice(base.length)))
  const candidates = [file, path.join(file, 'index.html'), file + '.html']
  return candidates.find((one) => fs.existsSync(one) && fs.statSync(one).isFile())
}

/** Serves files as a plain static server does: without rules of VitePress, except that a directory has an index. */
async function serve() {
  const server = http.createServer((request, response) => {
    const file = fileOf(new URL(request.url, 'http://localhost').pathname)
    if (!file) {
      response.writeHead(404, { 'Content-Type': 'text/plain' })
      response.end('not found')
      return
    }
    const compressed = COMPRESSED.includes(path.extname(file)) && /gzip/.test(request.headers['accept-encoding'])
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream', ...(compressed && { 'Content-Encoding': 'gzip' }) })
    const content = fs.readFileSync(file)
    response.end(compressed ? zlib.gzipSync(content) : content)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${server.address().port}`
  return { origin, url: origin + base.replace(/\/$/, ''), close: () => server.close() }
}

function executable() {
  if (process.env.HOLDFAST_CHROMIUM) {
    return process.env.HOLDFAST_CHROMIUM
  }
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    } catch {
      // Not installed under this name.
    }
  }
  return undefined
}

export let server
let browser
before(async () => {
  server = await serve()
  browser = await chromium.launch({ executablePath: executable(), args: ['--no-sandbox'] })
})
after(async () => {
  await browser?.close()
  server?.close()
})

/** Opens a page that records errors and requests to other servers in its `complaints`. */
export async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.complaints = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      page.complaints.push(`console: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') {
      page.complaints.push(`request to ${request.url()}`)
    }
  })
  page.on('response', (response) => {
    if (response.status() >= 400) {
      page.complaints.push(`${response.status()} ${response.url()}`)
    }
  })
  return page
}

/** Goes to a page of the site, and waits until it is alive. */
export async function visit(page, address) {
  await page.goto(server.url + address, { waitUntil: 'load' })
  await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__)
}

export async function shoot(page, name) {
  fs.mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, name + '.png') })
}
