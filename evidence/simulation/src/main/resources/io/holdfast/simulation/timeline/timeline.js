'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);
const ROW = 18;
const TOP = 22;
const GRID_LINES = 8;
const MOST_MESSAGES = 3000;
const MOST_EVENTS = 1500;
const MOST_BEFORE = 1000;
const BEFORE_MS = 2500;
const AFTER_MS = 500;
const SHORTEST_MS = 1;

const wanted = { lock: '', client: '', node: '' };
let from = data.fromMillis;
let to = data.toMillis;

function element(name, attributes = {}, text = '') {
  const svg = ['svg', 'rect', 'line', 'text', 'title', 'g'].includes(name);
  const made = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text) {
    made.textContent = text;
  }
  return made;
}

function seconds(millis) {
  return (millis / 1000).toFixed(to - from < 100 ? 5 : 3) + ' s';
}

/** Whether the filters let a place through. A link belongs to its client and to its node. */
function isShownLane(lane) {
  const parts = lane.split(' → ');
  return parts.every((part) => {
    const filter = part.startsWith('node') ? wanted.node : wanted.client;
    return !filter || part === filter;
  });
}

function isShownLock(lock) {
  return !lock || !wanted.lock || lock === wanted.lock;
}

/** A row for each place, and one below it for each lock that has a bar there. A link has a row while it has a fault. */
function findRows() {
  const rows = new Map();
  const locksOf = new Map();
  data.bars.forEach((bar) => {
    const isLinkElsewhere = bar.lane.includes(' → ') && (bar.toMillis < from || bar.fromMillis > to);
    if (isLinkElsewhere) {
      return;
    }
    if (!locksOf.has(bar.lane)) {
      locksOf.set(bar.lane, new Set());
    }
    locksOf.get(bar.lane).add(bar.lock);
  });
  data.lanes.forEach((lane) => {
    const locks = [...(locksOf.get(lane.name) || [])].sort();
    if (!isShownLane(lane.name) || (lane.kind === 'link' && locks.length === 0)) {
      return;
    }
    rows.set(lane.name + '\n', { name: lane.name, lock: '', index: rows.size });
    locks.filter((lock) => lock && isShownLock(lock))
        .forEach((lock) => rows.set(lane.name + '\n' + lock, { name: '', lock, index: rows.size }));
  });
  return rows;
}

