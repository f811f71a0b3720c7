// @ts-check
/** Who held one lock, over time: a lane for each client, the way each hold ended, and who waits now. */
import { Axis, scale } from './axis.js';
import * as clock from './clock.js';
import { duration, plain, plural, tint } from './format.js';
import { useWidth } from './list.js';
import { ENDS } from './row.js';
import { h, useRef } from './view.js';

const LANE = 28;
const LANES = 10;
const SPAN = 10 * 60_000;

/**
 * The lanes of a chart: the clients that held or wait, the latest first.
 * @param {any[]} history  @param {any} lock  @param {number} now
 */
export function lanes(history, lock, now) {
  const found = new Map();
  const lane = (/** @type {string} */ id, /** @type {string} */ name) => {
    const key = id || name;
    if (!found.has(key)) found.set(key, { key, name: name || id, holds: [], waits: [], last: 0 });
    return found.get(key);
  };
  for (const hold of history) {
    const end = hold.to || now;
    if (end < now - SPAN) continue;
    const own = lane(hold.id, hold.client);
    own.holds.push({ ...hold, open: !hold.to, to: end });
    own.last = Math.max(own.last, end);
  }
  for (const holder of lock?.clients ?? []) {
    const own = lane(holder.id, holder.name);
    const from = lock.heldSince || holder.since;
    if (from && !own.holds.some((/** @type {any} */ hold) => hold.open)) own.holds.push({ from, to: now, open: true });
    own.last = now;
  }
  for (const waiter of lock?.queue ?? []) {
    if (!waiter.since) continue;
    const own = lane(waiter.id, waiter.name);
    own.waits.push({ from: waiter.since, to: now });
    own.last = Math.max(own.last, now - 1);
  }
  return [...found.values()].sort((a, b) => b.last - a.last);
}

export function Holders({ history, lock }) {
  const frame = useRef(null);
  const width = useWidth(frame);
  const now = clock.useNow();
  const all = lanes(history, lock, now);
  const shown = all.slice(0, LANES);
  const begins = shown.flatMap(lane => [...lane.holds, ...lane.waits].map(part => part.from));
  const from = Math.max(now - SPAN, Math.min(now - 30_000, ...begins));
  const left = Math.min(140, width * 0.34);
  const right = width - 14;
  const height = shown.length * LANE + 22;
  return h(
    'section',
    { 'aria-labelledby': 'holders-title' },
    h('h3', { id: 'holders-title' }, 'Holders over time'),
    h(
      'div',
      { ref: frame, class: 'chart' },
      shown.length > 0 &&
        width > 0 &&
        h(
          'svg',
          {
            width,
            height,
            role: 'img',
            'aria-label': `${plural(history.length, 'hold')} seen while somebody looked; the table below has each`,
          },
          h(Axis, { from, to: now, left, right, height }),
          shown.map((lane, i) =>
            h(Lane, { key: lane.key, lane, y: i * LANE, x: scale(from, now, left, right), left, right }),
          ),
        ),
    ),
    shown.length === 0 &&
      h('p', { class: 'muted' }, 'Nothing seen yet: a console remembers what happens while somebody looks.'),
    all.length > LANES &&
      h('p', { class: 'muted' }, `${plural(all.length - LANES, 'client')} more in the last 10 minutes.`),
  );
}

function Lane({ lane, y, x, left, right }) {
  const letters = Math.max(6, Math.floor((left - 12) / 6.6));
  return h(
    'g',
    { class: tint(lane.name) },
    h(
      'text',
      { x: 0, y: y + 18, class: 'lane-name' },
      h('title', null, plain(lane.name, 300)),
      plain(lane.name, letters),
    ),
    h('line', { class: 'lane', x1: left, x2: right, y1: y + 14, y2: y + 14 }),
    lane.waits.map((/** @type {any} */ wait) =>
      h(
        'line',
        { key: `wait-${wait.from}`, class: 'wait', x1: x(wait.from), x2: x(wait.to), y1: y + 14, y2: y + 14 },
        h('title', null, `waits for ${duration(wait.to - wait.from)}`),
      ),
    ),
    lane.holds.map((/** @type {any} */ hold) => h(Hold, { key: `${hold.token}-${hold.from}`, hold, y: y + 6, x })),
  );
}

function Hold({ hold, y, x }) {
  const begin = x(hold.from);
  const end = Math.max(begin + 2, x(hold.to));
  const lost = !hold.open && hold.end !== 'released' && hold.end !== 'unknown';
  return h(
    'g',
    null,
    h('title', null, `${duration(hold.to - hold.from)}, ${hold.open ? 'holds it' : (ENDS[hold.end] ?? hold.end)}`),
    h('rect', { class: hold.open ? 'hold open' : 'hold', x: begin, y, width: end - begin, height: 16, rx: 3 }),
    lost && h('path', { class: 'hold-lost', d: `M${end - 1.5} ${y - 3}v22` }),
    lost && h('path', { class: 'hold-cross', d: `M${end + 3} ${y + 4}l7 7m0-7l-7 7` }),
  );
}
