// Draws the steps of a run: clients, nodes, and the messages between them. Without a framework.

const PLAY_MS = 4500
const TRAVEL_MS = 700
const TOKEN_DIGITS = 6
const NAMES = { 'client-1': 'A', 'client-2': 'B' }

const REPLIES = {
  granted: 'granted', refused: 'refused', quarantined: 'no vote', stale: 'stale', ahead: 'ahead', failed: 'no reply',
  received: '', accepted: 'accepted', rejected: 'rejected',
}

function element(name, className = '', text = '') {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

function svgElement(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value))
  return made
}

/** The last digits of a token; the whole number is shown under the pointer. */
function tokenText(token) {
  const made = element('span', 'number', '…' + String(token).slice(-TOKEN_DIGITS))
  made.title = String(token)
  return made
}

function seconds(millis) {
  return (millis / 1000).toFixed(1) + ' s'
}

function clientBox(client) {
  const box = element('div', `actor client ${NAMES[client.name]} ${client.state}`)
  box.dataset.name = client.name
  box.append(element('b', '', 'Client ' + NAMES[client.name]))
  const states = { idle: 'idle', waits: 'waits', holds: 'holds the lease', lost: 'has lost its lease', paused: 'paused' }
  box.append(element('span', 'state', states[client.state]))
  if (client.token !== null) {
    const token = element('span', '', 'token ')
    token.append(tokenText(client.token))
    box.append(token)
  }
  if (client.leftMillis > 0) {
    box.append(element('span', '', seconds(client.leftMillis) + ' left'))
  }
  if (client.waiting > 0) {
    box.append(element('span', '', client.waiting === 1 ? '1 thread waits' : client.waiting + ' threads wait'))
  }
  return box
}

function resourceBox(resource) {
  const box = element('div', 'actor resource')
  box.dataset.name = 'resource'
  box.append(element('b', '', 'Resource'))
  const written = resource.greatestToken > 0
  const token = element('span', '', written ? 'token ' : 'no write yet')
  token.append(written ? tokenText(resource.greatestToken) : '')
  box.append(token)
  if (resource.rejected > 0) {
    box.append(element('span', 'bad', resource.rejected + ' write rejected'))
  }
  return box
}

/** A row that keeps its height while it is empty, so that the picture does not jump. */
function row(label, ...content) {
  const line = element('span', 'row')
  line.append(element('i', '', label), ...content)
  return line
}

function chip(client) {
  return element('span', 'chip ' + NAMES[client], NAMES[client])
}

function nodeBox(node, leaseMillis, replies) {
  const box = element('li', 'node ' + node.state)
  box.dataset.name = node.name
  box.append(element('b', '', node.name.replace('node-', 'Node ')))
  box.append(element('span', 'state', node.state))
  const lock = row('lock')
  if (node.holder) {
    lock.append(chip(node.holder))
  } else if (node.reservedFor) {
    lock.append(element('span', 'reserved ' + NAMES[node.reservedFor], 'for ' + NAMES[node.reservedFor]))
  }
  const left = element('span', 'left')
  left.style.setProperty('--left', node.holder ? node.leftMillis / leaseMillis : 0)
  box.append(lock, left, row('queue', ...node.queue.map(chip)))
  box.append(row('floor', node.floor > 0 ? tokenText(node.floor) : ''))
  box.append(element('span', 'reply ' + (replies.get(node.name)?.reply ?? ''), replyText(replies.get(node.name))))
  return box
}

function replyText(message) {
  return message ? `${message.kind}: ${REPLIES[message.reply] ?? message.reply}` : ''
}

/** The last reply of each node in this step. */
function repliesOf(step) {
  const replies = new Map()
  step.messages.filter((message) => message.to.startsWith('node') && message.reply !== null)
    .forEach((message) => replies.set(message.to, message))
  return replies
}

function point(box, frame, atTop) {
  const area = box.getBoundingClientRect()
  return { x: area.left + area.width / 2 - frame.left, y: (atTop ? area.top : area.bottom) - frame.top }
}

class Story {
  constructor(root, story) {
    this.story = story
    this.index = 0
    this.timer = 0
    this.root = root
    this.build()
    this.show(0)
  }