function draw() {
  const picture = byId('picture');
  const rows = findRows();
  const left = Math.min(130, Math.max(84, picture.clientWidth / 6));
  const width = picture.clientWidth;
  const height = TOP + rows.size * ROW + 8;
  const x = (millis) => left + (width - left - 8) * (millis - from) / (to - from);
  const y = (row) => TOP + row.index * ROW;
  const svg = element('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  drawRows(svg, rows, width, y);
  drawGrid(svg, height, left, x);
  const hidden = drawMessages(svg, rows, x, y);
  data.bars.forEach((bar) => drawBar(svg, bar, rows.get(bar.lane + '\n' + bar.lock), x, y, left));
  drawViolations(svg, height, x);
  picture.replaceChildren(svg);
  byId('range').textContent = seconds(from) + ' to ' + seconds(to);
  listEvents(hidden);
}

function drawRows(svg, rows, width, y) {
  rows.forEach((row) => {
    if (row.name) {
      svg.append(element('rect', { class: 'band', x: 0, y: y(row), width, height: ROW - 1 }));
    }
    const label = row.name || row.lock;
    svg.append(element('text', { class: row.name ? 'lane' : 'lock', x: row.name ? 4 : 12, y: y(row) + 13 }, label));
  });
}

function drawGrid(svg, height, left, x) {
  const lines = x(to) < 600 ? 2 : GRID_LINES;
  for (let i = 0; i <= lines; i++) {
    const at = from + (to - from) * i / lines;
    svg.append(element('line', { class: 'grid', x1: x(at), x2: x(at), y1: TOP - 4, y2: height }));
    const anchor = i === 0 ? 'start' : i === lines ? 'end' : 'middle';
    svg.append(element('text', { class: 'time', x: x(at), y: 13, 'text-anchor': anchor }, seconds(at)));
  }
}

function drawMessages(svg, rows, x, y) {
  const shown = data.messages.filter((message) => message.arrivedMillis >= from && message.sentMillis <= to
      && isShownLock(message.lock) && rows.has(message.from + '\n') && rows.has(message.to + '\n'));
  const opacity = Math.min(0.8, Math.max(0.15, 200 / shown.length));
  shown.slice(0, MOST_MESSAGES).forEach((message) => svg.append(element('line', {
    class: 'message', opacity,
    x1: x(Math.max(from, message.sentMillis)), y1: y(rows.get(message.from + '\n')) + ROW / 2,
    x2: x(Math.min(to, message.arrivedMillis)), y2: y(rows.get(message.to + '\n')) + ROW / 2 })));
  return Math.max(0, shown.length - MOST_MESSAGES);
}

function drawBar(svg, bar, row, x, y, left) {
  if (!row || bar.toMillis < from || bar.fromMillis > to) {
    return;
  }
  const start = x(Math.max(from, bar.fromMillis));
  const length = Math.max(1.5, x(Math.min(to, bar.toMillis)) - start);
  const group = element('g');
  const box = element('rect', { class: bar.kind, x: start, y: y(row) + 2, width: length, height: ROW - 5 });
  box.append(element('title', {}, `${bar.label}: ${bar.text}\n${seconds(bar.fromMillis)} to ${seconds(bar.toMillis)}`));
  group.append(box);
  if (length > 6.5 * bar.label.length && start >= left) {
    group.append(element('text', { class: 'on-bar', x: start + 2, y: y(row) + 12 }, bar.label));
  }
  svg.append(group);
}

function drawViolations(svg, height, x) {
  data.violations.filter((violation) => violation.atMillis >= from && violation.atMillis <= to).forEach((violation) => {
    const at = x(violation.atMillis);
    const line = element('line', { class: 'violation', x1: at, x2: at, y1: TOP - 6, y2: height });
    line.append(element('title', {}, violation.property + ': ' + violation.text));
    svg.append(line);
  });
}

function listEvents(hiddenMessages) {
  const inPart = data.events.filter((event) => event.atMillis >= from && event.atMillis <= to
      && isShownLock(event.lock) && (!event.lane || isShownLane(event.lane)));
  const broken = data.violations.find((violation) => violation.atMillis >= from && violation.atMillis <= to);
  // A long part is cut to the events around its first violation.
  const middle = broken ? inPart.findIndex((event) => event.atMillis > broken.atMillis) : 0;
  const begin = Math.max(0, (middle < 0 ? inPart.length : middle) - MOST_BEFORE);
  const shown = inPart.slice(begin, begin + MOST_EVENTS);
  const isCut = shown.length < inPart.length;
  const isListed = (at) => !isCut || (at >= shown[0].atMillis && at <= shown[shown.length - 1].atMillis);
  const violations = data.violations.filter((violation) => violation.atMillis >= from && violation.atMillis <= to)
      .filter((violation) => isListed(violation.atMillis))
      .map((violation) => ({ atMillis: violation.atMillis, lane: violation.property, text: violation.text, broken: true }));
  // A stable sort: a violation is listed after the event that it follows from.
  const all = [...shown, ...violations].sort((one, other) => one.atMillis - other.atMillis);
  byId('events').querySelector('tbody').replaceChildren(...all.map((event) => {
    const row = element('tr', event.broken ? { class: 'violation' } : {});
    row.append(element('td', {}, (event.atMillis / 1000).toFixed(6)), element('td', {}, event.lane), element('td', {}, event.text));
    return row;
  }));
  const notes = [];
  if (isCut) {
    const which = broken ? 'around the violation' : 'at the beginning';
    notes.push(`The list shows ${shown.length} of ${inPart.length} events, those ${which}; zoom in for the rest.`);
  }
  if (hiddenMessages > 0) {
    notes.push(`${hiddenMessages} messages are not drawn; zoom in.`);
  }
  byId('note').textContent = notes.join(' ');
}

/** Scrolls the list to the violation, and not the whole page. */
function scrollToViolation() {
  const list = byId('events');
  const row = list.querySelector('tr.violation');
  if (row) {
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
}

function show(newFrom, newTo) {
  const length = Math.min(Math.max(newTo - newFrom, SHORTEST_MS), data.toMillis - data.fromMillis);
  from = Math.max(data.fromMillis, Math.min(newFrom, data.toMillis - length));
  to = from + length;
  draw();
}

function showViolation(violation) {
  show(violation.atMillis - BEFORE_MS, violation.atMillis + AFTER_MS);
  scrollToViolation();
}

function zoom(factor, around = (from + to) / 2) {
  show(around - (around - from) * factor, around + (to - around) * factor);
}

function move(share) {
  show(from + (to - from) * share, to + (to - from) * share);
}

function fillFilter(id, title, names) {
  const select = byId(id);
  select.append(element('option', { value: '' }, title));
  names.forEach((name) => select.append(element('option', { value: name }, name)));
  select.addEventListener('change', () => {
    wanted[id] = select.value;
    draw();
    scrollToViolation();
  });
}

function fillPlan() {
  const groups = new Map();
  data.plan.forEach((row) => {
    if (!groups.has(row.group)) {
      const table = element('table');
      table.append(element('caption', {}, row.group));
      groups.set(row.group, table);
      byId('plan-tables').append(table);
    }
    const line = element('tr');
    line.append(element('th', { scope: 'row' }, row.name), element('td', {}, row.value));
    groups.get(row.group).append(line);
  });
}

function fillViolations() {
  data.violations.forEach((violation) => {
    const button = element('button', { type: 'button' }, `${seconds(violation.atMillis)} ${violation.property}: ${violation.text}`);
    button.addEventListener('click', () => showViolation(violation));
    const item = element('li');
    item.append(button);
    byId('violations').append(item);
  });
  byId('first').hidden = data.violations.length === 0;
}

function listen() {
  const first = () => showViolation(data.violations[0]);
  const actions = {
    in: () => zoom(0.5), out: () => zoom(2), earlier: () => move(-0.5), later: () => move(0.5),
    all: () => show(data.fromMillis, data.toMillis), first };
  Object.entries(actions).forEach(([id, action]) => byId(id).addEventListener('click', action));
  const keys = { '+': actions.in, '=': actions.in, '-': actions.out, ArrowLeft: actions.earlier, ArrowRight: actions.later };
  document.addEventListener('keydown', (event) => {
    const action = keys[event.key];
    if (action && event.target.tagName !== 'SELECT' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      action();
    }
  });
  let timer = 0;
  window.addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(draw, 100);
  });
  listenToDrag();
}

function listenToDrag() {
  const picture = byId('picture');
  let last = null;
  picture.addEventListener('pointerdown', (event) => {
    last = event.clientX;
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener('pointermove', (event) => {
    if (last !== null && event.clientX !== last) {
      move((last - event.clientX) / picture.clientWidth);
      last = event.clientX;
    }
  });
  ['pointerup', 'pointercancel'].forEach((name) => picture.addEventListener(name, () => { last = null; }));
  picture.addEventListener('wheel', (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8);
    }
  }, { passive: false });
}

byId('title').textContent = data.title;
document.title = data.title;
fillPlan();
fillFilter('lock', 'all locks', data.locks);
fillFilter('client', 'all clients', data.lanes.filter((lane) => lane.kind === 'client').map((lane) => lane.name));
fillFilter('node', 'all nodes', data.lanes.filter((lane) => lane.kind === 'node').map((lane) => lane.name));
fillViolations();
listen();
if (data.violations.length > 0) {
  showViolation(data.violations[0]);
} else {
  show(data.fromMillis, data.fromMillis + BEFORE_MS + AFTER_MS);
}
