// A paragraph such as [[ProtocolStory]] is a component of the theme.
const COMPONENT = /^\[\[(\w+)\]\]$/

const SHORT = 24

/** Plugin of markdown-it: marks code that should not be broken into two lines. */
export function shortCode(md) {
  md.core.ruler.push('holdfast-short-code', ({ tokens }) => {
    tokens.flatMap((token) => token.children ?? [])
      .filter((token) => token.type === 'code_inline' && token.content.length <= SHORT)
      .forEach((token) => token.attrJoin('class', 'short'))
  })
}

/** Plugin of markdown-it. */
export function components(md) {
  md.core.ruler.push('holdfast-components', ({ tokens, Token }) => {
    for (let i = 0; i + 2 < tokens.length; i++) {
      const component = tokens[i].type === 'paragraph_open' && COMPONENT.exec(tokens[i + 1].content)
      if (component) {
        const block = new Token('html_block', '', 0)
        block.content = `<${component[1]} />\n`
        tokens.splice(i, 3, block)
      }
    }
  })
}
