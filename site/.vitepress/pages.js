// Which files of the repository are pages, where they are on the site, and in which order the menu lists them.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

const groups = [
  ['Start', ['site/pages/front.md', 'docs/getting-started.md', 'docs/recipes.md', 'docs/concepts.md', 'site/pages/protocol.md', 'docs/comparison.md', 'docs/redlock.md']],
  ['Locks', ['docs/locks.md', 'docs/fencing.md', 'docs/waiting.md', 'docs/nodes.md', 'docs/protocol.md', 'docs/testing.md', 'site/pages/api/index.md']],
  ['Jobs and operations', ['docs/jobs.md', 'docs/command.md', 'docs/console.md', 'docs/operations.md', 'docs/metrics.md']],
  ['Other libraries', ['docs/spring-boot.md', 'docs/reactor.md', 'docs/kotlin.md', 'docs/from-redisson.md', 'docs/from-shedlock.md', 'docs/from-spring-integration.md', 'examples/inventory/README.md']],
  ['Evidence', ['docs/evidence/scoreboard.md', 'docs/evidence/benchmarks.md', 'docs/evidence/simulation.md', 'docs/evidence/model.md', 'docs/evidence/faults.md', 'docs/evidence/stress.md', 'docs/evidence/fuzzing.md', 'docs/evidence/command.md', 'docs/evidence/scenarios.md', 'docs/evidence/known-faults.md']],
  ['Project', ['docs/ARCHITECTURE.md', 'docs/build.md', 'docs/dependencies.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']],
  ['Decisions', ['README', 'protocol', 'quarantine', 'fencing', 'waiting', 'connections', 'api', 'libraries', 'command', 'console', 'records', 'evidence'].map((topic) => `docs/decisions/${topic}.md`)],
]

/** The documents that are called differently on the site. */
const names = { 'docs/protocol.md': 'protocol-of-the-nodes.md', 'site/pages/front.md': 'index.md', 'examples/inventory/README.md': 'inventory.md', 'docs/decisions/README.md': 'decisions/index.md' }

/** From a file of the repository to a file of the site. */
export const rewrites = Object.fromEntries(groups.flatMap(([, files]) => files).map((file) =>
  [file, names[file] ?? file.replace(/^(docs|site\/pages)\//, '').toLowerCase()]))

function markdownBelow(directory) {
  return fs.readdirSync(path.join(repository, directory), { recursive: true })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join(directory, file.split(path.sep).join('/')))
}

const forgotten = [...markdownBelow('docs'), ...markdownBelow('site/pages')].filter((file) => !(file in rewrites))
if (forgotten.length > 0) {
  throw new Error(`site/.vitepress/pages.js does not list ${forgotten.join(', ')}; add it to a group`)
}

function title(file) {
  const heading = /^# (.+)$/m.exec(fs.readFileSync(path.join(repository, file), 'utf8'))
  return heading[1].replaceAll('`', '')
}

function plain(markdown) {
  return markdown.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*<>]/g, '')
}

/** The first sentence below the title; for a page that begins with a section or a table, the names of its first sections. */
function summary(file) {
  const text = fs.readFileSync(path.join(repository, file), 'utf8')
  const first = text.slice(text.search(/^# /m)).split(/\n\s*\n/)[1]
  if (/^[#|]/.test(first)) {
    return [...text.matchAll(/^## (?:\d+\. )?(.+)$/gm)].slice(0, 3).map(([, name]) => plain(name).replace(/ \(2\d{3}-.*\)$/, '')).join('; ')
  }
  return (/^.*?[.:!?](?=\s|$)/.exec(plain(first))?.[0] ?? plain(first)).replace(/:$/, '.')
}

/** The list of the pages for programs that read: https://llmstxt.org. The base is the path of the site on its server. */
export function pageList(base, description) {
  const lists = groups.map(([text, files]) => `## ${text}\n\n`
    + files.map((file) => `- [${title(file)}](${base}${address(file).slice(1)}): ${summary(file)}\n`).join(''))
  return `# Holdfast\n\n> ${description}\n\n${lists.join('\n')}`
}

export function address(file) {
  return '/' + rewrites[file].replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')
}

export const sidebar = groups.map(([text, files]) => ({
  text,
  // VitePress unfolds the group of the page that is shown.
  collapsed: true,
  items: files.map((file) => ({ text: title(file), link: address(file) })),
}))
