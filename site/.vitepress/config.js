import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitepress'
import { components, shortCode } from './components.js'
import { links, source } from './links.js'
import { pageList, repository, rewrites, sidebar } from './pages.js'

const site = path.join(repository, 'site')
const base = process.env.HOLDFAST_SITE_BASE ?? '/'

const description = 'Distributed locks on Redis for Java: a library, and a command that runs programs under a lock'

export default defineConfig({
  title: 'Holdfast',
  description,
  lang: 'en',
  base,
  srcDir: repository,
  srcExclude: ['**/target/**', '**/node_modules/**', '.git/**', '.github/**', ...unlisted()],
  rewrites,
  outDir: path.join(site, 'target/site'),
  cacheDir: path.join(site, 'target/cache'),
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: base + 'icon.svg' }]],
  buildEnd: ({ outDir }) => {
    // The console has the same icon.
    fs.copyFileSync(path.join(repository, 'console/src/main/resources/io/holdfast/console/page/icon.svg'), path.join(outDir, 'icon.svg'))
    fs.writeFileSync(path.join(outDir, 'llms.txt'), pageList(base, description))
  },
  markdown: {
    // A document has no HTML, and a name such as <group> is text.
    html: false,
    linkify: false,
    image: { lazyLoading: true },
    config: (md) => {
      links(md, base)
      components(md)
      shortCode(md)
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'How it works', link: '/protocol' },
      { text: 'Command', link: '/command' },
      { text: 'API', link: '/api/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // Words such as "of" are in every section. The function becomes a part of the page, so it uses nothing from here.
          options: { processTerm: (term) => (/^(.|an|and|are|as|at|by|for|in|is|it|of|on|or|that|the|to|with)$/i.test(term) ? null : term.toLowerCase()) },
          searchOptions: { fuzzy: 0.1, prefix: true, boost: { title: 5, titles: 2, text: 1 } },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: source }],
    editLink: { pattern: source + '/edit/main/:path', text: 'Edit this page' },
    footer: { message: 'Apache License 2.0' },
  },
  vite: {
    plugins: [packagesForDocuments()],
    // The search index is one file.
    build: { chunkSizeWarningLimit: 1500, assetsInlineLimit: 0 },
  },
})

/** The documents are outside of this directory, where the packages are. */
function packagesForDocuments() {
  return {
    name: 'packages-for-documents',
    enforce: 'pre',
    resolveId(name, importer) {
      const isOfDocument = /^vue($|\/)/.test(name) && importer?.split('?')[0].endsWith('.md')
      return isOfDocument ? this.resolve(name, path.join(site, 'package.json'), { skipSelf: true }) : null
    },
  }
}

/** The other Markdown of the repository is not published. */
function unlisted() {
  return ['README.md', '.github/**', 'build/**', 'evidence/**', 'integrations/**', 'packaging/**', 'testing/**', 'site/*.md', 'examples/*.md']
}