  build() {
    this.scene = element('div', 'scene')
    this.wires = svgElement('svg', { class: 'wires', 'aria-hidden': 'true' })
    this.clients = element('div', 'clients')
    this.nodes = element('ol', 'nodes')
    this.scene.append(this.clients, this.nodes, this.wires)
    this.sentence = element('p', 'sentence')
    this.sentence.setAttribute('aria-live', 'polite')
    this.slider = element('input', 'slider')
    Object.assign(this.slider, { type: 'range', min: 0, max: this.story.steps.length - 1, value: 0 })
    this.slider.setAttribute('aria-label', 'Step')
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)))
    this.previous = this.button('previous', '◀ Previous', () => this.go(this.index - 1))
    this.playing = this.button('play', '▶ Play', () => this.togglePlay())
    this.next = this.button('next', 'Next ▶', () => this.go(this.index + 1))
    const buttons = element('div', 'buttons')
    buttons.append(this.previous, this.playing, this.next)
    this.root.tabIndex = 0
    this.root.setAttribute('role', 'group')
    this.root.setAttribute('aria-label', 'The protocol, step by step')
    this.root.replaceChildren(this.scene, this.sentence, this.slider, buttons,
      element('p', 'hint', 'Keys: left and right arrow, space to play, Home and End.'))
  }

  button(name, text, action) {
    const made = element('button', name, text)
    made.type = 'button'
    made.addEventListener('click', action)
    return made
  }

  /** Goes to a step at the request of the reader, which ends the automatic play. */
  go(index) {
    this.stop()
    this.show(index)
  }

  togglePlay() {
    if (this.timer) {
      this.stop()
      return
    }
    if (this.isAtEnd()) {
      this.show(0)
    } else {
      this.show(this.index + 1)
    }
    this.playing.textContent = '❚❚ Pause'
    this.timer = setInterval(() => (this.isAtEnd() ? this.stop() : this.show(this.index + 1)), PLAY_MS)
  }

  stop() {
    clearInterval(this.timer)
    this.timer = 0
    this.playing.textContent = '▶ Play'
  }

  isAtEnd() {
    return this.index === this.story.steps.length - 1
  }

  show(index) {
    this.index = Math.min(Math.max(0, index), this.story.steps.length - 1)
    const step = this.story.steps[this.index]
    const replies = repliesOf(step)
    const [a, b] = step.clients.map(clientBox)
    this.clients.replaceChildren(a, resourceBox(step.resource), b)
    this.nodes.replaceChildren(...step.nodes.map((node) => nodeBox(node, this.story.leaseMillis, replies)))
    const count = element('b', '', `Step ${this.index + 1} of ${this.story.steps.length}, at ${seconds(step.atMillis)}. `)
    this.sentence.replaceChildren(count, step.text)
    this.slider.value = this.index
    this.previous.disabled = this.index === 0
    this.next.disabled = this.isAtEnd()
    this.drawWires(true)
  }

  drawWires(moves) {
    const frame = this.scene.getBoundingClientRect()
    this.wires.setAttribute('viewBox', `0 0 ${frame.width} ${frame.height}`)
    const still = !moves || window.matchMedia('(prefers-reduced-motion: reduce)').matches
    this.wires.replaceChildren(...this.story.steps[this.index].messages.flatMap((message) => this.wire(message, frame, still)))
  }

  wire(message, frame, still) {
    const place = (name) => this.scene.querySelector(`[data-name="${name}"]`)
    const fromNode = message.from.startsWith('node')
    const toNode = message.to.startsWith('node')
    const from = point(place(message.from), frame, fromNode)
    const to = point(place(message.to), frame, toNode)
    if (!fromNode && !toNode) {
      this.alongside(place(message.from), place(message.to), frame, from, to)
    }
    const arrived = message.reply !== null
    const kind = `${message.kind} ${message.reply ?? 'pending'}`
    const line = svgElement('line', { class: kind, x1: from.x, y1: from.y, x2: to.x, y2: to.y })
    const share = arrived ? 1 : 0.5
    const end = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
    const dot = svgElement('circle', { class: kind, r: 4.5, cx: end.x, cy: end.y })
    if (!still) {
      dot.animate([{ transform: `translate(${from.x - end.x}px, ${from.y - end.y}px)` }, { transform: 'none' }],
        { duration: TRAVEL_MS, easing: 'ease-out' })
    }
    return [line, dot]
  }

  /** A write goes from the side of a client to the side of the resource. */
  alongside(client, resource, frame, from, to) {
    const one = client.getBoundingClientRect()
    const other = resource.getBoundingClientRect()
    const isLeft = one.left < other.left
    from.x = (isLeft ? one.right : one.left) - frame.left
    to.x = (isLeft ? other.left : other.right) - frame.left
    from.y = to.y = one.top + Math.min(one.height, other.height) / 2 - frame.top
  }

  key(event) {
    const actions = {
      ArrowRight: () => this.go(this.index + 1), ArrowLeft: () => this.go(this.index - 1),
      Home: () => this.go(0), End: () => this.go(this.story.steps.length - 1), ' ': () => this.togglePlay(),
    }
    const onButton = event.target.tagName === 'BUTTON' && event.key === ' '
    if (actions[event.key] && !onButton && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      actions[event.key]()
    }
  }
}

/** Shows the story inside this element. Returns what ends it. */
export function mountStory(root, data) {
  const story = new Story(root, data)
  const onKey = (event) => story.key(event)
  root.addEventListener('keydown', onKey)
  const observer = new ResizeObserver(() => story.drawWires(false))
  observer.observe(story.scene)
  return () => {
    story.stop()
    observer.disconnect()
    root.removeEventListener('keydown', onKey)
  }
}
