// Links between the documents are written for a checkout. On the site, a link to a document leads to its page, and a
// link to another file leads to the repository.
import fs from 'node:fs'
import path from 'node:path'
import { address, repository, rewrites } from './pages.js'

export const source = 'https://github.com/holdfast-locks/holdfast'

function onSite(href, from) {
  const [target, anchor] = href.split('#')
  if (!target || /^[a-z]+:/.test(target) || target.startsWith('/')) {
    return href
  }
  const file = path.posix.join(path.posix.dirname(from), target)
  const hash = anchor ? '#' + anchor : ''
  if (file in rewrites) {
    return address(file) + hash
  }
  return fs.existsSync(path.join(repository, file)) ? `${source}/blob/main/${file}${hash}` : href
}

/** Plugin of markdown-it; the base is the path of the site on its server. */
export function links(md, base) {
  md.core.ruler.push('holdfast-links', ({ tokens, env }) => {
    if (!env.realPath) {
      return
    }
    const from = path.relative(repository, env.realPath).split(path.sep).join('/')
    tokens.flatMap((token) => token.children ?? []).filter((token) => token.type === 'link_open').forEach((token) => {
      const href = onSite(token.attrGet('href'), from)
      token.attrSet('href', href)
      if (href.startsWith('/api/holdfast-')) {
        // The Javadoc is no page of VitePress, which does not change a link with a target.
        token.attrSet('target', '_self')
        token.attrSet('href', base + href.slice(1))
      }
    })
  })
}
