// A paragraph such as [[ProtocolStory]] is a component of the theme. [[Tabs: One, Two]] begins tabs, [[Tab]] each of
// them, and [[End]] ends them.
const COMPONENT = /^\[\[(\w+)(?:: (.+))?\]\]$/

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
    const tabs = new TabMarks()
    for (let i = 0; i + 2 < tokens.length; i++) {
      const component = tokens[i].type === 'paragraph_open' && COMPONENT.exec(tokens[i + 1].content)
      if (component) {
        const [, name, argument] = component
        const block = new Token('html_block', '', 0)
        block.content = (tabs[name]?.(argument) ?? `<${name} />`) + '\n'
        tokens.splice(i, 3, block)
      }
    }
  })
}

/** The elements of tabs: each is a radio button before its content, so that they work by the keyboard and without a script. */
class TabMarks {
  Tabs(names) {
    this.names = names.split(', ')
    this.next = 0
    return '<div class="tabs">'
  }

  Tab() {
    const number = this.next++
    const input = `<input type="radio" name="tabs" id="tab-${number}"${number === 0 ? ' checked' : ''}>`
    return `${number > 0 ? '</div>' : ''}${input}<label for="tab-${number}">${this.names[number]}</label><div class="tab">`
  }

  End() {
    return '</div></div>'
  }
}
